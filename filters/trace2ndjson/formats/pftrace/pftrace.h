/*
 * pftrace: the functions and types that the files of the reader of Perfetto traces share.
 *
 * A record needs what follows it in the file: the end of its slice, the clocks, the descriptors of tracks. So a trace
 * is read in three steps: its packets become entries in a spool (pftrace_packet.c, pftrace_event.c, pftrace_gpu.c); the
 * begins and ends of slices are paired (pftrace_pairs.c); the entries become records (pftrace_record.c).
 */
#ifndef PFTRACE_H
#define PFTRACE_H

#include "base/map.h"
#include "base/num_format.h"
#include "trace2ndjson/formats/format.h"
#include "trace2ndjson/formats/protobuf/wire.h"
#include "trace2ndjson/formats/protobuf/wire_json.h"
#include "trace2ndjson/formats/spool.h"

#define PFTRACE_NONE UINT32_MAX

/* --- pftrace_packets.c: finds the packets in the file --- */

struct pftrace;

/*
 * Reads the next packet of the source, which is valid until the next call; p->at is its offset. Returns false at the
 * end. Reports and skips all bytes that are not a packet, and sets p->cut.
 */
bool pftrace_packets_next(struct pftrace *p, struct reader *r, struct str *packet);

/* Whether the first bytes of a file are packets. */
bool pftrace_packets_probe(struct str head);

/* --- pftrace_names.c: texts that are sent once, with a number that later packets use --- */

struct pftrace_names {
	struct map keys;
	struct pftrace_name {
		size_t at, n;           /* the whole message, in `bytes` */
		size_t text_at, text_n; /* its field 2 */
	} * list;
	size_t cap;
	struct buf bytes;
};

/* The tables are the numbers of the fields of InternedData. */
enum pftrace_table {
	PFTRACE_CATEGORIES = 1,
	PFTRACE_EVENTS = 2,
	PFTRACE_ARGUMENTS = 3,
	PFTRACE_GPU_STAGES = 24,
	PFTRACE_STRINGS = 29,
	PFTRACE_GPU_COUNTERS = 47,
	PFTRACE_KERNELS = 1000,
	PFTRACE_KERNEL_ARGUMENTS = 1001,
};

/* Adds the messages of InternedData. Returns false when one of them is damaged: w->fault. */
bool pftrace_names_add(struct pftrace_names *names, struct str interned, struct wire *w);

/* Returns the text or the whole message with this number; p is NULL if the number is unknown. */
struct str pftrace_names_text(const struct pftrace_names *names, enum pftrace_table table, uint64_t iid);
struct str pftrace_names_message(const struct pftrace_names *names, enum pftrace_table table, uint64_t iid);
void pftrace_names_free(struct pftrace_names *names);

/* --- pftrace_clocks.c --- */

struct pftrace_clocks {
	struct map keys; /* {sequence, id} of each clock; the sequence is 0 for the clocks of the whole trace */
	struct pftrace_clock {
		uint64_t unit; /* number of ns */
		/* after pftrace_clocks_end(): how to convert to the main clock */
		bool used, main;
		struct pftrace_shift {
			int64_t from, add; /* for times from `from` on */
		} * shifts;
		size_t n_shifts, cap_shifts;
		int64_t first_add; /* for times before all shifts */
		bool known;
	} * list;
	struct pftrace_reading { /* one clock in a snapshot; the order is that of the file */
		uint32_t snapshot, clock;
		int64_t ts;
	} * readings;
	size_t cap, n_readings, cap_readings;
	uint32_t snapshots;
	uint64_t primary; /* the id of the main clock, or 0 */
};

uint32_t pftrace_clocks_at(struct pftrace_clocks *c, uint32_t sequence, uint64_t id);
/* Adds the reading of a clock to the current snapshot. */
void pftrace_clocks_add(struct pftrace_clocks *c, uint32_t clock, int64_t ts);
/* Call it when all packets have been read. */
void pftrace_clocks_end(struct pftrace_clocks *c);
/* Converts a time to the main clock. Returns false when that is not possible: *ts is unchanged. */
bool pftrace_clocks_convert(const struct pftrace_clocks *c, uint32_t clock, int64_t *ts);
/* Appends the name of a clock as JSON. */
void pftrace_clocks_put(const struct pftrace_clocks *c, uint32_t clock, struct buf *b);
void pftrace_clocks_free(struct pftrace_clocks *c);

/* --- pftrace_tracks.c --- */

struct pftrace_text { /* a part of struct pftrace_tracks.bytes */
	size_t at, n;
};

struct pftrace_track {
	struct pftrace_text name, process_name, thread_name; /* the last name; the first ones */
	uint32_t parent;                                     /* PFTRACE_NONE: no parent */
	int32_t process;
	int64_t thread_pid, thread;
	bool has_process, has_thread, has_counter, adds_up, told;
	int64_t multiplier;
	int64_t sum, extra_sum; /* of a counter that adds up: its value, as a track and as an extra counter */
	uint32_t sequence;      /* the sequence that writes slices on it; PFTRACE_NONE: none yet */
	bool shared;            /* several sequences write slices on it */
	/* set by pftrace_tracks_place() */
	bool placed;
	struct pftrace_text pid, tid, sub; /* JSON; n is 0 if absent. sub: the name of a track below a thread */
};

struct pftrace_tracks {
	struct map uuids;
	struct pftrace_track *list;
	size_t cap;
	struct buf bytes;
	uint32_t *named; /* the tracks of processes and threads with a name, in the order of their descriptors */
	size_t n_named, cap_named;
};

uint32_t pftrace_tracks_at(struct pftrace_tracks *t, uint64_t uuid);
uint64_t pftrace_tracks_uuid(const struct pftrace_tracks *t, uint32_t track);
/* Reads a TrackDescriptor. Returns false when it is damaged: w->fault. */
bool pftrace_tracks_describe(struct pftrace_tracks *t, struct str descriptor, struct wire *w);
/* Sets the place of the events on a track; all descriptors must have been read. */
struct pftrace_track *pftrace_tracks_place(struct pftrace_tracks *t, uint32_t track);
static inline struct str pftrace_tracks_text(const struct pftrace_tracks *t, struct pftrace_text text)
{
	return text.n ? (struct str){t->bytes.p + text.at, text.n} : (struct str){NULL, 0};
}
/* Whether the track above is a process with a name like "GPU 0". */
bool pftrace_tracks_on_gpu(const struct pftrace_tracks *t, uint32_t track);
void pftrace_tracks_free(struct pftrace_tracks *t);

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

/*
 * An event in the spool; its texts follow it in the order of the members n_*: name, categories, members of args, flows
 * (struct pftrace_flow), extra counters (struct pftrace_extra). A text is JSON; the members of args have no brackets.
 */
struct pftrace_entry {
	int64_t ts, dur, value;
	double real;
	uint64_t at; /* offset of the packet in the file */
	uint64_t n_name, n_cat, n_args, n_flows, n_extras;
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
	char dev[24], stream[24], id[24];
	struct buf text, pid, clock, src;
};

/* --- pftrace_packet.c --- */

/* Reads a packet; what it says is stored in *p. Damaged packets are reported and skipped. */
void pftrace_packet_read(struct pftrace *p, struct reader *r, struct str packet);

/* --- pftrace_args.c: annotations --- */

/* Appends the JSON of a text of the file; reports bytes that are not UTF-8. */
void pftrace_put_text(struct pftrace *p, struct reader *r, struct buf *b, struct str text);
/* Appends a text as a number if it is a whole decimal number, otherwise as a string. */
void pftrace_put_decimal(struct pftrace *p, struct reader *r, struct buf *b, struct str text);
/* Begins a member of args: a comma if necessary, the key as JSON, and the colon. */
void pftrace_put_key(struct pftrace *p, struct reader *r, struct str key);
/* Appends a DebugAnnotation to p->args. Returns false when it is damaged: w->fault. */
bool pftrace_annotation_put(
    struct pftrace *p, struct reader *r, const struct pftrace_sequence *s, struct str annotation, struct wire *w);

/* --- pftrace_event.c, pftrace_gpu.c: one event; they return false when it is damaged: w->fault --- */

bool pftrace_event_read(struct pftrace *p, struct reader *r, struct pftrace_sequence *s, struct str event,
    struct pftrace_entry *entry, struct wire *w);
bool pftrace_gpu_stage_read(struct pftrace *p, struct reader *r, struct pftrace_sequence *s, struct str event,
    struct pftrace_entry *entry, struct wire *w);
bool pftrace_gpu_counter_read(struct pftrace *p, struct reader *r, struct pftrace_sequence *s, struct str event,
    struct pftrace_entry *entry, struct wire *w);

/* Appends the entry and the texts in p->name ... to the spool. */
void pftrace_entry_add(struct pftrace *p, struct reader *r, struct pftrace_entry *entry);

/* --- pftrace_pairs.c, pftrace_record.c --- */

/* Pairs the begins and ends of all slices. */
void pftrace_pairs_find(struct pftrace *p, struct reader *r);

/* Makes the next record; returns false after the last one. */
bool pftrace_record_next(struct pftrace *p, struct reader *r, struct event *e);

/* Stops with a fault of the spool. */
void pftrace_fail(struct pftrace *p, struct reader *r, const struct fault *f);

#endif
