/* sort_runs_private: the temporary file of sort_runs, which sort_file.c writes and merges. */
#ifndef SORT_RUNS_PRIVATE_H
#define SORT_RUNS_PRIVATE_H

#include "base/mem.h"
#include "sort_runs.h"

/* A record as it is kept, in memory and in the file: this, then n bytes of line, its newline among them. */
struct sort_runs_record {
	int64_t ts, dur;
	uint64_t n;
};

struct sort_file_run;

/* Runs, which are records in order, one behind the other. Zero-initialise, sort_file_begin() opens it; sort_file_close() it. */
struct sort_file {
	bool open;
	int fd;
	struct sort_file_run *list;
	size_t n, cap;
	struct sort_runs_key last;  /* of the last run */
	uint64_t end;
	struct buf buffer; /* what comes behind `end` */
};

/*
 * A run: what is added between begin and end, in order, `first` and `last` being the ends of it. One that
 * does not come before the run in front of it becomes part of that. All are false, with *f, when the file
 * cannot be made or written.
 */
bool sort_file_begin(struct sort_file *file, const struct sort_runs_key *first, struct fault *f);
bool sort_file_add(struct sort_file *file, const void *p, size_t n, struct fault *f);
bool sort_file_end(struct sort_file *file, const struct sort_runs_key *last, struct fault *f);

/*
 * Writes the lines of all runs (at least one) in order; runs that come first in the file go first where
 * records are equal. room[0..size), at least SORT_RUNS_LEAST, is used for reading. False and *f when a temporary
 * file failed; a failed write is left in o->error.
 */
bool sort_file_merge(struct sort_file *file, char *room, size_t size, struct out *o, struct fault *f);

void sort_file_close(struct sort_file *file);

#endif
