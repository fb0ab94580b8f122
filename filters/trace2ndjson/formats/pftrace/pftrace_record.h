/* pftrace_record: makes the records from the entries in the spool, in the order of the file. */
#ifndef PFTRACE_RECORD_H
#define PFTRACE_RECORD_H

#include "pftrace_entries.h"
#include "trace2ndjson/formats/draft.h"

/* Zero-initialise, and set `in`. */
struct pftrace_records {
	struct pftrace_entries *in;
	/* private */
	size_t told; /* number of names of processes and threads that were written */
	uint64_t next_entry, next_begin;
	struct spool_window entry_window, end_window, number_window;
	struct map flow_ids; /* id / 64 */
	uint64_t *flow_bits; /* for each of them: which of the 64 ids began */
	size_t cap_flows;
	struct buf rest; /* flows that follow the last record */
	size_t next_flow;
	struct event last; /* the record with these flows */
	struct buf clock, src;
};

/* Makes the next record; returns false after the last one. */
bool pftrace_record_next(struct pftrace_records *p, struct event *e);

void pftrace_records_free(struct pftrace_records *p);

#endif
