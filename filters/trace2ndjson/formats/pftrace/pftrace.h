/*
 * pftrace: the functions and types that the files of the reader of Perfetto traces share.
 *
 * A record needs what follows it in the file: the end of its slice, the clocks, the descriptors of tracks. So a trace
 * is read in three steps: its packets become entries in a spool (pftrace_event.c); the begins and ends of slices are
 * paired (pftrace_pairs.c); the entries become records (pftrace_record.c).
 */
#ifndef PFTRACE_H
#define PFTRACE_H

#include "pftrace_tables.h"
#include "trace2ndjson/formats/draft.h"
#include "trace2ndjson/formats/protobuf/wire.h"
#include "io/spool.h"

/* --- the state of a trace --- */

/* A sequence: a writer, whose packets refer to what it sent before. */
struct pftrace_sequence {
	uint32_t id;
	bool valid;            /* its state was sent completely */
	uint64_t clock, track; /* the defaults */
	bool has_clock, has_track;
	struct buf extra; /* the default tracks of extra counters: uint64_t[] */
	struct pftrace_names names;
	struct buf gpu_counters; /* the last descriptor of GPU counters outside interned data */
	struct pftrace_own_clock {
		uint64_t unit, sum;
		bool set, incremental;
	} clocks[64]; /* ids 64 to 127 */
};

enum pftrace_type { PFTRACE_BEGIN = 1, PFTRACE_END = 2, PFTRACE_INSTANT = 3, PFTRACE_COUNTER = 4, PFTRACE_GPU = 5 };

/* The texts of an event: JSON, without brackets around the members of args; and lists of the structs below. */
enum pftrace_text_of { PFTRACE_NAME, PFTRACE_CAT, PFTRACE_ARGS, PFTRACE_FLOWS, PFTRACE_EXTRAS, PFTRACE_TEXTS };

/* An event in the spool; its texts follow it. */
struct pftrace_entry {
	int64_t ts, dur, value;
	double real;
	uint64_t at; /* offset of the packet in the file */
	uint64_t n[PFTRACE_TEXTS];
	uint64_t legacy_id;
	int64_t lane; /* of GPU work: the stream, or the number of the queue */
	uint32_t track, clock;
	int32_t dev;
	uint8_t type; /* enum pftrace_type; other numbers are possible */
	uint8_t kind; /* of GPU work */
	char phase;   /* of a legacy event, or 0 */
	bool has_dur, has_legacy_id, has_lane, has_dev, has_real;
};

struct pftrace_flow {
	uint64_t id;
	char phase;
};

struct pftrace_extra {
	uint32_t track;
	int64_t value;
};

/* The begin or end of a slice, in the order of the file. */
struct pftrace_slice {
	int64_t ts;
	uint64_t entry;  /* its offset in the spool */
	uint64_t number; /* of a begin: counted from 0 */
	uint32_t track, sequence, clock;
	bool is_end;
};

/* The kinds of packets that are counted but not read. */
enum { PFTRACE_FTRACE, PFTRACE_PROCESSES, PFTRACE_CHROME, PFTRACE_SAMPLES, PFTRACE_UNREAD_N };

struct pftrace {
	struct map sequence_ids;
	struct pftrace_sequence **sequences;
	size_t cap_sequences;
	struct pftrace_clocks clocks;
	struct pftrace_tracks tracks;
	struct spool entries, slices,
	    ends; /* ends: for each begin, 1 + the offset of its end's entry; 0: it has no end */
	uint64_t begins, n_slices;
	uint64_t events, unread[PFTRACE_UNREAD_N];
	uint64_t at; /* offset of the packet that is being read */
	struct buf name, cat, args, flows, extras, inflated;
	bool failed;
	bool cut; /* a part of the file is missing or damaged */
	/* the records */
	size_t told; /* number of names of processes and threads that were written */
	uint64_t next_entry, next_begin;
	struct spool_window entry_window, end_window, number_window;
	struct map flow_ids; /* id / 64 */
	uint64_t *flow_bits; /* for each of them: which of the 64 ids began */
	size_t cap_flows;
	struct pftrace_entry entry; /* of the last record */
	struct buf rest;            /* flows that follow the last record */
	size_t next_flow;
	struct event last;
	struct draft draft;
	struct buf clock, src;
};

/* --- pftrace_event.c: one event; they return false when it is damaged: w->fault --- */

bool pftrace_event_read(struct pftrace *p, struct reader *r, struct pftrace_sequence *s, struct str event,
    struct pftrace_entry *entry, struct wire *w);
bool pftrace_gpu_stage_read(struct pftrace *p, struct reader *r, struct pftrace_sequence *s, struct str event,
    struct pftrace_entry *entry, struct wire *w);
bool pftrace_gpu_counter_read(struct pftrace *p, struct reader *r, struct pftrace_sequence *s, struct str event,
    struct pftrace_entry *entry, struct wire *w);

/* --- pftrace_pairs.c, pftrace_record.c --- */

/* Pairs the begins and ends of all slices. */
void pftrace_pairs_find(struct pftrace *p, struct reader *r);

/* Makes the next record; returns false after the last one. */
bool pftrace_record_next(struct pftrace *p, struct reader *r, struct event *e);

/* Stops with a fault of the spool. */
void pftrace_fail(struct pftrace *p, struct reader *r, const struct fault *f);

#endif
