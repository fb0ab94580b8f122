/*
 * chrome_writer: event records as a Chrome trace: one JSON object, one event a line (the Trace Event Format; the
 * categories and args are those of PyTorch's Kineto, so that our own reader comes to the same records).
 */
#ifndef CHROME_WRITER_H
#define CHROME_WRITER_H

#include "record/event.h"

enum chrome_writer_flows { FLOWS_AUTO, FLOWS_ALWAYS, FLOWS_NEVER };

/* Writes a trace to `out`: chrome_writer_end() when all records were added. */
struct chrome_writer *chrome_writer_new(struct out *out, enum chrome_writer_flows flows);
void chrome_writer_free(struct chrome_writer *w);

/* For input.reads: reads all of the record that chrome_writer_add() gets next. */
void chrome_writer_read(void *writer, struct event *e);

/*
 * A record becomes an event: a file's metadata a member of the top-level object, which is kept when events have
 * been written. What events cannot say stands in their member `record`: standard members as they were, null for
 * none; `"record":null` is an event made for the viewer. args and src that are no objects become arguments.
 */
void chrome_writer_add(struct chrome_writer *w, struct event *e);

/* The names of rows that nothing has named, and all that is kept. */
void chrome_writer_end(struct chrome_writer *w);

/* Whether anything was written. */
bool chrome_writer_any(const struct chrome_writer *w);

struct chrome_writer_counts {
	uint64_t timeless; /* records without ts */
	uint64_t late;     /* events out of ts order, that may cross others of their thread */
	uint64_t crowded;  /* events that cross others in all lanes that a thread may have */
};
struct chrome_writer_counts chrome_writer_counts(const struct chrome_writer *w);

#endif
