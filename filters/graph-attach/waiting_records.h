/*
 * waiting_records: records in input order that wait until the launches before them are decided. Up to
 * WAITING_RECORDS_MEMORY bytes are in memory, the rest is in a temporary file.
 *
 * The kernels of a launch mostly have the same text about their stream and their call, which is more than half of a
 * record, and the same args at their end. These texts are stored once, with the first of them.
 */
#ifndef WAITING_RECORDS_H
#define WAITING_RECORDS_H

#include "base/fault.h"
#include "io/spool.h"

enum { WAITING_RECORDS_MEMORY = 32 << 20 };

/* A record that waits, and for a kernel of a launch, what is known of it. */
struct waiting_record {
	uint64_t launch; /* its launch, or LAUNCHES_NONE */
	int64_t dur;
	uint32_t place;      /* in the launch */
	uint32_t annotation; /* or CAPTURES_NONE */
	uint32_t has;        /* bit i: the record has member i of those that graph-attach adds */
	uint32_t at;         /* offset in the text for new members, 0 if it is not known */
	uint32_t shared_at;  /* offset of the shared text */
	uint32_t shared_n;   /* length of the shared text, 0 without one */
	uint32_t tail_n;     /* length of the shared text at the end, 0 without one */
	uint32_t n;          /* private: length of the text that is stored */
	bool same;           /* the shared texts are those of the last record added without this */
	bool of_graph;       /* the record is of the launch of a graph */
};

/* Initialise with waiting_records_init(). */
struct waiting_records {
	/* private */
	struct buf first; /* the oldest records; from is the offset of the first one that was not taken */
	size_t from;
	struct spool rest;
	uint64_t rest_from;
	struct spool_window window;
	struct buf shared, tail; /* the shared texts of the last record taken that is not `same` and has them */
	struct buf text;         /* the text of the last record taken, if its shared texts are not stored with it */
};

void waiting_records_init(struct waiting_records *w);

static inline bool waiting_records_any(const struct waiting_records *w)
{
	return w->from < w->first.n || w->rest_from < w->rest.size;
}

/* These functions return false, with *f set, if the temporary file fails. */
bool waiting_records_add(struct waiting_records *w, struct waiting_record record, struct str text, struct fault *f);

/* Gets what is known of the oldest record, of which there must be one. */
bool waiting_records_oldest(struct waiting_records *w, struct waiting_record *record, struct fault *f);

/*
 * Removes the oldest record, which waiting_records_oldest() returned, and gets its text. The text is followed by
 * SCAN_PAD readable bytes and is valid until the next call of a function.
 */
bool waiting_records_take(
    struct waiting_records *w, const struct waiting_record *record, struct str *text, struct fault *f);

void waiting_records_free(struct waiting_records *w);

#endif
