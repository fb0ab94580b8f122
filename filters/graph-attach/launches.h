/*
 * launches: the launches of graphs, from their first record until all their kernels were written. A launch is decided
 * when all its kernels were read and, if several captures are possible, when the launches around it on its thread say
 * which of them it ran.
 */
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "launch_match.h"
#include "record/event_api.h"
#include "record/places.h"

#define LAUNCHES_NONE UINT64_MAX

/* A launch. It takes 48 bytes, besides the lists of its kernels until all of them were read. */
struct launch {
	int64_t ts;
	struct launch_match *match; /* NULL for MATCH_NODE and for launches without kernels */
	uint32_t thread;
	uint32_t unwritten; /* number of kernels that were not written yet */
	int32_t choice;     /* the index of its capture in match->captures; -1: not certain */
	uint32_t open;      /* in the state LAUNCH_OPEN: its place in launches.open */
	enum launch_state {
		LAUNCH_OPEN,  /* more kernels can follow */
		LAUNCH_EMPTY, /* no kernel was recorded */
		LAUNCH_WAITS, /* several captures are possible */
		LAUNCH_DECIDED,
	} state;
	enum match_rule rule; /* of a decided launch */
	bool walked;          /* no other launch needs it */
};

struct launches_counts {
	uint64_t launches, empty, kernels, late; /* late: kernels that came after their launch was decided */
	uint64_t dropped;                        /* nodes without a kernel, in certain launches */
	uint32_t differ; /* bit i: captures with the same list differ in value i, and the order decided */
};

/* Zero-initialise, and set `captures`, `matches.captures` and `horizon`. */
struct launches {
	struct captures *captures;
	int64_t horizon; /* the maximum time from a launch to its kernels, in ns */
	struct launches_counts counts;
	/* the first kernel that no capture has at its place, and the name that a capture has there: captures_name() */
	bool differs;
	uint32_t kernel_name, node_name;
	/* private */
	struct launch_matches matches;
	struct launch *list; /* n launches; the first has the number `first` */
	uint64_t first;
	size_t n, cap, done; /* done: number of those at the beginning that are not needed any more */
	uint64_t oldest;     /* no launch before this number is open */
	/*
	 * The open launches, and places of closed ones, whose lists are used again: the first is free_open, and each
	 * leads to the next one. A trace without kernels has a launch for each graph of the last `horizon`, so nothing
	 * goes through all open launches, and none of them moves.
	 */
	struct open_launch *open;
	size_t n_open, used_open, cap_open; /* n_open: without the closed ones */
	size_t free_open;
	/* the launch of the last kernel (LAUNCHES_NONE: it is closed), and the number of its stream */
	uint64_t last;
	size_t last_stream;
	struct places threads, streams, processes;
	struct launch_thread *of_thread;
	uint64_t *on_stream; /* for each stream, the open launch of its last record, or LAUNCHES_NONE */
	struct step *of_process;
	size_t cap_threads, cap_streams, cap_processes;
};

/* Takes a range that may be the mark of a step; its name is needed. */
void launches_take_range(struct launches *l, struct event *e);

/* Takes the call of a launch: an API record. */
void launches_take_call(struct launches *l, struct event *e);

/* A kernel, copy or set of a launch. */
struct launch_kernel {
	const struct str *stream; /* rank, dev and stream as JSON */
	struct str api;           /* the member api */
	uint32_t name;            /* captures_name() */
	bool annotated;           /* its node id has an annotation */
	bool same;                /* the stream and the call are those of the last kernel */
};

/*
 * Takes a kernel. Returns the number of its launch, and sets *place to its place in the launch; returns LAUNCHES_NONE
 * if it comes too late.
 */
uint64_t launches_take_kernel(struct launches *l, const struct launch_kernel *k, uint32_t *place);

/* Takes a device record on a stream (rank, dev and stream as JSON) that no launch of a graph started. */
void launches_take_other(struct launches *l, const struct str stream[3]);

/* The stream of records has reached ts: launches before ts - horizon have no further kernels. */
void launches_advance(struct launches *l, int64_t ts);

/* Decides all launches, at the end of the input. */
void launches_end(struct launches *l);

struct launch *launches_get(struct launches *l, uint64_t number);

/* To be called when a kernel of a launch was written. */
void launches_written(struct launches *l, struct launch *launch);

void launches_free(struct launches *l);

#endif
