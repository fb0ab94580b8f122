/*
 * step_log: what a trace says about steps, in temporary files: its marks and its device records, in ts order. It is
 * read again when it is known which marks count.
 */
#ifndef STEP_LOG_H
#define STEP_LOG_H

#include "io/spool.h"
#include "record/event.h"
#include "record/places.h"
#include "record/step_mark.h"

/* A mark. Its name, as JSON, follows it in the file. */
struct logged_mark {
	int64_t ts, end;
	uint32_t process, thread; /* numbers of places */
	uint32_t name_n;
	struct step_mark mark;
};

/* A kernel, copy or set. */
struct logged_work {
	int64_t ts, end;
	int64_t call, corr;     /* the start of its call and the correlation id, or -1 */
	uint64_t name;          /* a hash of its name; all copies have one, and all sets */
	uint32_t process, rank; /* `process` is that of its call */
	bool called;            /* its call is known */
	bool graph;             /* the call launched a graph */
};

/* step_log_init(). The functions exit if a temporary file cannot be written or read. */
struct step_log {
	uint64_t n_work;
	uint64_t unmatched, unmatched_time; /* device records whose call is unknown; the sum of their durations */
	int64_t lag;                        /* the longest time from a call to the start of its work */
	struct places ranks, processes;     /* the values of a process are its rank and pid */
	uint32_t *rank_of; /* by process: the number of its rank. A process has marks, or calls of device records. */
	/* private */
	struct places threads;
	size_t cap_processes;
	struct spool marks, work;
	struct spool_window work_window;
	struct buf known_api; /* the last call, as JSON: the next record mostly has the same one */
	struct logged_work known;
};

void step_log_init(struct step_log *l);

/* Adds a range whose name is a mark. */
void step_log_add_mark(struct step_log *l, struct event *e, const struct step_mark *mark);

/* Adds a device record. */
void step_log_add_work(struct step_log *l, struct event *e, enum event_kind kind);

/*
 * Reads the mark at the offset *at, and moves *at to the next one; returns false after the last one. *name is JSON,
 * valid until the next call with the same window.
 */
bool step_log_mark(
    struct step_log *l, struct spool_window *window, uint64_t *at, struct logged_mark *mark, struct str *name);

/* Reads the device record i < n_work. */
void step_log_work(struct step_log *l, uint64_t i, struct logged_work *work);

void step_log_free(struct step_log *l);

#endif
