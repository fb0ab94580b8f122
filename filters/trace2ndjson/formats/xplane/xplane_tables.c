#include "xplane_tables.h"

#include <stdlib.h>

/* --- the fields of a message in the file --- */

static int set_damage(struct xplane_scan *scan, const char *what)
{
	scan->why = what;
	return -1;
}

int xplane_scan_next(struct xplane_file *file, struct xplane_scan *scan, struct xplane_field *field)
{
	const uint64_t left = scan->end - scan->at;
	struct str head = {NULL, left < WIRE_HEAD_MAX ? (size_t)left : WIRE_HEAD_MAX};
	struct wire_field f;
	size_t size;
	int got;

	if (!left)
		return 0;
	head.p = spool_read(&file->bytes, &scan->window, scan->at, head.n, &file->fault);
	if (!head.p)
		return set_damage(scan, "file cannot be read");
	got = wire_head(head, &f, &size, &scan->why);
	if (got == 0 && scan->cut) {
		scan->at = scan->end;
		scan->inside = true;
		return 0;
	}
	if (got <= 0)
		return -1;
	*field = (struct xplane_field){.no = f.no, .type = f.type, .v = f.v, .at = scan->at + size, .n = f.bytes.n};
	if (f.type == WIRE_LEN && field->n > scan->end - field->at) {
		if (!scan->cut)
			return set_damage(scan, "length points past the end of its message");
		field->n = scan->end - field->at;
		field->cut = true;
	}
	scan->at = field->at + (f.type == WIRE_LEN ? field->n : 0);
	return 1;
}

void xplane_scan_begin(struct xplane_scan *scan, const struct xplane_field *field)
{
	scan->at = field->at;
	scan->end = field->at + field->n;
	scan->cut = field->cut;
}

struct str xplane_load(
    struct xplane_file *file, struct spool_window *window, const struct xplane_field *field, size_t max)
{
	struct str none = {NULL, 0};

	if (field->n > max)
		return none;
	if (!field->n)
		return STR("");
	none.p = spool_read(&file->bytes, window, field->at, (size_t)field->n, &file->fault);
	return none.p ? (struct str){none.p, (size_t)field->n} : none;
}

/* --- the names of a plane --- */

static struct str id_key(const uint64_t *id)
{
	return (struct str){(const char *)id, sizeof *id};
}

void xplane_tables_reset(struct xplane_tables *t)
{
	map_free(&t->event_ids);
	map_free(&t->stat_ids);
	t->event_ids = t->stat_ids = (struct map){0};
	t->bytes.n = 0;
}

void xplane_tables_free(struct xplane_tables *t)
{
	map_free(&t->event_ids);
	map_free(&t->stat_ids);
	free(t->events);
	free(t->stats);
	buf_free(&t->bytes);
	spool_window_free(&t->entry.window);
	spool_window_free(&t->value.window);
}

struct xplane_event_name *xplane_tables_event(const struct xplane_tables *t, uint64_t id)
{
	size_t i = map_find(&t->event_ids, id_key(&id));

	return i == MAP_NONE ? NULL : &t->events[i];
}

struct xplane_stat_name *xplane_tables_stat(const struct xplane_tables *t, uint64_t id)
{
	size_t i = map_find(&t->stat_ids, id_key(&id));

	return i == MAP_NONE ? NULL : &t->stats[i];
}

static struct xplane_text text_add(struct xplane_tables *t, struct str text)
{
	struct xplane_text at = {t->bytes.n, text.n, text.p != NULL};

	buf_add(&t->bytes, text.p, text.n);
	return at;
}

static enum xplane_role role_of(struct str name)
{
	static const char *const names[XPLANE_ROLES] = {
	    [XPLANE_OTHER] = "",
	    [XPLANE_CORRELATION] = "correlation_id",
	    [XPLANE_MEMCPY] = "memcpy_details",
	    [XPLANE_MEMSET] = "memset_details",
	    [XPLANE_KERNEL] = "kernel_details",
	    [XPLANE_HLO_OP] = "hlo_op",
	};
	enum xplane_role role;

	for (role = XPLANE_ROLES; --role > XPLANE_OTHER;) {
		if (str_eq(name, str_of(names[role])))
			break;
	}
	return role;
}

/* The parts of an entry. */
struct table_entry {
	uint64_t id;
	struct xplane_text name, display;
	struct buf stats;
};

/* Reads the value of an entry: XEventMetadata or XStatMetadata. Returns false when it is damaged or cut. */
static bool read_value(struct xplane_tables *t, struct xplane_file *file, struct reader *r,
    const struct xplane_field *value, bool with_stats, struct table_entry *entry)
{
	struct xplane_scan *scan = &t->value;
	struct xplane_field f;
	struct str text;
	int got;

	xplane_scan_begin(scan, value);
	while ((got = xplane_scan_next(file, scan, &f)) > 0) {
		if (f.type != WIRE_LEN || f.cut || (f.no != 2 && f.no != 4 && (f.no != 5 || !with_stats)))
			continue;
		text = xplane_load(file, &scan->window, &f, r->max_record);
		if (!text.p)
			break;
		if (f.no == 2)
			entry->name = text_add(t, text);
		if (f.no == 4)
			entry->display = text_add(t, text);
		if (f.no == 5) {
			buf_add(&entry->stats, &text.n, sizeof text.n);
			buf_add(&entry->stats, text.p, text.n);
		}
	}
	return got == 0 && !scan->cut;
}

/* Reads an entry {1 key, 2 value} of a map. */
static bool read_entry(struct xplane_tables *t, struct xplane_file *file, struct reader *r,
    const struct xplane_field *field, bool with_stats, struct table_entry *entry)
{
	struct xplane_field f;
	bool good = true;
	int got;

	xplane_scan_begin(&t->entry, field);
	while (good && (got = xplane_scan_next(file, &t->entry, &f)) > 0) {
		if (f.no == 1 && f.type == WIRE_VARINT)
			entry->id = f.v;
		if (f.no == 2 && f.type == WIRE_LEN)
			good = read_value(t, file, r, &f, with_stats, entry);
	}
	return good && got == 0 && !t->entry.cut;
}

void xplane_tables_add(struct xplane_tables *t, struct xplane_file *file, struct reader *r,
    const struct xplane_field *field, bool stats, bool only_name)
{
	struct table_entry entry = {0};
	size_t i;

	if (!read_entry(t, file, r, field, !stats && !only_name, &entry)) {
		if (!field->cut)
			reader_lost(r, "name of an event or stat is damaged or larger than --max-record; skipped", 0,
			    field->at);
	} else if (stats) {
		i = map_put(&t->stat_ids, id_key(&entry.id));
		t->stats = mem_grow(t->stats, &t->cap_stats, i + 1, sizeof *t->stats);
		t->stats[i] =
		    (struct xplane_stat_name){.name = entry.name, .role = role_of(xplane_tables_text(t, entry.name))};
	} else {
		i = map_put(&t->event_ids, id_key(&entry.id));
		t->events = mem_grow(t->events, &t->cap_events, i + 1, sizeof *t->events);
		t->events[i] = (struct xplane_event_name){.name = entry.name, .display = entry.display};
		t->events[i].stats = text_add(t, (struct str){entry.stats.p, entry.stats.n});
	}
	buf_free(&entry.stats);
}
