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
#include "xplane_event.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "json/string.h"
#include "json/write.h"

struct xplane {
	struct xplane_file file;
	struct xplane_scan top, plane, line;
	struct spool_window window;
	struct xplane_records records;
	enum { XPLANE_HOSTNAMES, XPLANE_ERRORS, XPLANE_WARNINGS, XPLANE_PLANES, XPLANE_END } step;
	bool in_plane, in_line;
	struct buf plane_name;
	bool is_metadata; /* the plane is /host:metadata */
	size_t next_module;
};

/* --- recognition --- */

enum { HEAD = 64 * 1024 };

/*
 * Whether the file begins with a plane whose name follows its id and begins with "/", or is "Task Environment". Its
 * length may be far larger than the head.
 */
static bool xplane_probe(struct str head)
{
	struct wire w;
	struct wire_field f;
	uint64_t n;
	int took;

	if (!str_starts(head, STR("\x0a")))
		return false;
	took = wire_varint(str_from(head, 1), &n);
	if (took <= 0)
		return false;
	head = str_from(head, 1 + (size_t)took);
	w = wire_of(str_head(head, n < 40 ? (size_t)n : 40));
	while (wire_next(&w, &f) > 0) {
		if (f.no == 2 && f.type == WIRE_LEN)
			return str_starts(f.bytes, STR("/")) || str_eq(f.bytes, STR("Task Environment"));
		if (f.no != 1 || f.type != WIRE_VARINT)
			return false;
	}
	return false;
}

/*
 * Whether the first bytes of a file show that it was converted to UTF-8. Such a conversion replaces all bytes that are
 * not text, so that the lengths do not fit any more.
 */
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

static void report_cut(struct xplane *x, struct reader *r, const char *what)
{
	reader_lost(r, what, 0, x->file.bytes.size);
}

/* Reports damage in a message, after which the rest of the message cannot be read. */
static void report_damage(struct xplane *x, struct reader *r, const struct xplane_scan *scan)
{
	struct buf text = {0};

	if (x->file.fault.what) {
		r->src->fault = x->file.fault;
		return;
	}
	buf_add(&text, scan->why, strlen(scan->why));
	buf_lit(&text, "; the rest of the plane, line or file is skipped");
	reader_lost(r, diagnostics_text(r->diagnostics, (struct str){text.p, text.n}), 0, scan->at);
	buf_free(&text);
}

/* --- planes --- */

/* Sets the device from a name like "/device:GPU:0". */
static void set_dev(struct xplane *x, struct str name)
{
	static const struct str types[] = {{"GPU:", 4}, {"TPU:", 4}, {"CUSTOM:", 7}};
	struct str rest = str_from(name, 8);
	size_t i;

	x->records.is_device = str_starts(name, STR("/device:"));
	x->is_metadata = str_eq(name, STR("/host:metadata"));
	x->records.has_dev = false;
	for (i = 0; x->records.is_device && i < sizeof types / sizeof *types; i++) {
		if (!str_starts(rest, types[i]))
			continue;
		x->records.has_dev =
		    num_int(str_first(str_from(rest, types[i].n), is_digit), &x->records.dev) == NUM_OK;
	}
}

static void set_text(struct xplane *x, struct reader *r, struct buf *to, const struct xplane_field *f)
{
	const struct str text = xplane_load(&x->file, &x->window, f, r->max_record);

	to->n = 0;
	buf_add(to, text.p, text.n);
}

/* Reads the name of a plane, which decides how its tables are read. */
static void read_plane_name(struct xplane *x, struct reader *r, const struct xplane_field *plane)
{
	struct xplane_field f;

	xplane_scan_begin(&x->plane, plane);
	x->plane_name.n = x->records.plane_json.n = 0;
	while (xplane_scan_next(&x->file, &x->plane, &f) > 0) {
		if (f.no == 2 && f.type == WIRE_LEN && !f.cut)
			set_text(x, r, &x->plane_name, &f);
	}
	wire_put_text(r, plane->at, &x->records.plane_json, buf_str(&x->plane_name));
	set_dev(x, x->plane_name.n ? buf_str(&x->plane_name) : STR(""));
}

/* Reads the tables of a plane, and appends its stats to *stats in the form that xplane_stats_put() expects. */
static void read_tables(struct xplane *x, struct reader *r, const struct xplane_field *plane, struct buf *stats)
{
	struct xplane_field f;
	struct str text;
	int got;

	xplane_scan_begin(&x->plane, plane);
	xplane_tables_reset(&x->records.tables);
	while ((got = xplane_scan_next(&x->file, &x->plane, &f)) > 0) {
		if (f.type != WIRE_LEN)
			continue;
		if (f.no == 4 || f.no == 5)
			xplane_tables_add(&x->records.tables, &x->file, r, &f, f.no == 5, x->is_metadata);
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
		report_cut(x, r, "cut short inside a plane; its events may have numbers instead of names");
	read_plane_name(x, r, plane);
	read_tables(x, r, plane, &stats);
	xplane_scan_begin(&x->plane, plane);
	x->in_plane = true;
	x->next_module = 0;
	x->records.at = plane->at;
	draft_begin(&x->records.draft, e, KIND_META);
	json_write_text(&x->records.draft.args, "name", buf_str(&x->plane_name));
	if (!xplane_stats_put(&x->records, r, buf_str(&stats), STR(""), 0, &v))
		reader_lost(r, "stat of a plane is damaged; skipped", 0, plane->at);
	buf_free(&stats);
	if (x->is_metadata || x->file.fault.what)
		return false;
	event_set(e, EVENT_NAME, STR("\"plane\""));
	event_set(e, EVENT_CAT, buf_str(&x->records.plane_json));
	if (x->records.has_dev)
		draft_int(&x->records.draft, e, EVENT_DEV, x->records.dev);
	return draft_end(&x->records.draft, r, e);
}

static void set_named(struct xplane *x, struct reader *r, struct event *e, struct str what, struct str name)
{
	draft_begin(&x->records.draft, e, KIND_META);
	event_set(e, EVENT_NAME, what);
	json_write_key(&x->records.draft.args, "name");
	wire_put_text(r, x->records.at, &x->records.draft.args, name);
	draft_end(&x->records.draft, r, e);
}

/* The plane /host:metadata holds the modules; only their names become records. */
static bool module_record(struct xplane *x, struct reader *r, struct event *e)
{
	const struct xplane_event_name *name;

	if (x->next_module == x->records.tables.event_ids.n) {
		x->in_plane = false;
		return false;
	}
	name = &x->records.tables.events[x->next_module++];
	set_named(x, r, e, STR("\"hlo_module\""), xplane_tables_text(&x->records.tables, name->name));
	event_set(e, EVENT_CAT, buf_str(&x->records.plane_json));
	return true;
}

/* --- lines --- */

/* Reads all members of a line except its events. */
static void read_line(struct xplane *x, struct reader *r, const struct xplane_field *line)
{
	struct xplane_field f;
	bool has_display = false;
	int got;

	xplane_scan_begin(&x->line, line);
	x->records.line_name.n = 0;
	x->records.line_id = x->records.line_ns = 0;
	while ((got = xplane_scan_next(&x->file, &x->line, &f)) > 0) {
		if (f.no == 1 && f.type == WIRE_VARINT)
			x->records.line_id = (int64_t)f.v;
		if (f.no == 3 && f.type == WIRE_VARINT)
			x->records.line_ns = (int64_t)f.v;
		if (f.type == WIRE_LEN && !f.cut && ((f.no == 2 && !has_display) || (f.no == 11 && f.n))) {
			set_text(x, r, &x->records.line_name, &f);
			has_display |= f.no == 11;
		}
	}
	if (got < 0)
		report_damage(x, r, &x->line);
}

/* Begins a line; true when *e is the record of a thread. */
static bool begin_line(struct xplane *x, struct reader *r, const struct xplane_field *line, struct event *e)
{
	struct str name;

	read_line(x, r, line);
	xplane_scan_begin(&x->line, line);
	x->in_line = true;
	x->records.at = line->at;
	name = x->records.line_name.n ? buf_str(&x->records.line_name) : STR("");
	x->records.has_stream = str_starts(name, STR("Stream #")) &&
				num_int(str_first(str_from(name, 8), is_digit), &x->records.stream) == NUM_OK;
	if (x->records.is_device)
		return false;
	set_named(x, r, e, STR("\"thread_name\""), name);
	event_set(e, EVENT_PID, buf_str(&x->records.plane_json));
	draft_int(&x->records.draft, e, EVENT_TID, x->records.line_id);
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
		x->records.at = f.at;
		event = xplane_load(&x->file, &x->window, &f, r->max_record);
		if (!event.p)
			reader_lost(r, "event larger than --max-record; skipped", 0, f.at);
		else if (xplane_event_record(&x->records, r, event, e))
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

	x->records.at = f->at;
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
		report_cut(x, r, "cut short: the last bytes are not a whole plane");
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
			report_cut(x, r, "cut short inside a message of the profiler");
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
	buf_free(&x->plane_name);
	xplane_records_free(&x->records);
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
