/* dvdt: the functions and types that the files of the dvdt-prof reader share. */
#ifndef DVDT_H
#define DVDT_H

#include "base/num_format.h"
#include "trace2ndjson/formats/format.h"
#include "json/tree.h"

/*
 * The values of the options, and data about the calls in a file. The data is kept for the next file, which is often the
 * log of the layers.
 */
struct dvdt_run {
	bool drop_source, any_call;
	int64_t year;       /* the year of dates that are written without one; 0: not known */
	int64_t tz_offset;  /* local time minus UTC, ns */
	int64_t first_call; /* start of the first call, ns since 1970 */
};

/* The mark at the start of every line that dvdt-prof prints, and the lines that open and close a block. */
#define DVDT_MARK STR("[dv/dt] ")
#define DVDT_OPEN STR("[dv/dt] <<")
#define DVDT_CLOSE STR("[dv/dt] >>")

/* --- dvdt_call.c: times --- */

/*
 * Converts "1121 04:39:07.405537" (month and day, time) of the given year, as UTC, to ns since 1970; sets *month to 1
 * .. 12. False when s is not such a time.
 */
bool dvdt_log_time(struct str s, int64_t year, int64_t *ns, int *month);

/* Returns the year of a time in ns since 1970. */
int64_t dvdt_year(int64_t ns);

/* --- dvdt_call.c: the records of one call --- */

/* The memory for the records of a call; views in the records point here. Zero-initialise. */
struct dvdt_call {
	/* text: the call without white space; slim: the same without the sources, for --drop-source */
	struct buf text, slim;
	struct buf args;     /* args of the device record */
	struct event device; /* the device record of an enqueue, if has_device is set */
	bool has_device;     /* `device` is set and has not been returned yet */
	char corr[NUM_ROOM], err[NUM_ROOM], bytes[NUM_ROOM];
};

/*
 * Sets *e to the record of the call `object`, which is valid JSON; `index` is the index of the call in the trace or
 * repetition. Sets c->device to the record of the call's work on the device. False when the object is not a call.
 * Objects that are not calls, and other irregularities, are counted in the diagnostics.
 */
bool dvdt_call(
    struct dvdt_call *c, struct reader *r, struct str object, uint64_t index, struct fault_place at, struct event *e);

void dvdt_call_free(struct dvdt_call *c);

/* --- dvdt_lines.c: reads calls that are printed as lines --- */

/* The state while the reader reads a call that the log prints as several lines. Zero-initialise. */
struct dvdt_lines {
	struct buf name; /* "clBuildProgram"; empty: no call */
	/* members as JSON; before: the members that precede the timestamp; after: the members that follow it */
	struct buf before, after;
	struct buf start, end; /* the texts in the timestamp */
	/*
	 * source: text of the program source that is being read; sources: the preceding program sources, as JSON
	 * members
	 */
	struct buf source, sources;
	struct buf record; /* the call as a JSON object, once it is complete */
	/* N when "sources[N]" is being read; a view of `number`. p is NULL when no source is being read. */
	struct str in_source;
	char number[NUM_ROOM];
	bool over;                    /* the call is larger than --max-record */
	bool has_errcode, has_object; /* whether the call's errcode and its object have been read */
	struct fault_place at;        /* where the call began */
	uint64_t lost;                /* number of incomplete calls; the caller may reset it */
};

enum dvdt_line {
	DVDT_OTHER, /* a line of the program's own output, not of dvdt-prof */
	DVDT_TAKEN,
	DVDT_WHOLE, /* a line of dvdt-prof that completed a call; lines->record is that call */
};

/*
 * Adds one line of output, without its newline; the caller sets `cut` when the line had no newline. An incomplete call
 * is counted as lost.
 */
enum dvdt_line dvdt_lines_add(struct dvdt_lines *l, struct reader *r, struct str line, bool cut, struct fault_place at);

/* Called at the end of the input. True when this completes a call. */
bool dvdt_lines_end(struct dvdt_lines *l, struct reader *r);

void dvdt_lines_free(struct dvdt_lines *l);

/* --- dvdt_lines.c: the layers of a network --- */

/*
 * Layers wait for the first call, because its start gives the start of the first layer and the year. If no call comes,
 * they wait until the end of the input, or until they take DVDT_LAYERS_WAIT bytes. Zero-initialise.
 */
struct dvdt_layers {
	struct buf waiting;       /* objects as in per_layer_info, each followed by a newline */
	size_t at;                /* number of bytes of `waiting` that have been returned */
	struct fault_place place; /* where the first waiting layer was read */
	bool go;                  /* the layers need not wait any longer */
	bool any_call;
	int64_t first_call; /* ns */
	bool has_earlier;   /* `earlier` is the start of a preceding file's first call, used when a log has no calls */
	int64_t earlier;
	bool any;      /* a layer with a time was returned: `last` and `month` are set */
	int64_t last;  /* the end time of the last such layer, ns */
	int month;     /* the month of `last` */
	int64_t years; /* how often the year has changed since the first layer */
	int64_t index; /* in a log: number of forward layers so far */
	struct buf text, args;
};

/* Whether the line is the message that Caffe logs at the end of a layer; if so, adds the layer. */
bool dvdt_layers_line(struct dvdt_layers *l, struct str line, struct fault_place at);

/* Adds an element of per_layer_info, an object that is valid JSON. False when it is not a layer. */
bool dvdt_layers_add(struct dvdt_layers *l, struct str object, struct fault_place at);

/* Informs the layers that a call began at `ts`. */
void dvdt_layers_call(struct dvdt_layers *l, int64_t ts);

/* Sets *e to the record of the next layer that need not wait any longer; false when there is no such layer. */
bool dvdt_layers_next(struct dvdt_layers *l, struct reader *r, struct event *e);

/* Empties *l for another run of the program; keeps the allocated memory. */
void dvdt_layers_reset(struct dvdt_layers *l);
void dvdt_layers_free(struct dvdt_layers *l);

/* --- dvdt_point.c: reads the elements of an array of calls or of layers --- */

struct dvdt_elements {
	struct lines lines;
	struct fault_place at; /* where the last returned element begins */
	struct buf repaired;
	bool blocks;      /* the array is a block in program output, and other output may interrupt it */
	bool count_lines; /* newlines are counted, because messages about this array must show line numbers */
	uint64_t line;    /* number of newlines preceding the next byte */
	uint64_t lost;    /* number of skipped elements; the caller may reset it */
	uint64_t over;    /* number of elements larger than --max-record */
};

enum dvdt_element {
	DVDT_ELEMENT, /* *text is an object that is valid JSON */
	DVDT_NONE,    /* an element was skipped, or more input is needed: call again */
	DVDT_CLOSED,  /* the closing bracket was read; the source is at the byte after it */
	/* program output interrupts the array: this was reported, and the source is at the start of that output */
	DVDT_BROKEN,
	DVDT_ENDED, /* the input ended inside the array; this was reported */
};

/* Call this when the array's opening bracket has been read. */
void dvdt_elements_begin(struct dvdt_elements *l, struct reader *r);

/* Reads the next element. *text is valid until the next call. */
enum dvdt_element dvdt_elements_next(struct dvdt_elements *l, struct reader *r, struct str *text);

/* --- dvdt_point.c: reads an experiment point, except the elements of its arrays --- */

/* Zero-initialise. */
struct dvdt_point {
	enum { POINT_TOP, POINT_LIST, POINT_REPETITION, POINT_RUN } level; /* the object or array that is being read */
	/* number of the current repetition, from 0; between two repetitions, the number of the next repetition */
	uint64_t repetition;
	bool any_profiling; /* an array named dvdt_prof was read */
	bool failed;        /* the repetition's run_success is "no" */
	struct buf members; /* members of the current repetition: ,"key":value ... */
	struct buf metas;   /* for each earlier repetition: its number, a space, its members, and a newline */
	size_t at;          /* number of bytes of `metas` that have been returned */
	struct json_tree choices;
	struct buf key, value, args;
};

enum dvdt_step {
	DVDT_ON,     /* there is no result yet: call again */
	DVDT_RECORD, /* *e is the record of a member of the point */
	DVDT_CALLS,  /* the opening bracket of an array of calls was read */
	DVDT_LAYERS, /* the opening bracket of an array of layers was read */
	DVDT_OPENED, /* a repetition began; its number is point->repetition */
	DVDT_RAN,    /* the run of the repetition ended */
	DVDT_END,    /* the point ended; if it is cut short or damaged, this was reported */
};

/* Call this when the point's opening brace has been read. */
void dvdt_point_begin(struct dvdt_point *p);

/* Reads the next part of the point. */
enum dvdt_step dvdt_point_step(struct dvdt_point *p, struct reader *r, struct event *e);

/* Adds the counts of calls and layers of the current repetition to its record. */
void dvdt_point_counts(struct dvdt_point *p, uint64_t calls, uint64_t layers);

/*
 * Call this after the end of the point: sets *e to the next record of a repetition, and *repetition to its number.
 * False when no more are left.
 */
bool dvdt_point_next(struct dvdt_point *p, struct reader *r, struct event *e, uint64_t *repetition);

void dvdt_point_free(struct dvdt_point *p);

#endif
