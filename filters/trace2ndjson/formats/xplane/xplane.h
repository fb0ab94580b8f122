/*
 * xplane: the functions and types that the files of the reader of XLA's profiles share.
 *
 * A profile is a message XSpace with planes (devices, hosts), in them lines (streams, threads), in them events. Names
 * follow their uses, and planes can be larger than the memory. So the file is read through windows (io/spool),
 * first the tables of a plane and then its lines.
 */
#ifndef XPLANE_H
#define XPLANE_H

#include "base/int_math.h"
#include "base/map.h"
#include "trace2ndjson/formats/draft.h"
#include "trace2ndjson/formats/protobuf/wire.h"
#include "io/spool.h"

/* --- xplane_tables.c: reads the fields of a message in the file --- */

struct xplane_file {
	struct spool bytes;
	struct fault fault; /* the file cannot be read */
};

/* A message that is being read. */
struct xplane_scan {
	uint64_t at, end;
	bool cut;    /* the file ends inside this message */
	bool inside; /* the message ended inside a field, as far as it was read */
	struct spool_window window;
};

struct xplane_field {
	uint32_t no;
	enum wire_type type;
	uint64_t v;     /* the value of a number */
	uint64_t at, n; /* WIRE_LEN: the content; when it is cut, the part that the file has */
	bool cut;
};

/*
 * Reads the next field. Returns 1; 0 at the end; -1 when the message is damaged or the file cannot be read: *why is the
 * reason, scan->at the place.
 */
int xplane_scan_next(struct xplane_file *file, struct xplane_scan *scan, struct xplane_field *field, const char **why);

/* Begins to read a message inside another one. */
void xplane_scan_begin(struct xplane_scan *scan, const struct xplane_field *field);

/* Loads the content of a field. p is NULL if that fails or the field is larger than `max`. */
struct str xplane_load(
    struct xplane_file *file, struct spool_window *window, const struct xplane_field *field, size_t max);

/* --- xplane_tables.c: the names of a plane --- */

/* The stats that set members of records. */
enum xplane_role {
	XPLANE_OTHER,
	XPLANE_CORRELATION,
	XPLANE_MEMCPY,
	XPLANE_MEMSET,
	XPLANE_KERNEL,
	XPLANE_HLO_OP,
	XPLANE_ROLES
};

struct xplane_text { /* a part of xplane_tables.bytes; `has` is false if it is absent */
	size_t at, n;
	bool has;
};

struct xplane_tables {
	struct map event_ids, stat_ids;
	struct xplane_event_name {
		struct xplane_text name, display, stats; /* stats: the messages, each preceded by its size_t length */
	} * events;
	struct xplane_stat_name {
		struct xplane_text name;
		enum xplane_role role;
		uint64_t event; /* the last event with this stat, and its number among the stats of the event */
		size_t last;
	} * stats;
	size_t cap_events, cap_stats;
	struct buf bytes;
};

void xplane_tables_reset(struct xplane_tables *t);
void xplane_tables_free(struct xplane_tables *t);
/* Returns the entry with this id, or NULL. */
struct xplane_event_name *xplane_tables_event(const struct xplane_tables *t, uint64_t id);
struct xplane_stat_name *xplane_tables_stat(const struct xplane_tables *t, uint64_t id);
static inline struct str xplane_tables_text(const struct xplane_tables *t, struct xplane_text text)
{
	return text.has ? (struct str){t->bytes.p ? t->bytes.p + text.at : "", text.n} : (struct str){NULL, 0};
}

struct xplane;

/*
 * Adds an entry of the tables: `stats`: of the names of stats, otherwise of events. `only_name`: without the stats of
 * the event. A damaged or cut entry is left out and reported.
 */
void xplane_tables_add(
    struct xplane *x, struct reader *r, const struct xplane_field *entry, bool stats, bool only_name);

/* The values of stats that set members of records: p is NULL for absent ones. */
struct xplane_values {
	struct str text[XPLANE_ROLES];
	bool has_correlation;
	int64_t correlation;
};

/*
 * Appends stats to x->args: those of `shared`, the messages of an event's name, and those of the fields `no` of
 * `message`, which replace shared ones. Returns false when a stat is damaged.
 */
bool xplane_stats_put(struct xplane *x, struct reader *r, struct str shared, struct str message, uint32_t no,
    struct xplane_values *values);

/* --- xplane.c: the reader's state --- */

struct xplane {
	struct xplane_file file;
	struct xplane_scan top, plane, line;
	struct spool_window window, entry_window;
	struct xplane_tables tables;
	enum { XPLANE_HOSTNAMES, XPLANE_ERRORS, XPLANE_WARNINGS, XPLANE_PLANES, XPLANE_END } step;
	bool in_plane, in_line;
	/* the plane */
	struct buf plane_name, plane_json;
	bool is_device, is_metadata, has_dev;
	int64_t dev;
	size_t next_module;
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

/* --- xplane_event.c --- */

/* Makes the record of an event of the current line; returns false if it has no record. */
bool xplane_event_record(struct xplane *x, struct reader *r, struct str event, struct event *e);

#endif
