/* dvdt: the functions and types that the files of the dvdt-prof reader share. */
#ifndef DVDT_H
#define DVDT_H

#include "base/num_format.h"
#include "trace2ndjson/formats/format.h"
#include "json/tree.h"

/* --- dvdt_options.c --- */

/* The values of the options, and data of the calls of a file: the log of the layers is often the next file. */
struct dvdt_run {
	bool drop_source, any_call;
	int64_t year;       /* of dates that have no year; 0: not known */
	int64_t tz_offset;  /* ns that local times are ahead of UTC */
	int64_t first_call; /* start of the first call, ns since 1970 */
};
extern const struct opt dvdt_options[];
void dvdt_take_zone(void *run, const struct opt_value *v);

/* --- dvdt_probe.c --- */

/* Whether a file that begins with `head` is of this format; struct format has the contract. */
bool dvdt_probe(struct str head);

/* The mark at the start of every line of the tool, and the lines that open and close a block. */
#define DVDT_MARK STR("[dv/dt] ")
#define DVDT_OPEN STR("[dv/dt] <<")
#define DVDT_CLOSE STR("[dv/dt] >>")

/* Whether an array of objects, or an object, begins at s: a program's own output rarely contains these. */
bool dvdt_is_json(struct str s);

/* --- dvdt_time.c --- */

/*
 * "2026-11-21T04:37:45.957208" (or a blank for the T, or no fraction), UTC: ns since 1970. False when s is not such a
 * time.
 */
bool dvdt_time(struct str s, int64_t *ns);

/*
 * "1121 04:39:07.405537" of that year, as dvdt_time(); sets *month to the month, 1 to 12. False when s is not such a
 * time.
 */
bool dvdt_log_time(struct str s, int64_t year, int64_t *ns, int *month);

/* Returns the year of a time in ns since 1970. */
int64_t dvdt_year(int64_t ns);

/* --- dvdt_call.c: the records of one call --- */

/* The memory for the records of a call; views in the records point here. Zero-initialise. */
struct dvdt_call {
	struct buf text, slim; /* the call without white space; the same without its sources, for --drop-source */
	struct buf args;       /* of the device record */
	struct event device;   /* the device record of the enqueue ... */
	bool has_device;       /* ... valid when this is set: it was not returned yet */
	char corr[NUM_ROOM], err[NUM_ROOM], bytes[NUM_ROOM];
};

/*
 * Sets *e to the record of the `index`-th call, an object that is valid JSON, and c->device to the record of its work
 * on the device. False when the object is not a call; this and other irregularities are counted.
 */
bool dvdt_call(
    struct dvdt_call *c, struct reader *r, struct str object, uint64_t index, struct fault_place at, struct event *e);

void dvdt_call_free(struct dvdt_call *c);

/* --- dvdt_lines.c: reads calls that are printed as lines --- */

/* The call whose lines are being read. Zero-initialise. */
struct dvdt_lines {
	struct buf name;            /* "clBuildProgram"; empty: no call */
	struct buf before, after;   /* members, as JSON, preceding and following the timestamp */
	struct buf start, end;      /* of the timestamp */
	struct buf source, sources; /* the text of the current source; the preceding sources, as members */
	struct buf record;          /* the call as a JSON object, once it is complete */
	struct str in_source;       /* number of the current source, a view of `number`; p NULL: no source */
	char number[NUM_ROOM];
	bool over;                    /* its sources are over --max-record */
	bool has_errcode, has_object; /* seen: the last lines of a call */
	struct fault_place at;        /* where it began */
	uint64_t lost;                /* calls that were not complete; the caller may reset it */
};

enum dvdt_line {
	DVDT_OTHER, /* not a line of the tool: the program's own output */
	DVDT_TAKEN,
	DVDT_WHOLE, /* a line of the tool that completed a call: lines->record */
};

/*
 * Adds one line of output, without its newline; `cut` when it had no newline. A call that turns out to be incomplete is
 * counted as lost.
 */
enum dvdt_line dvdt_lines_add(struct dvdt_lines *l, struct reader *r, struct str line, bool cut, struct fault_place at);

/* Ends the input: true when that completed a call. */
bool dvdt_lines_end(struct dvdt_lines *l, struct reader *r);

void dvdt_lines_free(struct dvdt_lines *l);

/* --- dvdt_layers.c: the layers of a network --- */

/*
 * Layers wait for the first call: the first layer begins where that call begins, and the call gives the year. They wait
 * at most until the end of the input, or until they take DVDT_LAYERS_WAIT bytes. Zero-initialise.
 */
struct dvdt_layers {
	struct buf waiting;       /* objects as in per_layer_info, each followed by a newline */
	size_t at;                /* number of bytes of `waiting` that were already returned */
	struct fault_place place; /* of the first waiting layer */
	bool go;                  /* do not wait any longer */
	bool any_call;
	int64_t first_call; /* ns */
	bool has_earlier;   /* for a log without calls: the first call of a preceding file */
	int64_t earlier;
	bool any;     /* a layer with a time was returned: */
	int64_t last; /* its end, ns */
	int month;
	int64_t years; /* number of changes of the year between the first layer and the last */
	int64_t index; /* in a log: 1 + the index of the last forward layer */
	struct buf text, args;
};

enum { DVDT_LAYERS_WAIT = 1 << 20 };

/* Whether a line is one that Caffe logs at the end of a layer; adds the layer if it is. */
bool dvdt_layers_line(struct dvdt_layers *l, struct str line, struct fault_place at);

/* Adds an element of per_layer_info: valid JSON, an object. False when it is not a layer. */
bool dvdt_layers_add(struct dvdt_layers *l, struct str object, struct fault_place at);

/* Reports to the layers that a call began at `ts`. */
void dvdt_layers_call(struct dvdt_layers *l, int64_t ts);

/* Returns whether a layer is there that need not wait, and sets *e to its record. */
bool dvdt_layers_next(struct dvdt_layers *l, struct reader *r, struct event *e);

/* Empties *l for another run of the program; keeps the allocated memory. */
void dvdt_layers_reset(struct dvdt_layers *l);
void dvdt_layers_free(struct dvdt_layers *l);

/* --- dvdt_elements.c: reads the elements of an array of calls or of layers --- */

struct dvdt_elements {
	struct lines lines;
	struct fault_place at; /* of the element returned last */
	struct buf repaired;
	bool blocks;      /* the array is inside program output, which may cut it */
	bool count_lines; /* the text has lines: count them */
	uint64_t line;    /* number of newlines preceding the next byte */
	uint64_t lost;    /* number of skipped elements; the caller may reset it */
	uint64_t over;    /* how many of these were over --max-record */
};

enum dvdt_element {
	DVDT_ELEMENT, /* *text is an object, valid JSON */
	DVDT_NONE,    /* something was skipped, or there is not enough input yet: call again */
	DVDT_CLOSED,  /* the closing bracket was read: the source is at the byte after it */
	DVDT_BROKEN,  /* program output follows in the array: the source is at its start; reported */
	DVDT_ENDED,   /* the input ended inside the array; reported */
};

/* Begins after the opening bracket. */
void dvdt_elements_begin(struct dvdt_elements *l, struct reader *r);

/* Reads the next element. *text is valid until the next call. */
enum dvdt_element dvdt_elements_next(struct dvdt_elements *l, struct reader *r, struct str *text);

/* --- dvdt_point.c: an experiment point, except the elements of its arrays --- */

/* Zero-initialise. */
struct dvdt_point {
	enum { POINT_TOP, POINT_LIST, POINT_REPETITION, POINT_RUN } level; /* the object or array that is being read */
	uint64_t repetition; /* number of the current repetition, or of the next one */
	bool any_profiling;  /* a dvdt_prof was read */
	bool failed;         /* the repetition's run_success is "no" */
	struct buf members;  /* of the current repetition: ,"key":value ... */
	struct buf metas;    /* of each earlier repetition: its number, a blank, its members, a newline */
	size_t at;           /* number of bytes of `metas` that were already returned */
	struct json_tree choices;
	struct buf key, value, args;
};

enum dvdt_step {
	DVDT_ON,     /* nothing to do: call again */
	DVDT_RECORD, /* *e is set: a member of the point */
	DVDT_CALLS,  /* the source is after the bracket of an array of calls */
	DVDT_LAYERS, /* the same for an array of layers */
	DVDT_OPENED, /* a repetition began, point->repetition */
	DVDT_RAN,    /* its run ended */
	DVDT_END,    /* the point ended, or is cut short or damaged, which was reported */
};

/* Begins after the point's opening brace. */
void dvdt_point_begin(struct dvdt_point *p);

/* Reads the next part of the point. */
enum dvdt_step dvdt_point_step(struct dvdt_point *p, struct reader *r, struct event *e);

/* Adds the numbers of calls and layers of the current repetition to its record. */
void dvdt_point_counts(struct dvdt_point *p, uint64_t calls, uint64_t layers);

/*
 * After the end of the point: sets *e to the next record of a repetition, and *repetition to its number. False at the
 * end.
 */
bool dvdt_point_next(struct dvdt_point *p, struct reader *r, struct event *e, uint64_t *repetition);

void dvdt_point_free(struct dvdt_point *p);

#endif
