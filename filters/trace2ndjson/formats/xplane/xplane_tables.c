#include "xplane_tables.h"

#include "json/string.h"
#include "json/write.h"

/* --- the fields of a message in the file --- */

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
	if (!head.p) {
		scan->why = "file cannot be read";
		return -1;
	}
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
		if (!scan->cut) {
			scan->why = "length points past the end of its message";
			return -1;
		}
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
	maps_free(&t->ids[XPLANE_EVENTS], &t->ids[XPLANE_STATS], &t->texts);
}

void xplane_tables_free(struct xplane_tables *t)
{
	xplane_tables_reset(t);
	mem_free(t->names[XPLANE_EVENTS], t->names[XPLANE_STATS]);
	spool_window_free(&t->entry.window);
	spool_window_free(&t->value.window);
}

struct xplane_name *xplane_tables_find(const struct xplane_tables *t, enum xplane_table table, uint64_t id)
{
	const size_t i = map_find(&t->ids[table], id_key(&id));

	return i == MAP_NONE ? NULL : &t->names[table][i];
}

static struct str text_add(struct xplane_tables *t, struct str text)
{
	return text.n ? map_key(&t->texts, map_put(&t->texts, text)) : STR("");
}

/* Reads XEventMetadata or XStatMetadata; appends its stats to *stats. Returns false when it is damaged or cut. */
static bool read_value(struct xplane_tables *t, struct xplane_file *file, size_t max, const struct xplane_field *value,
    struct xplane_name *name, struct buf *stats)
{
	struct xplane_scan *scan = &t->value;
	struct xplane_field f;
	struct str text;
	int got;

	xplane_scan_begin(scan, value);
	while ((got = xplane_scan_next(file, scan, &f)) > 0) {
		if (f.type != WIRE_LEN || f.cut || (f.no != 2 && f.no != 4 && (f.no != 5 || !stats)))
			continue;
		text = xplane_load(file, &scan->window, &f, max);
		if (!text.p)
			break;
		if (f.no == 2) {
			name->name = text_add(t, text);
		} else if (f.no == 4) {
			name->display = text_add(t, text);
		} else {
			buf_add(stats, &text.n, sizeof text.n);
			buf_add(stats, text.p, text.n);
		}
	}
	return got == 0 && !scan->cut;
}

void xplane_tables_add(struct xplane_tables *t, struct xplane_file *file, struct reader *r,
    const struct xplane_field *entry, enum xplane_table table, bool with_stats)
{
	static const char *const roles[XPLANE_ROLES] = {
	    "", "correlation_id", "memcpy_details", "memset_details", "kernel_details", "hlo_op"};
	struct xplane_name name = {.name = STR(""), .role = XPLANE_OTHER};
	enum xplane_role role;
	struct buf stats = {0};
	struct xplane_field f;
	uint64_t id = 0;
	bool good = true;
	int got = 0;
	size_t i;

	/* an entry {1 key, 2 value} of a map */
	xplane_scan_begin(&t->entry, entry);
	while (good && (got = xplane_scan_next(file, &t->entry, &f)) > 0) {
		if (f.no == 1 && f.type == WIRE_VARINT)
			id = f.v;
		if (f.no == 2 && f.type == WIRE_LEN)
			good = read_value(t, file, r->max_record, &f, &name, with_stats ? &stats : NULL);
	}
	if (good && got == 0 && !t->entry.cut) {
		name.stats = text_add(t, buf_str(&stats));
		for (role = XPLANE_OTHER + 1; role < XPLANE_ROLES && table == XPLANE_STATS; role++) {
			if (str_eq(name.name, str_of(roles[role])))
				name.role = role;
		}
		i = map_put(&t->ids[table], id_key(&id));
		t->names[table] = mem_grow(t->names[table], &t->cap[table], i + 1, sizeof name);
		t->names[table][i] = name;
	} else if (!entry->cut) {
		reader_lost(
		    r, "name of an event or stat is damaged or larger than --max-record; skipped", 0, entry->at);
	}
	buf_free(&stats);
}

/* --- stats --- */

/* A stat: {1 metadata_id, 2 double, 3 uint64, 4 int64, 5 text, 6 bytes, 7 reference}. */
static bool read_stat(struct str message, uint64_t *id, struct wire_field *value)
{
	struct wire w = wire_of(message);
	struct wire_field f;

	*id = 0;
	*value = (struct wire_field){0};
	while (wire_next(&w, &f) > 0) {
		if (f.no == 1 && f.type == WIRE_VARINT)
			*id = f.v;
		else if (f.no >= 2 && f.no <= 7)
			*value = f;
	}
	return !w.fault;
}

/* Appends the value, unless it is a text; returns the text, or p == NULL. */
static struct str put_stat_value(const struct xplane_tables *t, struct buf *args, const struct wire_field *value)
{
	const struct xplane_name *name;
	char number[WIRE_NUMBERED];

	switch (value->no << 3 | value->type) {
	case 2 << 3 | WIRE_FIXED64:
		json_put_double(args, wire_double(value->v));
		break;
	case 3 << 3 | WIRE_VARINT:
		num_add_u64(args, value->v);
		break;
	case 4 << 3 | WIRE_VARINT:
		num_add_i64(args, (int64_t)value->v);
		break;
	case 5 << 3 | WIRE_LEN:
		return value->bytes;
	case 6 << 3 | WIRE_LEN:
		buf_lit(args, "{\"bytes\":");
		num_add_u64(args, value->bytes.n);
		buf_char(args, '}');
		break;
	case 7 << 3 | WIRE_VARINT:
		name = xplane_tables_find(t, XPLANE_STATS, value->v);
		if (name)
			return name->name;
		json_quote(args, wire_numbered(number, "#", value->v));
		break;
	default:
		buf_char(args, '0');
	}
	return (struct str){NULL, 0};
}

/* Gets the next stat, first the shared ones; false after the last one. */
static bool next_stat(struct xplane_stats *s, struct str *message)
{
	size_t n;

	if (!s->shared.n)
		return wire_next_message(&s->own, s->no, message);
	memcpy(&n, s->shared.p, sizeof n);
	*message = (struct str){s->shared.p + sizeof n, n};
	s->shared = str_from(s->shared, sizeof n + n);
	return true;
}

bool xplane_stats_put(const struct xplane_tables *t, struct reader *r, uint64_t at, struct xplane_stats stats,
    struct buf *args, struct xplane_values *values)
{
	struct xplane_stats rest = stats;
	char number[WIRE_NUMBERED];
	struct xplane_name *name;
	struct wire_field value;
	struct str stat, text;
	uint64_t id;
	size_t i;

	memset(values, 0, sizeof *values);
	/* If several stats have the same name, the last one counts. */
	for (i = 0; next_stat(&rest, &stat); i++) {
		if (!read_stat(stat, &id, &value))
			return false;
		name = xplane_tables_find(t, XPLANE_STATS, id);
		if (name)
			name->last = i;
	}
	for (i = 0; next_stat(&stats, &stat); i++) {
		read_stat(stat, &id, &value);
		name = xplane_tables_find(t, XPLANE_STATS, id);
		if (name && name->last != i)
			continue;
		wire_put_name(r, at, args, name ? name->name : wire_numbered(number, "stat ", id));
		text = put_stat_value(t, args, &value);
		if (text.p)
			wire_put_text(r, at, args, text);
		if (name && name->role != XPLANE_OTHER)
			values->text[name->role] = text.p ? text : STR("");
		if (name && name->role == XPLANE_CORRELATION && value.type == WIRE_VARINT) {
			values->has_correlation = true;
			values->correlation = (int64_t)value.v;
		}
	}
	return true;
}
