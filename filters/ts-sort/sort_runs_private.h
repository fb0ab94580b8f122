/* sort_runs_private: declares the temporary file of sort_runs, which sort_file.c writes and merges. */
#ifndef SORT_RUNS_PRIVATE_H
#define SORT_RUNS_PRIVATE_H

#include "base/mem.h"
#include "sort_runs.h"

/*
 * A record as it is stored in memory and in the file: this head, followed by the n bytes of the line, including its
 * newline.
 */
struct sort_runs_record {
	int64_t ts, dur;
	uint64_t n;
};

struct sort_file_run;

/*
 * A file of consecutive runs, each with its records in order. Zero-initialise; sort_file_begin() opens it,
 * sort_file_close() closes it.
 */
struct sort_file {
	bool open;
	int fd;
	struct sort_file_run *list;
	size_t n, cap;
	struct sort_runs_key last; /* the last key of the last run */
	uint64_t end;
	struct buf buffer; /* bytes to write to the file at `end` */
};

/*
 * Write a run: the records that are added between begin and end, in order; `first` and `last` are the keys of its first
 * and last record. If `first` does not come before the last key of the previous run, the new run is appended to that
 * run. All return false and set *f when the file cannot be created or written.
 */
bool sort_file_begin(struct sort_file *file, const struct sort_runs_key *first, struct fault *f);
bool sort_file_add(struct sort_file *file, const void *p, size_t n, struct fault *f);
bool sort_file_end(struct sort_file *file, const struct sort_runs_key *last, struct fault *f);

/*
 * Writes the lines of all runs (at least one) in order; records with equal keys are written in the order of their runs
 * in the file. room[0..size), at least SORT_RUNS_LEAST bytes, is the read buffer. Returns false and sets *f when a
 * temporary file fails; a failed write sets o->error.
 */
bool sort_file_merge(struct sort_file *file, char *room, size_t size, struct out *o, struct fault *f);

void sort_file_close(struct sort_file *file);

#endif
