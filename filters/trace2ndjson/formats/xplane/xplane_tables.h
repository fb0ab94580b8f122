/*
 * xplane_tables: reads the messages of a profile, which may be larger than the memory, through windows (io/spool);
 * the names of a plane, and the stats that refer to them.
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

/* Reads the next field. Returns 1; 0 at the end; -1 when it cannot: scan->why is the reason, scan->at the place. */
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
	XPLANE_HLO,
	XPLANE_ROLES
};

/* The names of events and those of stats have ids of their own. */
enum xplane_table { XPLANE_EVENTS, XPLANE_STATS, XPLANE_TABLES };

struct xplane_tables {
	struct map ids[XPLANE_TABLES];
	struct xplane_name {
		struct str name, display; /* p of `display` is NULL if it is absent */
		struct str stats;         /* of an event: messages, each preceded by its size_t length */
		enum xplane_role role;    /* of a stat */
		size_t last;              /* of a stat: its last number among the stats of an event */
	} * names[XPLANE_TABLES];
	size_t cap[XPLANE_TABLES];
	struct map texts;                /* the texts of all names */
	struct xplane_scan entry, value; /* the parts of a table that are being read */
};

void xplane_tables_reset(struct xplane_tables *t);
void xplane_tables_free(struct xplane_tables *t);
/* Returns the name with this id, or NULL. */
struct xplane_name *xplane_tables_find(const struct xplane_tables *t, enum xplane_table table, uint64_t id);

/* Adds an entry of a table, `with_stats` of an event or without. A damaged or cut entry is left out and reported. */
void xplane_tables_add(struct xplane_tables *t, struct xplane_file *file, struct reader *r,
    const struct xplane_field *entry, enum xplane_table table, bool with_stats);

/* --- stats: a stat has the number of its name, and a value of any type --- */

/* The values of stats that set members of records: p is NULL for absent ones. */
struct xplane_values {
	struct str text[XPLANE_ROLES];
	bool has_correlation;
	int64_t correlation;
};

/* The stats of an event or plane: those that its name has, and the fields `no` of its message, which replace these. */
struct xplane_stats {
	struct str shared; /* in the form of struct xplane_name */
	struct wire own;
	uint32_t no;
};

/* Appends the stats to args; `at` is the place for messages. Returns false when one is damaged. */
bool xplane_stats_put(const struct xplane_tables *t, struct reader *r, uint64_t at, struct xplane_stats stats,
    struct buf *args, struct xplane_values *values);

#endif
