/* dvdt: what the files of the dvdt-prof reader share. */
#ifndef DVDT_H
#define DVDT_H

#include "base/num_format.h"
#include "trace2ndjson/formats/format.h"
#include "json/tree.h"

/* --- dvdt_options.c --- */

/* What its options ask, and what the calls of a file leave: the log of the layers often is the next file. */
struct dvdt_run {
	bool drop_source, any_call;
	int64_t year;       /* of dates without one, 0: not known */
	int64_t tz_offset;  /* ns that local times are ahead of UTC */
	int64_t first_call; /* when it began, ns since 1970 */
};
extern const struct opt dvdt_options[];
void dvdt_take_zone(void *run, const struct opt_value *v);

/* --- dvdt_probe.c --- */

/* Whether a file that begins so is one of ours; struct format has the contract. */
bool dvdt_probe(struct str head);

/* What begins every line of the tool, and what opens and closes a block. */
#define DVDT_MARK STR("[dv/dt] ")
#define DVDT_OPEN STR("[dv/dt] <<")
#define DVDT_CLOSE STR("[dv/dt] >>")

/* Whether an array of objects, or an object, begins at s: what a program's own text hardly does. */
bool dvdt_is_json(struct str s);

/* --- dvdt_time.c --- */

/* "2026-11-21T04:37:45.957208" (or a blank for the T, or no fraction), UTC: ns since 1970. False when it is none. */
bool dvdt_time(struct str s, int64_t *ns);

/* "1121 04:39:07.405537" of that year, as dvdt_time(); *month gets the month, 1 to 12. False when it is none. */
bool dvdt_log_time(struct str s, int64_t year, int64_t *ns, int *month);

/* The year in which a time since 1970 lies. */
int64_t dvdt_year(int64_t ns);

/* --- dvdt_call.c: one call --- */

/* What making the records of a call needs; views in the records point here. Zero-initialise. */
struct dvdt_call {
	struct buf text, slim;   /* the call without white space; without its sources too, where not wanted */
	struct buf args;         /* of the device record */
	struct event device;     /* the enqueue's device record ... */
	bool has_device;         /* ... when there is one that has not been given out */
	char corr[NUM_ROOM], err[NUM_ROOM], bytes[NUM_ROOM];
};

/*
 * Makes *e the record of a call, an object that is valid JSON, which is the `index`-th, and c->device the one of what
 * it put on the device. False when it is no call, which is counted, as is what else is odd about it.
 */
bool dvdt_call(struct dvdt_call *c, struct reader *r, struct str object, uint64_t index, struct fault_place at,
    struct event *e);

void dvdt_call_free(struct dvdt_call *c);

/* --- dvdt_lines.c: calls as lines --- */

/* The call whose lines are coming. Zero-initialise. */
struct dvdt_lines {
	struct buf name;             /* "clBuildProgram"; empty: none */
	struct buf before, after;    /* members, as JSON, before and behind the timestamp */
	struct buf start, end;       /* of the timestamp */
	struct buf source, sources;  /* the text of a source while it comes, and those before it, as members */
	struct buf record;           /* the call as JSON object, once it is whole */
	struct str in_source;        /* its number, a view of `number`; p is NULL when there is none */
	char number[NUM_ROOM];
	bool over;                   /* its sources are over --max-record */
	bool has_errcode, has_object; /* seen: the last lines of a call */
	struct fault_place at;             /* where it began */
	uint64_t lost;               /* calls that were not whole; the caller may take them off */
};

enum dvdt_line {
	DVDT_OTHER, /* not the tool's: the program's own output */
	DVDT_TAKEN,
	DVDT_WHOLE, /* and a call was completed by it: lines->record */
};

/*
 * One line of output, without its newline; `cut` when it had none. A call that turns out not to be whole is
 * counted as lost.
 */
enum dvdt_line dvdt_lines_add(struct dvdt_lines *l, struct reader *r, struct str line, bool cut, struct fault_place at);

/* Nothing follows: true when that completed a call. */
bool dvdt_lines_end(struct dvdt_lines *l, struct reader *r);

void dvdt_lines_free(struct dvdt_lines *l);

/* --- dvdt_layers.c: layers of a network --- */

/*
 * Layers wait for the first call, where the first of them begins and which says the year; not longer than to
 * the end, or until they take DVDT_LAYERS_WAIT bytes. Zero-initialise.
 */
struct dvdt_layers {
	struct buf waiting;     /* objects as in per_layer_info, a newline behind each */
	size_t at;              /* how much of it was given out */
	struct fault_place place;     /* of the first of them */
	bool go;                /* wait no longer */
	bool any_call;
	int64_t first_call;     /* ns */
	bool has_earlier;       /* for a log without calls: the first call of a file before it */
	int64_t earlier;
	bool any;               /* layer with a time was given out: */
	int64_t last;           /* its end, ns */
	int month;
	int64_t years;          /* how many turns of the year lie between the first layer and the last */
	int64_t index;          /* in a log: of the layer that went forward last, + 1 */
	struct buf text, args;
};

enum { DVDT_LAYERS_WAIT = 1 << 20 };

/* Whether a line is one that Caffe logs at the end of a layer, which is then added. */
bool dvdt_layers_line(struct dvdt_layers *l, struct str line, struct fault_place at);

/* An element of per_layer_info: valid JSON, an object. False when it is no layer. */
bool dvdt_layers_add(struct dvdt_layers *l, struct str object, struct fault_place at);

/* A call began then. */
void dvdt_layers_call(struct dvdt_layers *l, int64_t ts);

/* The next record of a layer, when one is there and need not wait. */
bool dvdt_layers_next(struct dvdt_layers *l, struct reader *r, struct event *e);

/* Forgets all but the memory: another run begins. */
void dvdt_layers_reset(struct dvdt_layers *l);
void dvdt_layers_free(struct dvdt_layers *l);

/* --- dvdt_elements.c: the elements of an array of calls, or of layers --- */

struct dvdt_elements {
	struct lines lines;
	struct fault_place at;    /* of the element that was returned last */
	struct buf repaired;
	bool blocks;        /* the array stands in program output, which may cut it */
	bool count_lines;   /* of a text that has lines */
	uint64_t line;      /* newlines before what comes next */
	uint64_t lost;      /* elements that were skipped; the caller may take them off */
	uint64_t over;      /* of these, those over --max-record */
};

enum dvdt_element {
	DVDT_ELEMENT, /* *text is an object, valid JSON */
	DVDT_NONE,    /* something was skipped, or there is not enough yet: ask again */
	DVDT_CLOSED,  /* the array's bracket came: the source stands behind it */
	DVDT_BROKEN,  /* program output came instead: the source stands there; it was told */
	DVDT_ENDED,   /* the input ended before; it was told */
};

/* Behind the opening bracket. */
void dvdt_elements_begin(struct dvdt_elements *l, struct reader *r);

/* *text lives until the next call. */
enum dvdt_element dvdt_elements_next(struct dvdt_elements *l, struct reader *r, struct str *text);

/* --- dvdt_point.c: an experiment point, all of it but the elements of its arrays --- */

/* Zero-initialise. */
struct dvdt_point {
	enum { POINT_TOP, POINT_LIST, POINT_REPETITION, POINT_RUN } level; /* of the object or array it is in */
	uint64_t repetition;    /* number of the one it is in, or comes to next */
	bool any_profiling;     /* a dvdt_prof was there */
	bool failed;            /* the repetition's run_success is "no" */
	struct buf members;     /* of the repetition in progress: ,"key":value ... */
	struct buf metas;       /* of those before: number of the repetition, a blank, members, a newline */
	size_t at;              /* how much of it was given out */
	struct json_tree choices;
	struct buf key, value, args;
};

enum dvdt_step {
	DVDT_ON,     /* go on */
	DVDT_RECORD, /* *e was set: a member of the point */
	DVDT_CALLS,  /* the source stands behind the bracket of an array of calls */
	DVDT_LAYERS, /* or of layers */
	DVDT_OPENED, /* a repetition began, point->repetition */
	DVDT_RAN,    /* its run ended */
	DVDT_END,    /* the point ended, or is cut, or broken, which was told */
};

/* Behind the point's opening brace. */
void dvdt_point_begin(struct dvdt_point *p);

/* Reads on. */
enum dvdt_step dvdt_point_step(struct dvdt_point *p, struct reader *r, struct event *e);

/* What the repetition in progress had, for its record. */
void dvdt_point_counts(struct dvdt_point *p, uint64_t calls, uint64_t layers);

/* When the point ended: the next record of a repetition; *repetition is its number. */
bool dvdt_point_next(struct dvdt_point *p, struct reader *r, struct event *e, uint64_t *repetition);

void dvdt_point_free(struct dvdt_point *p);

#endif
