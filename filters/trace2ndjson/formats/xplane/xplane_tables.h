/*
 * xplane_tables: reads the messages of a profile, which may be larger than the memory, through windows (io/spool);
 * the names of a plane.
 */
#ifndef XPLANE_TABLES_H
#define XPLANE_TABLES_H

#include "base/map.h"
#include "trace2ndjson/formats/protobuf/wire.h"
#include "io/spool.h"

struct xplane_file {
	struct spool bytes;
	struct fault fault; /* the file cannot be read */
};

/* A message that is being read. */
struct xplane_scan {
	uint64_t at, end;
	bool cut;        /* the file ends inside this message */
	bool inside;     /* the message ended inside a field, as far as it was read */
	const char *why; /* why the message cannot be read any further */
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
 * Reads the next field. Returns 1; 0 at the end; -1 when the message is damaged or the file cannot be read: scan->why
 * is the reason, scan->at the place.
 */
int xplane_scan_next(struct xplane_file *file, struct xplane_scan *scan, struct xplane_field *field);

/* Begins to read a message inside another one. */
void xplane_scan_begin(struct xplane_scan *scan, const struct xplane_field *field);

/* Loads the content of a field. p is NULL if that fails or the field is larger than `max`. */
struct str xplane_load(
    struct xplane_file *file, struct spool_window *window, const struct xplane_field *field, size_t max);

/* --- the names of a plane --- */

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
	struct xplane_scan entry, value; /* the parts of a table that are being read */
};

void xplane_tables_reset(struct xplane_tables *t);
void xplane_tables_free(struct xplane_tables *t);
/* Returns the entry with this id, or NULL. */
struct xplane_event_name *xplane_tables_event(const struct xplane_tables *t, uint64_t id);
struct xplane_stat_name *xplane_tables_stat(const struct xplane_tables *t, uint64_t id);
static inline struct str xplane_tables_text(const struct xplane_tables *t, struct xplane_text text)
{
	return text.n ? (struct str){t->bytes.p + text.at, text.n} : STR("");
}

/*
 * Adds an entry of the tables: `stats`: of the names of stats, otherwise of events. `only_name`: without the stats of
 * the event. A damaged or cut entry is left out and reported.
 */
void xplane_tables_add(struct xplane_tables *t, struct xplane_file *file, struct reader *r,
    const struct xplane_field *entry, bool stats, bool only_name);

#endif
