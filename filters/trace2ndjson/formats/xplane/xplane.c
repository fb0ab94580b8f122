/*
 * xplane: reads the profiles of JAX, TensorFlow and PyTorch/XLA (HOST.xplane.pb).
 *
 *   {"ts":1700000000100000,"dur":40000,"kind":"kernel","name":"fusion_1","cat":"/device:GPU:0","dev":0,"stream":13,
 *    "corr":101,"args":{"hlo_op":"fusion.1","hlo_module":"jit_f","grid":[2,2,3],"block":[128,1,1]}}
 *
 * A profile is a message XSpace with planes (devices, hosts), in them lines (streams, threads), in them events. Names
 * follow their uses, and planes can be larger than the memory. So the file is read through windows (io/spool),
 * first the tables of a plane and then its lines.
 */
#include "xplane_tables.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "json/string.h"
#include "json/write.h"
#include "trace2ndjson/formats/copy_direction.h"
#include "trace2ndjson/formats/xla_details.h"
#include "trace2ndjson/formats/draft.h"

struct xplane {
	struct xplane_file file;
	struct xplane_scan top, plane, line;
	struct spool_window window;
	struct xplane_tables tables;
	enum { XPLANE_HOSTNAMES, XPLANE_ERRORS, XPLANE_WARNINGS, XPLANE_PLANES, XPLANE_END } step;
	/* the plane */
	bool in_plane, is_metadata, is_device, has_dev;
	int64_t dev;
	struct buf plane_name, plane_json;
	size_t next_name; /* of /host:metadata: the next name that becomes a record */
	/* the line */
	bool in_line, has_stream;
	int64_t line_id, line_ns, stream;
	struct buf line_name;
	/* the last record */
	uint64_t at; /* its offset */
};

/* --- recognition --- */

enum { HEAD = 64 * 1024 };

/* Whether the file begins with a plane whose name begins with "/", or is "Task Environment". */
static bool xplane_probe(struct str head)
{
	const char *fault;
	struct wire_field f;
	struct wire w;
	size_t size;

	if (wire_head(head, &f, &size, &fault) <= 0 || f.no != 1 || f.type != WIRE_LEN)
		return false;
	w = wire_of(str_head(str_from(head, size), f.bytes.n < 40 ? f.bytes.n : 40));
	while (wire_next(&w, &f) > 0) {
		if (f.no == 2 && f.type == WIRE_LEN)
			return str_starts(f.bytes, STR("/")) || str_eq(f.bytes, STR("Task Environment"));
		if (f.no != 1 || f.type != WIRE_VARINT)
			return false;
	}
	return false;
}

/* Whether a file was converted to UTF-8: what is not text was replaced, so that lengths do not fit any more. */
static bool probe_converted(struct str head)
{
	const struct str sign = STR("\xef\xbf\xbd");
	struct str rest = str_head(head, HEAD);
	const size_t all = rest.n;
	size_t n = 0, at;

	for (; (at = str_find(rest, sign)) < rest.n; n++)
		rest = str_from(rest, at + sign.n);
	return n > 8 && n * 64 > all;
}

/* --- reports --- */

/* Reports damage in a message, after which the rest of the message cannot be read. */
static void report_damage(struct xplane *x, struct reader *r, const struct xplane_scan *scan)
{
	if (x->file.fault.what)
		r->src->fault = x->file.fault;
	else
		reader_lost(
		    r, reader_text(r, "%s; the rest of the plane, line or file is skipped", scan->why), 0, scan->at);
}

/* --- planes --- */

/* Reads the name of a plane, which decides how its tables are read; a name like "/device:GPU:0" has the device. */
static void read_plane_name(struct xplane *x, struct reader *r, const struct xplane_field *plane)
{
	static const char *const types[] = {"GPU:", "TPU:", "CUSTOM:", NULL};
	struct xplane_field f;
	struct str name, rest;
	size_t type;

	xplane_scan_begin(&x->plane, plane);
	x->plane_name.n = x->plane_json.n = 0;
	while (xplane_scan_next(&x->file, &x->plane, &f) > 0) {
		if (f.no == 2 && f.type == WIRE_LEN && !f.cut)
			buf_set(&x->plane_name, xplane_load(&x->file, &x->window, &f, r->max_record));
	}
	wire_put_text(r, plane->at, &x->plane_json, buf_str(&x->plane_name));
	name = buf_str(&x->plane_name);
	x->is_device = str_starts(name, STR("/device:"));
	x->is_metadata = str_eq(name, STR("/host:metadata"));
	rest = str_from(name, 8);
	type = str_starts_in(rest, types);
	x->has_dev = x->is_device && type && num_int(str_first(str_from(rest, type), is_digit), &x->dev) == NUM_OK;
}

/* Reads the tables of a plane, and appends its stats to *stats in the form of struct xplane_stats. */
static void read_tables(struct xplane *x, struct reader *r, const struct xplane_field *plane, struct buf *stats)
{
	struct xplane_field f;
	struct str text;
	int got;

	xplane_scan_begin(&x->plane, plane);
	xplane_tables_reset(&x->tables);
	while ((got = xplane_scan_next(&x->file, &x->plane, &f)) > 0) {
		if (f.type != WIRE_LEN)
			continue;
		if (f.no == 4 || f.no == 5)
			xplane_tables_add(&x->tables, &x->file, r, &f, f.no == 5 ? XPLANE_STATS : XPLANE_EVENTS,
			    f.no == 4 && !x->is_metadata);
		if (f.no == 6 && !f.cut && (text = xplane_load(&x->file, &x->window, &f, r->max_record)).p) {
			buf_add(stats, &text.n, sizeof text.n);
			buf_add(stats, text.p, text.n);
		}
	}
	if (got < 0)
		report_damage(x, r, &x->plane);
}

/* Begins a plane; true when *e is its record. */
static bool begin_plane(struct xplane *x, struct reader *r, const struct xplane_field *plane, struct event *e)
{
	struct xplane_values v;
	struct buf stats = {0};

	if (plane->cut)
		reader_cut(
		    r, "cut short inside a plane; its events may have numbers instead of names", 0, x->file.bytes.size);
	read_plane_name(x, r, plane);
	read_tables(x, r, plane, &stats);
	xplane_scan_begin(&x->plane, plane);
	x->in_plane = true;
	x->next_name = 0;
	x->at = plane->at;
	draft_begin(r, e, KIND_META);
	json_write_text(&r->draft->args, "name", buf_str(&x->plane_name));
	if (!xplane_stats_put(
		&x->tables, r, x->at, (struct xplane_stats){buf_str(&stats), wire_of(STR("")), 0}, &r->draft->args, &v))
		reader_lost(r, "stat of a plane is damaged; skipped", 0, plane->at);
	buf_free(&stats);
	if (x->is_metadata || x->file.fault.what)
		return false;
	event_set(e, EVENT_NAME, STR("\"plane\""));
	event_set(e, EVENT_CAT, buf_str(&x->plane_json));
	if (x->has_dev)
		draft_int(r->draft, e, EVENT_DEV, x->dev);
	return draft_end(r, e);
}

static void set_named(struct xplane *x, struct reader *r, struct event *e, struct str what, struct str name)
{
	draft_begin(r, e, KIND_META);
	event_set(e, EVENT_NAME, what);
	json_write_key(&r->draft->args, "name");
	wire_put_text(r, x->at, &r->draft->args, name);
	draft_end(r, e);
}

/* The plane /host:metadata holds the modules; only their names become records. */
static bool module_record(struct xplane *x, struct reader *r, struct event *e)
{
	x->in_plane = x->next_name < x->tables.ids[XPLANE_EVENTS].n;
	if (!x->in_plane)
		return false;
	set_named(x, r, e, STR("\"hlo_module\""), x->tables.names[XPLANE_EVENTS][x->next_name++].name);
	event_set(e, EVENT_CAT, buf_str(&x->plane_json));
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

static void put_ps(const struct reader *r, const char *key, int128 ps)
{
	char room[NUM_ROOM];

	json_write_json(&r->draft->args, key, (struct str){room, (size_t)(num_put_i128(room, ps) - room)});
}

/* Sets ts and dur, and the exact times if they are not whole ns. Returns false when they do not fit in 64 bits. */
static bool set_event_times(struct xplane *x, const struct reader *r, struct event *e, const struct wire_field *f)
{
	const int128 start = (int128)x->line_ns * PS_PER_NS + (int64_t)f[OFFSET].v;
	const int64_t length = (int64_t)f[DURATION].v;
	const int128 ts = ns_of(start), dur = ns_of(start + length) - ts;

	if (ts != (int64_t)ts || dur != (int64_t)dur)
		return false;
	event_set_ts(e, (int64_t)ts);
	event_set_dur(e, (int64_t)dur);
	if (start % PS_PER_NS || length % PS_PER_NS) {
		put_ps(r, "start_ps", start);
		put_ps(r, "duration_ps", length);
	}
	return true;
}

/* --- kinds --- */

/* Returns the direction in a name like MemcpyH2D or CopyHostToDevice; it is empty if the name has no direction. */
static struct str direction_of(struct str name)
{
	return str_from(name, str_starts(name, STR("Memcpy")) ? 6 : str_starts(name, STR("Copy")) ? 4 : name.n);
}

static bool is_of_word(char c)
{
	return is_alphanumeric(c) || c == '_';
}

static enum event_kind device_kind(const struct xplane *x, struct str name, const struct xplane_values *v)
{
	static const char *const copies[] = {"H2", "D2", "P2", "Host", "Device", "Peer", NULL};
	static const char *const lines[] = {"XLA Ops", "Async XLA Ops", NULL};

	if (v->text[XPLANE_MEMCPY].p || str_starts_in(direction_of(name), copies))
		return KIND_MEMCPY;
	if (v->text[XPLANE_MEMSET].p || str_starts(name, STR("Memset")))
		return KIND_MEMSET;
	return x->has_stream || str_in(buf_str(&x->line_name), lines) ? KIND_KERNEL : KIND_GPU_RANGE;
}

static void set_device(
    struct xplane *x, const struct reader *r, struct event *e, struct str name, const struct xplane_values *v)
{
	const enum event_kind kind = device_kind(x, name, v);

	event_set_kind(e, kind);
	if (x->has_dev)
		draft_int(r->draft, e, EVENT_DEV, x->dev);
	if (kind == KIND_GPU_RANGE)
		json_write_text(&r->draft->args, "line", buf_str(&x->line_name));
	else
		draft_int(r->draft, e, EVENT_STREAM, x->has_stream ? x->stream : x->line_id);
	if (v->text[XPLANE_KERNEL].p)
		xla_details_grid(v->text[XPLANE_KERNEL], &r->draft->args);
	xla_details_size(v->text[v->text[XPLANE_MEMCPY].n ? XPLANE_MEMCPY : XPLANE_MEMSET], r->draft, e);
	if (kind == KIND_MEMCPY)
		event_set(e, EVENT_COPY, copy_direction(str_first(direction_of(name), is_of_word)));
}

static void set_host(struct xplane *x, const struct reader *r, struct event *e, struct str name, bool lasts,
    const struct xplane_values *v)
{
	const enum event_kind kind = v->has_correlation           ? KIND_API
				     : str_starts(name, STR("$")) ? KIND_PYTHON
				     : v->text[XPLANE_HLO].p      ? KIND_OP
				     : lasts                      ? KIND_RANGE
								  : KIND_MARK;

	event_set_kind(e, kind);
	event_set(e, EVENT_PID, buf_str(&x->plane_json));
	draft_int(r->draft, e, EVENT_TID, x->line_id);
	if (kind == KIND_MARK)
		e->has &= ~(1u << EVENT_DUR);
	if (kind == KIND_API && str_starts(name, STR("hip")))
		json_write_text(&r->draft->args, "lib", STR("HIP"));
	else if (kind == KIND_API && str_starts(name, STR("cu")))
		json_write_text(&r->draft->args, "lib", STR("CUDA"));
}

/* Makes the record of an event of the current line; returns false if it has no record. */
static bool event_record(struct xplane *x, struct reader *r, struct str event, struct event *e)
{
	char number[NUM_ROOM + 1] = "#";
	const struct xplane_name *names;
	struct xplane_stats stats = {STR(""), wire_of(event), 4};
	struct xplane_values v;
	struct str name = STR("");
	struct wire_field f[N_FIELDS];

	if (!wire_read(event, event_fields, f, &(struct wire){0}))
		return reader_lost(r, "event is damaged; skipped", 0, x->at);
	names = xplane_tables_find(&x->tables, XPLANE_EVENTS, f[ID].v);
	if (names) {
		stats.shared = names->stats;
		name = names->name.n ? names->name : names->display;
	}
	if (!name.n)
		name = (struct str){number, (size_t)(num_put_i64(number + 1, (int64_t)f[ID].v) - number)};
	draft_begin(r, e, KIND_RANGE);
	if (!xplane_stats_put(&x->tables, r, x->at, stats, &r->draft->args, &v))
		return reader_lost(r, "stat is damaged; its event is skipped", 0, x->at);
	wire_put_text(r, x->at, &r->draft->name, name);
	event_set(e, EVENT_CAT, buf_str(&x->plane_json));
	if (names && names->display.p && !str_eq(names->display, name))
		json_write_text(&r->draft->args, "display_name", names->display);
	if (f[OCCURRENCES].no) {
		/* An event that stands for several occurrences has no time. */
		event_set_kind(e, KIND_ROW);
		json_write_text(&r->draft->args, "line", buf_str(&x->line_name));
		json_write_key(&r->draft->args, "num_occurrences");
		num_add_u64(&r->draft->args, f[OCCURRENCES].v);
		json_write_int(&r->draft->args, "duration_ps", (int64_t)f[DURATION].v);
	} else if (!set_event_times(x, r, e, f)) {
		return reader_lost(r, "time beyond 64 bits of ns; event skipped", 0, x->at);
	} else if (x->is_device) {
		set_device(x, r, e, name, &v);
	} else {
		set_host(x, r, e, name, f[DURATION].v, &v);
	}
	if (v.correlation && !f[OCCURRENCES].no)
		draft_int(r->draft, e, EVENT_CORR, v.correlation);
	draft_end(r, e);
	return true;
}

/* --- lines --- */

/* Begins a line, and reads all its members except its events; true when *e is the record of a thread. */
static bool begin_line(struct xplane *x, struct reader *r, const struct xplane_field *line, struct event *e)
{
	struct xplane_field f;
	bool has_display = false;
	struct str name;
	int got;

	xplane_scan_begin(&x->line, line);
	x->line_name.n = 0;
	x->line_id = x->line_ns = 0;
	while ((got = xplane_scan_next(&x->file, &x->line, &f)) > 0) {
		if (f.no == 1 && f.type == WIRE_VARINT)
			x->line_id = (int64_t)f.v;
		if (f.no == 3 && f.type == WIRE_VARINT)
			x->line_ns = (int64_t)f.v;
		if (f.type == WIRE_LEN && !f.cut && ((f.no == 2 && !has_display) || (f.no == 11 && f.n))) {
			buf_set(&x->line_name, xplane_load(&x->file, &x->window, &f, r->max_record));
			has_display |= f.no == 11;
		}
	}
	if (got < 0)
		report_damage(x, r, &x->line);
	xplane_scan_begin(&x->line, line);
	x->in_line = true;
	x->at = line->at;
	name = buf_str(&x->line_name);
	x->has_stream =
	    str_starts(name, STR("Stream #")) && num_int(str_first(str_from(name, 8), is_digit), &x->stream) == NUM_OK;
	if (x->is_device)
		return false;
	set_named(x, r, e, STR("\"thread_name\""), name);
	event_set(e, EVENT_PID, buf_str(&x->plane_json));
	draft_int(r->draft, e, EVENT_TID, x->line_id);
	return true;
}

/* Makes the record of the next event of the line; false at the end of the line. */
static bool next_event(struct xplane *x, struct reader *r, struct event *e)
{
	struct xplane_field f;
	struct str event;

	while (xplane_scan_next(&x->file, &x->line, &f) > 0) {
		if (f.no != 4 || f.type != WIRE_LEN || f.cut)
			continue;
		x->at = f.at;
		event = xplane_load(&x->file, &x->window, &f, r->max_record);
		if (!event.p)
			reader_lost(r, "event larger than --max-record; skipped", 0, f.at);
		else if (event_record(x, r, event, e))
			return true;
	}
	x->in_line = false;
	return false;
}

/* Makes the next record of the plane; false at its end. */
static bool next_of_plane(struct xplane *x, struct reader *r, struct event *e)
{
	struct xplane_field f;

	if (x->is_metadata)
		return module_record(x, r, e);
	for (;;) {
		if (x->in_line && next_event(x, r, e))
			return true;
		do {
			if (xplane_scan_next(&x->file, &x->plane, &f) <= 0) {
				x->in_plane = false;
				return false;
			}
		} while (f.no != 3 || f.type != WIRE_LEN);
		if (begin_line(x, r, &f, e))
			return true;
	}
}

/* --- the file --- */

/* Makes a record of a text of the XSpace: the name of a host, or a message of the profiler, which is repeated. */
static void set_message(struct xplane *x, struct reader *r, const struct xplane_field *f, struct event *e)
{
	static const char *const names[] = {
	    [XPLANE_HOSTNAMES] = "\"hostname\"", [XPLANE_ERRORS] = "\"error\"", [XPLANE_WARNINGS] = "\"warning\""};
	struct str text = xplane_load(&x->file, &x->window, f, r->max_record);
	struct buf message = {0};

	x->at = f->at;
	text = text.p ? text : STR("");
	if (x->step != XPLANE_HOSTNAMES) {
		buf_lit(&message, "the profiler reported: ");
		json_quote(&message, text);
		reader_warning(r, diagnostics_text(r->diagnostics, buf_str(&message)), 0, f->at);
		buf_free(&message);
	}
	set_named(x, r, e, str_of(names[x->step]), text);
}

static void begin_top(struct xplane *x)
{
	xplane_scan_begin(&x->top, &(struct xplane_field){.n = x->file.bytes.size, .cut = true});
}

static void open_xplane(void *state, struct reader *r)
{
	struct xplane *x = state;

	spool_init(&x->file.bytes);
	if (probe_converted((struct str){r->src->p, r->src->n})) {
		reader_lost(r, "damaged by a conversion to UTF-8 text; copy the file again as binary data", 0, 0);
		x->step = XPLANE_END;
	} else if (!spool_source(&x->file.bytes, r->src, &x->file.fault)) {
		r->src->fault = x->file.fault;
		x->step = XPLANE_END;
	}
	begin_top(x);
}

/* Goes on to the next step: each step reads other fields of the XSpace. */
static void end_step(struct xplane *x, struct reader *r, int got)
{
	if (got < 0 && x->step == XPLANE_PLANES)
		report_damage(x, r, &x->top);
	if (x->top.inside && x->step == XPLANE_PLANES)
		reader_cut(r, "cut short: the last bytes are not a whole plane", 0, x->file.bytes.size);
	x->step++;
	begin_top(x);
}

static int next(void *state, struct reader *r, struct event *e)
{
	static const uint32_t numbers[] = {
	    [XPLANE_HOSTNAMES] = 4, [XPLANE_ERRORS] = 2, [XPLANE_WARNINGS] = 3, [XPLANE_PLANES] = 1};
	struct xplane *x = state;
	struct xplane_field f;
	int got;

	while (x->step != XPLANE_END && !x->file.fault.what) {
		if (x->in_plane) {
			if (next_of_plane(x, r, e))
				return 1;
			continue;
		}
		got = xplane_scan_next(&x->file, &x->top, &f);
		if (got > 0 && f.cut && f.no != 1 && x->step == XPLANE_PLANES)
			reader_cut(r, "cut short inside a message of the profiler", 0, x->file.bytes.size);
		if (got <= 0) {
			end_step(x, r, got);
		} else if (f.no == numbers[x->step] && f.type == WIRE_LEN) {
			if (x->step != XPLANE_PLANES && !f.cut) {
				set_message(x, r, &f, e);
				return 1;
			}
			if (x->step == XPLANE_PLANES && begin_plane(x, r, &f, e))
				return 1;
		}
	}
	return 0;
}

static void close_xplane(void *state, struct reader *r)
{
	struct xplane *x = state;

	(void)r;
	spool_window_free(&x->top.window);
	spool_window_free(&x->plane.window);
	spool_window_free(&x->line.window);
	spool_window_free(&x->window);
	xplane_tables_free(&x->tables);
	bufs_free(&x->plane_name, &x->plane_json, &x->line_name);
	spool_free(&x->file.bytes);
}

const struct format format_xplane = {
    .name = "xplane",
    .help = "profiles of JAX, TensorFlow and PyTorch/XLA (HOST.xplane.pb)",
    .example = "trace2ndjson plugins/profile/2026_11_23/node01.xplane.pb",
    .probe = xplane_probe,
    .binary = true,
    .state_size = sizeof(struct xplane),
    .open = open_xplane,
    .next = next,
    .close = close_xplane,
};
