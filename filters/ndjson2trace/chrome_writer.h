/*
 * chrome_writer: writes event records as a Chrome trace: one JSON object with one event on each line. This is the Trace
 * Event Format, with the categories and args of PyTorch's Kineto. Our own reader gets the same records from it.
 */
#ifndef CHROME_WRITER_H
#define CHROME_WRITER_H

#include "record/event.h"

enum chrome_writer_flows { FLOWS_AUTO, FLOWS_ALWAYS, FLOWS_NEVER, FLOWS_COLLECTIVES };

/* Writes a trace to `out`; call chrome_writer_end() after all records were added. */
struct chrome_writer *chrome_writer_new(struct out *out, enum chrome_writer_flows flows);

void chrome_writer_free(struct chrome_writer *w);

/* Reads all members of the record that chrome_writer_add() gets next. The record is broken if a part is not JSON. */
void chrome_writer_read(struct chrome_writer *w, struct event *e);

/*
 * Writes the record that was read as an event. A record with metadata of a file becomes a member of the top-level
 * object; if events have already been written, this member is stored until the end. The member `record` of an event
 * contains what events cannot express: standard members are copied unchanged; null means that the record does not have
 * the member. `"record":null` marks an event that was made for the viewer. If args or src is not an object, it becomes
 * an argument of the event.
 */
void chrome_writer_add(struct chrome_writer *w, struct event *e);

struct chrome_writer_counts {
	uint64_t late;    /* number of events out of ts order; they can cross other events of their thread */
	uint64_t crowded; /* number of events that would cross other events in every lane that their thread can have */
	uint64_t collectives; /* number of collectives with arrows */
};

/* Writes names for the rows without a name, and writes everything that is still stored. */
struct chrome_writer_counts chrome_writer_end(struct chrome_writer *w);

/* Returns true if anything was written. */
bool chrome_writer_any(const struct chrome_writer *w);

#endif
