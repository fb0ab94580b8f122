/* pftrace_tables: the data of a trace that its events refer to: texts with numbers, clocks, tracks. */
#ifndef PFTRACE_TABLES_H
#define PFTRACE_TABLES_H

#include "trace2ndjson/formats/id_texts.h"
#include "trace2ndjson/formats/protobuf/wire.h"

#define PFTRACE_NONE UINT32_MAX

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

/* Adds the messages of InternedData to the names of a sequence. Returns false when one is damaged: w->fault. */
bool pftrace_names_add(struct id_texts *names, struct str interned, struct wire *w);

/* Returns the message with this number, empty if unknown, or its text, field 2, whose p is NULL if unknown. */
struct str pftrace_names_message(const struct id_texts *names, enum pftrace_table table, uint64_t iid);
struct str pftrace_names_text(const struct id_texts *names, enum pftrace_table table, uint64_t iid);

struct pftrace_clocks {
	struct map keys; /* {sequence, id} of each clock; the sequence is 0 for the clocks of the whole trace */
	struct pftrace_clock {
		uint64_t unit;   /* number of ns */
		bool used, read; /* by an event; in a snapshot */
		/* after pftrace_clocks_end(): how to convert to the main clock */
		bool main;
		struct pftrace_shift {
			int64_t from, add; /* for times from `from` on */
		} * shifts;
		size_t n_shifts, cap_shifts;
		int64_t first_add; /* for times before all shifts */
		unsigned pass;     /* of pftrace_clocks_end(), from 1 on: the one that added the shifts; 0: none did */
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

struct pftrace_track {
	struct str name, process_name, thread_name; /* the last name; the first ones; views of the table's texts */
	uint32_t parent;                            /* PFTRACE_NONE: no parent */
	int32_t process;
	int64_t thread_pid, thread;
	bool has_process, has_thread, adds_up;
	int64_t multiplier;
	int64_t sum, extra_sum; /* of a counter that adds up: its value, as a track and as an extra counter */
	uint32_t sequence;      /* the sequence that writes slices on it; PFTRACE_NONE: none yet */
	bool shared;            /* several sequences write slices on it */
	/* set by pftrace_tracks_place() */
	bool placed;
	struct str pid, tid, sub; /* JSON; p is NULL if absent. sub: the name of a track below a thread */
};

struct pftrace_tracks {
	struct map uuids;
	struct pftrace_track *list;
	size_t cap;
	struct map texts;
	uint32_t *named; /* the tracks of processes and threads with a name, in the order of their descriptors */
	size_t n_named, cap_named;
};

uint32_t pftrace_tracks_at(struct pftrace_tracks *t, uint64_t uuid);

uint64_t pftrace_tracks_uuid(const struct pftrace_tracks *t, uint32_t track);

/* Reads a TrackDescriptor. Returns false when it is damaged: w->fault. */
bool pftrace_tracks_describe(struct pftrace_tracks *t, struct str descriptor, struct wire *w);

/* Sets the place of the events on a track; all descriptors must have been read. */
struct pftrace_track *pftrace_tracks_place(struct pftrace_tracks *t, uint32_t track);

/* Whether the track above is a process with a name like "GPU 0". */
bool pftrace_tracks_on_gpu(const struct pftrace_tracks *t, uint32_t track);

void pftrace_tracks_free(struct pftrace_tracks *t);

#endif
