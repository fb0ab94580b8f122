/*
 * dvdt_point: reads an experiment point of CK, except the elements of its arrays. It has one run for each repetition:
 *
 *   {"characteristics_list":[{"run":{"dvdt_prof":[CALL,...],"per_layer_info":[LAYER,...],"time_fw_ms":78.8,...}},...],
 *    "choices":{"data_uoa":"caffe",...},"features":{...}}
 */
#ifndef DVDT_POINT_H
#define DVDT_POINT_H

#include "trace2ndjson/formats/draft.h"

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
	struct buf program; /* choices.data_uoa */
	struct buf key, value;
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

/* After the end of the point: sets *e to the next repetition, *repetition to its number; false after the last one. */
bool dvdt_point_next(struct dvdt_point *p, struct reader *r, struct event *e, struct str *repetition);

void dvdt_point_free(struct dvdt_point *p);

#endif
