/* xplane_event: makes the records of the events of a plane. */
#ifndef XPLANE_EVENT_H
#define XPLANE_EVENT_H

#include "trace2ndjson/formats/draft.h"
#include "xplane_tables.h"

/* Zero-initialise; xplane_records_free(). */
struct xplane_records {
	struct xplane_tables tables;
	/* the plane */
	struct buf plane_json; /* its name */
	bool is_device, has_dev;
	int64_t dev;
	/* the line */
	struct buf line_name;
	int64_t line_id, line_ns, stream;
	bool has_stream;
	/* the last record */
	uint64_t events; /* number of events so far */
	uint64_t at;     /* offset of the event */
	struct draft draft;
	struct buf room; /* the name of an event without a name */
};

/* The values of stats that set members of records: p is NULL for absent ones. */
struct xplane_values {
	struct str text[XPLANE_ROLES];
	bool has_correlation;
	int64_t correlation;
};

/*
 * Appends stats to x->draft.args: those of `shared`, the messages of an event's name, and those of the fields `no` of
 * `message`, which replace shared ones. Returns false when a stat is damaged.
 */
bool xplane_stats_put(struct xplane_records *x, struct reader *r, struct str shared, struct str message, uint32_t no,
    struct xplane_values *values);

/* Makes the record of an event of the current line; returns false if it has no record. */
bool xplane_event_record(struct xplane_records *x, struct reader *r, struct str event, struct event *e);

void xplane_records_free(struct xplane_records *x);

#endif
