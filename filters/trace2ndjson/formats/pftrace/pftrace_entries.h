/*
 * pftrace_entries: the events of a trace in a spool, in the order of the file, until the ends of slices, the clocks and
 * the names of tracks are known.
 */
#ifndef PFTRACE_ENTRIES_H
#define PFTRACE_ENTRIES_H

#include "io/spool.h"
#include "pftrace_tables.h"
#include "trace2ndjson/formats/format.h"

enum pftrace_type { PFTRACE_BEGIN = 1, PFTRACE_END = 2, PFTRACE_INSTANT = 3, PFTRACE_COUNTER = 4, PFTRACE_GPU = 5 };

/* The texts of an event: JSON, where args has no closing bracket; and lists of the structs below. */
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
	bool has_dur, has_legacy_id, has_lane, has_real;
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

/* A sequence: a writer, whose packets refer to what it sent before. */
struct pftrace_sequence {
	uint32_t id;
	bool valid;            /* its state was sent completely */
	uint64_t clock, track; /* the defaults */
	bool has_clock, has_track;
	struct buf extra;        /* the default tracks of extra counters: uint64_t[] */
	struct id_texts names;   /* see pftrace_names_add() */
	struct buf gpu_counters; /* the last descriptor of GPU counters outside interned data */
	struct pftrace_own_clock {
		uint64_t unit, sum;
		bool set, incremental;
	} clocks[64]; /* ids 64 to 127 */
};

/* Initialise it with pftrace_entries_init(). */
struct pftrace_entries {
	struct reader *reader;
	struct pftrace_clocks clocks;
	struct pftrace_tracks tracks;
	/* ends: for each begin, 1 + the offset of its end's entry; 0: it has no end */
	struct spool entries, slices, ends;
	uint64_t begins, n_slices, events;
	uint64_t at;                               /* offset of the packet that is being read */
	struct buf name, cat, args, flows, extras; /* the texts of the event that is being read */
	struct buf extra_values, extra_tracks;     /* its extra counters: uint64_t[] */
	char numbered[WIRE_NUMBERED];              /* a name of something that has none */
	struct pftrace_sequence *sequence;         /* its writer */
	struct wire damage;                        /* why it cannot be read */
	bool failed;
	bool cut; /* a part of the file is missing or damaged */
};

void pftrace_entries_init(struct pftrace_entries *p, struct reader *r);

/* Appends the entry and the texts in p->name ... */
void pftrace_entries_add(struct pftrace_entries *p, struct pftrace_entry *entry);

/* Stores the begin or end of a slice of p->sequence, and whether its track is shared, before its entry is added. */
void pftrace_entries_add_slice(struct pftrace_entries *p, const struct pftrace_entry *entry);

/* Reads the entry at an offset and its texts, which are views of the window or absent. Returns the size; 0: failure. */
size_t pftrace_entries_read(struct pftrace_entries *p, struct spool_window *w, uint64_t at, struct pftrace_entry *entry,
    struct str texts[PFTRACE_TEXTS]);

/* Stops with a fault of the spool. */
void pftrace_fail(struct pftrace_entries *p, const struct fault *f);

void pftrace_entries_free(struct pftrace_entries *p);

#endif
