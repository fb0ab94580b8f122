#include "xplane_event.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "json/string.h"
#include "json/write.h"
#include "trace2ndjson/formats/copy_direction.h"

/* --- stats: a stat has the number of its name, and a value of any type --- */

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

/* Appends the value; a text is also stored in *values if it sets a member. */
static void put_stat(struct xplane_records *x, struct reader *r, enum xplane_role role, const struct wire_field *value,
    struct xplane_values *values)
{
	const struct xplane_stat_name *name;
	struct str text = {NULL, 0};
	char number[WIRE_NUMBERED];

	switch (value->no << 3 | value->type) {
	case 2 << 3 | WIRE_FIXED64:
		wire_put_double(&x->draft.args, wire_double(value->v));
		break;
	case 3 << 3 | WIRE_VARINT:
		wire_put_uint(&x->draft.args, value->v);
		break;
	case 4 << 3 | WIRE_VARINT:
		wire_put_int(&x->draft.args, (int64_t)value->v);
		break;
	case 5 << 3 | WIRE_LEN:
		text = value->bytes;
		break;
	case 6 << 3 | WIRE_LEN:
		buf_lit(&x->draft.args, "{\"bytes\":");
		wire_put_uint(&x->draft.args, value->bytes.n);
		buf_char(&x->draft.args, '}');
		break;
	case 7 << 3 | WIRE_VARINT:
		name = xplane_tables_stat(&x->tables, value->v);
		if (name)
			text = xplane_tables_text(&x->tables, name->name);
		else
			json_quote(&x->draft.args, wire_numbered(number, "#", value->v));
		break;
	default:
		buf_char(&x->draft.args, '0');
	}
	if (text.p)
		wire_put_text(r, x->at, &x->draft.args, text);
	if (role != XPLANE_OTHER)
		values->text[role] = text.p ? text : STR("");
	if (role == XPLANE_CORRELATION && value->type == WIRE_VARINT) {
		values->has_correlation = true;
		values->correlation = (int64_t)value->v;
	}
}

/* The position in a list of stats. */
struct stat_list {
	struct str shared;
	struct wire own;
	uint32_t no;
};

/* Gets the next stat, first the shared ones; false after the last one. */
static bool next_stat(struct stat_list *s, struct str *message)
{
	size_t n;

	if (!s->shared.n)
		return wire_next_message(&s->own, s->no, message);
	memcpy(&n, s->shared.p, sizeof n);
	*message = (struct str){s->shared.p + sizeof n, n};
	s->shared = str_from(s->shared, sizeof n + n);
	return true;
}

bool xplane_stats_put(struct xplane_records *x, struct reader *r, struct str shared, struct str message, uint32_t no,
    struct xplane_values *values)
{
	const struct stat_list all = {shared, wire_of(message), no};
	struct xplane_stat_name *name;
	struct wire_field value;
	struct stat_list s = all;
	char number[WIRE_NUMBERED];
	struct str stat;
	uint64_t id;
	size_t i;

	memset(values, 0, sizeof *values);
	/* If several stats have the same name, the last one counts. */
	x->events++;
	for (i = 0; next_stat(&s, &stat); i++) {
		if (!read_stat(stat, &id, &value))
			return false;
		name = xplane_tables_stat(&x->tables, id);
		if (name) {
			name->event = x->events;
			name->last = i;
		}
	}
	s = all;
	for (i = 0; next_stat(&s, &stat); i++) {
		read_stat(stat, &id, &value);
		name = xplane_tables_stat(&x->tables, id);
		if (name && name->last != i)
			continue;
		wire_put_name(r, x->at, &x->draft.args,
		    name ? xplane_tables_text(&x->tables, name->name) : wire_numbered(number, "stat ", id));
		put_stat(x, r, name ? name->role : XPLANE_OTHER, &value, values);
	}
	return true;
}

/* --- events --- */

enum { PS_PER_NS = 1000 };

/* The fields of an XEvent; the times are in ps. */
enum { ID, OFFSET, DURATION, OCCURRENCES, N_FIELDS };
static const struct wire_want event_fields[] = {
    {1, WIRE_VARINT}, {2, WIRE_VARINT}, {3, WIRE_VARINT}, {5, WIRE_VARINT}, {0}};

/* Returns ps as ns, rounded down. */
static int128 ns_of(int128 ps)
{
	return ps / PS_PER_NS - (ps % PS_PER_NS < 0);
}

static void put_ps(struct xplane_records *x, const char *key, int128 ps)
{
	char *to;

	json_write_key(&x->draft.args, key);
	to = buf_room(&x->draft.args, NUM_ROOM);
	x->draft.args.n += (size_t)(num_put_i128(to, ps) - to);
}

/* Sets ts and dur, and the exact times if they are not whole ns. Returns false when they do not fit in 64 bits. */
static bool set_event_times(struct xplane_records *x, struct event *e, const struct wire_field *f)
{
	const int128 start = (int128)x->line_ns * PS_PER_NS + (int64_t)f[OFFSET].v;
	const int64_t length = (int64_t)f[DURATION].v;
	const int128 ts = ns_of(start), dur = ns_of(start + length) - ts;

	if (ts != (int64_t)ts || dur != (int64_t)dur)
		return false;
	event_set_ts(e, (int64_t)ts);
	event_set_dur(e, (int64_t)dur);
	if (start % PS_PER_NS || length % PS_PER_NS) {
		put_ps(x, "start_ps", start);
		put_ps(x, "duration_ps", length);
	}
	return true;
}

/* --- details: texts like "grid:1280,1,1 block:256,1,1 size:4096" --- */

/* Takes a number from the start of *text. */
static bool read_number(struct str *text, struct str *number)
{
	*number = str_first(*text, is_digit);
	*text = str_from(*text, number->n);
	return number->n > 0;
}

/* Finds `key`, followed by three numbers, in *text, and appends them as a list. Moves *text to the text after them. */
static bool read_list(struct buf *b, struct str *text, struct str key)
{
	struct str number, rest = str_from(*text, str_find(*text, key));
	int i;

	if (!rest.n)
		return false;
	rest = str_from(rest, key.n);
	for (i = 0; i < 3; i++) {
		if ((i && !str_starts(rest, STR(","))) || (i && !(rest = str_from(rest, 1)).n) ||
		    !read_number(&rest, &number))
			return false;
		while (number.n > 1 && number.p[0] == '0') /* JSON has no leading zeros */
			number = str_from(number, 1);
		buf_char(b, i ? ',' : '[');
		buf_add(b, number.p, number.n);
	}
	buf_char(b, ']');
	*text = rest;
	return true;
}

static void put_grid(struct xplane_records *x, struct str details)
{
	const size_t begin = x->draft.args.n;

	json_write_key(&x->draft.args, "grid");
	if (read_list(&x->draft.args, &details, STR("grid:")) && str_starts(details, STR(" block:"))) {
		json_write_key(&x->draft.args, "block");
		if (read_list(&x->draft.args, &details, STR(" block:")))
			return;
	}
	x->draft.args.n = begin;
}

static void set_size(struct xplane_records *x, struct event *e, struct str details)
{
	struct str rest = str_from(str_from(details, str_find(details, STR("size:"))), 5), number;
	int64_t size;

	if (!read_number(&rest, &number) || num_int(number, &size) != NUM_OK)
		return;
	draft_int(&x->draft, e, EVENT_BYTES, size);
}

/* --- kinds --- */

/* Returns the direction in a name like MemcpyH2D or CopyHostToDevice; p is NULL if the name has no direction. */
static struct str direction_of(struct str name)
{
	const struct str none = {NULL, 0};

	if (str_starts(name, STR("Memcpy")))
		return str_from(name, 6);
	return str_starts(name, STR("Copy")) ? str_from(name, 4) : none;
}

static bool is_copy(struct str name)
{
	static const struct str begins[] = {{"H2", 2}, {"D2", 2}, {"P2", 2}, {"Host", 4}, {"Device", 6}, {"Peer", 4}};
	const struct str direction = direction_of(name);
	size_t i;

	for (i = 0; direction.p && i < sizeof begins / sizeof *begins; i++) {
		if (str_starts(direction, begins[i]))
			return true;
	}
	return false;
}

static void set_copy(struct event *e, struct str name)
{
	const struct str direction = direction_of(name);
	struct str copy;
	size_t n;

	for (n = 0; n < direction.n && (is_alphanumeric(direction.p[n]) || direction.p[n] == '_'); n++)
		;
	copy = copy_direction(str_head(direction, n));
	if (copy.p)
		event_set(e, EVENT_COPY, copy);
}

static enum event_kind device_kind(const struct xplane_records *x, struct str name, const struct xplane_values *v)
{
	const struct str line = buf_str(&x->line_name);

	if (v->text[XPLANE_MEMCPY].p || is_copy(name))
		return KIND_MEMCPY;
	if (v->text[XPLANE_MEMSET].p || str_starts(name, STR("Memset")))
		return KIND_MEMSET;
	return x->has_stream || str_eq(line, STR("XLA Ops")) || str_eq(line, STR("Async XLA Ops")) ? KIND_KERNEL
												   : KIND_GPU_RANGE;
}

static void set_device(struct xplane_records *x, struct event *e, struct str name, const struct xplane_values *v)
{
	const enum event_kind kind = device_kind(x, name, v);

	event_set_kind(e, kind);
	if (x->has_dev)
		draft_int(&x->draft, e, EVENT_DEV, x->dev);
	if (kind == KIND_GPU_RANGE)
		json_write_text(&x->draft.args, "line", buf_str(&x->line_name));
	else
		draft_int(&x->draft, e, EVENT_STREAM, x->has_stream ? x->stream : x->line_id);
	if (v->text[XPLANE_KERNEL].p)
		put_grid(x, v->text[XPLANE_KERNEL]);
	if (v->text[XPLANE_MEMCPY].n)
		set_size(x, e, v->text[XPLANE_MEMCPY]);
	else if (v->text[XPLANE_MEMSET].n)
		set_size(x, e, v->text[XPLANE_MEMSET]);
	if (kind == KIND_MEMCPY)
		set_copy(e, name);
}

static enum event_kind host_kind(struct str name, const struct wire_field *f, const struct xplane_values *v)
{
	if (v->has_correlation)
		return KIND_API;
	if (str_starts(name, STR("$")))
		return KIND_PYTHON;
	if (v->text[XPLANE_HLO_OP].p)
		return KIND_OP;
	return f[DURATION].v == 0 ? KIND_MARK : KIND_RANGE;
}

static void set_host(struct xplane_records *x, struct event *e, struct str name, const struct wire_field *f,
    const struct xplane_values *v)
{
	const enum event_kind kind = host_kind(name, f, v);

	event_set_kind(e, kind);
	event_set(e, EVENT_PID, buf_str(&x->plane_json));
	draft_int(&x->draft, e, EVENT_TID, x->line_id);
	if (kind == KIND_MARK)
		e->has &= ~(1u << EVENT_DUR);
	if (kind == KIND_API && str_starts(name, STR("hip")))
		json_write_text(&x->draft.args, "lib", STR("HIP"));
	else if (kind == KIND_API && str_starts(name, STR("cu")))
		json_write_text(&x->draft.args, "lib", STR("CUDA"));
}

/* --- records --- */

/* Returns the name of an event, or "#id" in *room. */
static struct str event_name(
    const struct xplane_records *x, const struct xplane_event_name *names, uint64_t id, struct buf *room)
{
	struct str name = {NULL, 0};

	if (names)
		name = names->name.n ? xplane_tables_text(&x->tables, names->name)
				     : xplane_tables_text(&x->tables, names->display);
	if (name.n)
		return name;
	room->n = 0;
	buf_char(room, '#');
	wire_put_int(room, (int64_t)id);
	return buf_str(room);
}

/* An event that stands for several occurrences has no time. */
static void set_row(struct xplane_records *x, struct event *e, const struct wire_field *f)
{
	event_set_kind(e, KIND_ROW);
	json_write_text(&x->draft.args, "line", buf_str(&x->line_name));
	json_write_key(&x->draft.args, "num_occurrences");
	wire_put_uint(&x->draft.args, f[OCCURRENCES].v);
	json_write_int(&x->draft.args, "duration_ps", (int64_t)f[DURATION].v);
}

bool xplane_event_record(struct xplane_records *x, struct reader *r, struct str event, struct event *e)
{
	const struct xplane_event_name *names;
	struct xplane_values v;
	struct str name, shared = STR("");
	struct wire_field f[N_FIELDS];

	if (!wire_read(event, event_fields, f, &(struct wire){0})) {
		reader_lost(r, "event is damaged; skipped", 0, x->at);
		return false;
	}
	names = xplane_tables_event(&x->tables, f[ID].v);
	if (names)
		shared = xplane_tables_text(&x->tables, names->stats);
	draft_begin(&x->draft, e, KIND_RANGE);
	if (!xplane_stats_put(x, r, shared, event, 4, &v)) {
		reader_lost(r, "stat is damaged; its event is skipped", 0, x->at);
		return false;
	}
	name = event_name(x, names, f[ID].v, &x->room);
	wire_put_text(r, x->at, &x->draft.name, name);
	event_set(e, EVENT_CAT, buf_str(&x->plane_json));
	if (names && names->display.has && !str_eq(xplane_tables_text(&x->tables, names->display), name))
		json_write_text(&x->draft.args, "display_name", xplane_tables_text(&x->tables, names->display));
	if (f[OCCURRENCES].no) {
		set_row(x, e, f);
	} else if (!set_event_times(x, e, f)) {
		reader_lost(r, "time beyond 64 bits of ns; event skipped", 0, x->at);
		return false;
	} else if (x->is_device) {
		set_device(x, e, name, &v);
	} else {
		set_host(x, e, name, f, &v);
	}
	if (v.correlation && !f[OCCURRENCES].no)
		draft_int(&x->draft, e, EVENT_CORR, v.correlation);
	draft_end(&x->draft, r, e);
	return true;
}

void xplane_records_free(struct xplane_records *x)
{
	xplane_tables_free(&x->tables);
	buf_free(&x->plane_json);
	buf_free(&x->line_name);
	draft_free(&x->draft);
	buf_free(&x->room);
}
