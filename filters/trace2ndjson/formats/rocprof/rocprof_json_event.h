/* rocprof_json_event: the elements of the arrays of rocprofv3's JSON output: events, names and agents. */
#ifndef ROCPROF_JSON_EVENT_H
#define ROCPROF_JSON_EVENT_H

#include "json/tree.h"
#include "rocprof_record.h"
#include "trace2ndjson/formats/id_texts.h"

/* The arrays of the file whose elements have a meaning, by the name of the array. */
enum rocprof_section {
	ROCPROF_SECTION_PROCESSES,    /* rocprofiler-sdk-tool: one object for each process */
	ROCPROF_SECTION_AGENTS,       /* agents */
	ROCPROF_SECTION_COUNTERS,     /* counters: the names of counters */
	ROCPROF_SECTION_KINDS,        /* strings.buffer_records: the names of kinds and their operations */
	ROCPROF_SECTION_MESSAGES,     /* strings.marker_api: the texts of markers; also a buffer of this name */
	ROCPROF_SECTION_INSTRUCTIONS, /* strings.pc_sample_instructions */
	ROCPROF_SECTION_COMMENTS,     /* strings.pc_sample_comments */
	ROCPROF_SECTION_KERNELS,      /* kernel_symbols */
	ROCPROF_SECTION_EVENTS,       /* any other array */
};

/* --- the data of a process that its events refer to --- */

/* Zero-initialise. */
struct rocprof_tables {
	struct rocprof_agents agents;
	/* Their ids are words, which replace a name that is missing: "kernel 812", "kind 9", "kind 9 operation 2". */
	struct id_texts names;
	char pid[NUM_ROOM]; /* JSON text of the process id */
	size_t pid_n;       /* 0 when it is unknown */
	/* private */
	struct json_tree tree;
	struct buf id; /* of a name */
};

/*
 * Stores an element of an array that has names or agents; `number` is its index in the array. Returns 1 with *e set for
 * an agent, otherwise 0. The text is valid JSON.
 */
int rocprof_tables_add(struct rocprof_tables *t, struct draft *d, const struct reader *r, enum rocprof_section section,
    uint64_t number, struct str text, struct event *e);

/* Reads the value of "metadata", valid JSON. Returns 1 with *e set if the record is selected. */
int rocprof_tables_metadata(
    struct rocprof_tables *t, struct draft *d, const struct reader *r, struct str text, struct event *e);

void rocprof_tables_free(struct rocprof_tables *t); /* leaves empty tables */

/* --- the values of an event --- */

/* An event of the JSON output. Zero-initialise. Views are valid as long as the text of the event. */
struct rocprof_json_event {
	struct rocprof_tables tables; /* of the process */
	struct rocprof_row row;
	uint64_t byte; /* offset of the event */
	/* private */
	struct reader *reader;
	struct str records, args, retval;
	struct buf id;     /* of a name */
	struct map totals; /* the ids of the counters of this event */
	double *total;     /* their sums */
	size_t cap, given;
};

/*
 * Reads the event `text`, valid JSON, into x->row. Returns the number of records that the event gives: 0 for an object
 * that is not an event, and the number of counters for the counters of a kernel. Before each of these, call
 * rocprof_json_event_count().
 */
size_t rocprof_json_event_read(struct rocprof_json_event *x, struct reader *r, struct str text, uint64_t byte);

/* Sets x->row to the next counter of the event; the instances of a counter (of each XCC, SE ...) are added. */
void rocprof_json_event_count(struct rocprof_json_event *x);

void rocprof_json_event_free(struct rocprof_json_event *x);

#endif
