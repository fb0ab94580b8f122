/*
 * onednn: reads the verbose output of all versions of oneDNN and of its predecessor MKL-DNN. Other output of the
 * program may surround it:
 *
 *   onednn_verbose,info,oneDNN v2.6.3 (commit N/A)
 *   onednn_verbose,exec,cpu,reorder,jit:uni,undef,src_f32::blocked:ab:f0 dst_f32::blocked:ba:f0,,,64x3,0.25
 */
#include "onednn_field.h"

#include "base/char_class.h"
#include "base/hash.h"
#include "base/num_parse.h"
#include "json/string.h"
#include "json/write.h"

#include <stdlib.h>

/* --- splits a line --- */

#define VERBOSE "verbose,"
static const struct marker {
	struct str text;
	bool old, graph;
} markers[] = {
    {{"onednn_verbose,", 15}, false, false},
    {{"onednn_graph_verbose,", 21}, false, true},
    {{"mkldnn_verbose,", 15}, true, false},
    {{"dnnl_verbose,", 13}, false, false},
};

enum { N_MARKERS = sizeof markers / sizeof *markers };

static const struct marker *marker_of(struct str text)
{
	size_t i;

	for (i = 0; i < N_MARKERS; i++) {
		if (str_starts(text, markers[i].text))
			return &markers[i];
	}
	return NULL;
}

/* Returns the offset of the next marker in the text; text.n when there is no marker. */
static size_t onednn_find(struct str text)
{
	struct str rest = text, head;
	size_t at, i;

	if (marker_of(text))
		return 0;
	while ((at = str_find(rest, STR(VERBOSE))) < rest.n) {
		head = str_head(text, (size_t)(rest.p - text.p) + at + sizeof VERBOSE - 1);
		for (i = 0; i < N_MARKERS; i++) {
			if (str_ends(head, markers[i].text))
				return head.n - markers[i].text.n;
		}
		rest = str_from(rest, at + sizeof VERBOSE - 1);
	}
	return text.n;
}

/* Returns the field at the start of `rest`, without its comma; n == 0 when `rest` has no comma. */
static struct str next_field(struct str rest)
{
	const char *comma = rest.n ? memchr(rest.p, ',', rest.n) : NULL;

	return (struct str){rest.p, comma ? (size_t)(comma - rest.p) : 0};
}

static void skip_field(struct str *rest, struct str field)
{
	*rest = str_from(*rest, field.n + 1);
}

static bool is_time(struct str s)
{
	const char *dot = s.n && is_digit(s.p[0]) ? memchr(s.p, '.', s.n) : NULL;

	return dot && str_all(str_head(s, (size_t)(dot - s.p)), is_digit) &&
	       str_all(str_from(s, (size_t)(dot - s.p) + 1), is_digit);
}

static bool is_component(struct str s)
{
	static const char *const all[] = {"primitive", "graph", "common", "ukernel", NULL};

	return str_in(s, all);
}

static struct str cache_of(struct str op)
{
	struct str after = str_from(op, str_find(op, STR(":")) + 1);
	const struct str cache = STR("cache_");

	return str_starts(after, cache) ? str_from(after, cache.n) : after;
}

/* Sets the type from the operation. Operations have variants after a colon, and newer versions add more variants. */
static bool set_type(struct onednn_line *l)
{
	static const char *const untimed[] = {"create:check", "create:dispatch", "create:start", "exec:check",
	    "exec:external", "exec:start", "error", "warning", "debuginfo", NULL};

	if (str_eq(l->op, STR("exec")))
		l->type = ONEDNN_EXEC;
	else if (str_eq(l->op, STR("info")))
		l->type = ONEDNN_INFO;
	else if (str_in(l->op, untimed))
		l->type = ONEDNN_DIAG;
	else if (str_eq(l->op, STR("create")) || str_starts(l->op, STR("create:")) ||
		 str_starts(l->op, STR("create_nested")) || str_starts(l->op, STR("compile:")))
		l->type = ONEDNN_CREATE;
	else
		return false;
	return true;
}

/* Splits a text that begins with a marker. False when no operation of oneDNN follows the marker. */
static bool onednn_split(struct onednn_line *l, struct str text)
{
	const struct marker *marker = marker_of(text);
	struct str field;

	if (!marker)
		return false;
	*l = (struct onednn_line){.old = marker->old, .graph = marker->graph, .rest = str_from(text, marker->text.n)};
	field = next_field(l->rest);
	if (field.n > 1 && field.p[0] == 'v' && str_all(str_from(field, 1), is_digit)) {
		l->version = field;
		skip_field(&l->rest, field);
		field = next_field(l->rest);
	}
	if (is_time(field)) {
		l->time = field;
		skip_field(&l->rest, field);
		field = next_field(l->rest);
	}
	if (is_component(field)) {
		l->component = field;
		l->graph |= str_eq(field, STR("graph"));
		skip_field(&l->rest, field);
		field = next_field(l->rest);
	}
	l->op = field;
	skip_field(&l->rest, field);
	if (!field.n || !set_type(l))
		return false;
	if (l->type == ONEDNN_CREATE)
		l->cache = cache_of(l->op);
	l->nested = l->graph || str_starts(l->op, STR("create_nested"));
	return true;
}

/* --- the format --- */

/*
 * A cache of converted fields, because the same fields occur many times. Its size does not depend on the length of the
 * log, because a new entry replaces the older entry that has the same index.
 */
enum { KNOWN = 512, KNOWN_SIZE = 2048 };

struct onednn_known {
	uint64_t hash;
	bool old, graph;
	struct buf fields, name, args;
};

struct onednn {
	struct lines lines;
	struct line line;
	struct str rest;    /* the text of the current line that has not been read yet */
	bool inside;        /* rest does not begin at the start of the line */
	struct buf wrapped; /* the part of a wrapped line read so far; the line continues after a backslash */
	int64_t seq;        /* number of timed lines so far */
	struct buf args, name;
	struct onednn_known *known;
};

#define BROKEN "oneDNN verbose line is cut short or damaged; skipped"
static int report_lost(const struct onednn *o, struct reader *r, const char *what)
{
	reader_lost(r, what, o->line.line, o->line.offset);
	return 0;
}

static void set_name(struct onednn *o, struct event *e, struct str name)
{
	o->name.n = 0;
	json_quote(&o->name, name);
	event_set(e, EVENT_NAME, json_write_str(&o->name));
}

/* Adds to args the members that lines of all types have. Then closes args, and adds args to the record. */
static void end_args(struct onednn *o, const struct reader *r, const struct onednn_line *l, struct event *e)
{
	if (l && l->component.n && !str_eq(l->component, STR("primitive")))
		json_write_text(&o->args, "component", l->component);
	if (l && l->version.n && l->type != ONEDNN_INFO) /* a header line has the library's version here */
		json_write_text(&o->args, "version", l->version);
	json_write_end(&o->args, '}');
	if (r->args && o->args.n > 2)
		event_set(e, EVENT_ARGS, json_write_str(&o->args));
}

/* Handles a line, or part of a line, that was not written by oneDNN. */
static int text_record(struct onednn *o, struct reader *r, struct str text, struct event *e)
{
	const struct format_log *log = r->run;

	text = str_trim(text);
	if (!text.n)
		return 0;
	if (!log->keep_text) {
		reader_note(r, "line is not oneDNN verbose output; skipped", o->line.line, o->line.offset);
		return 0;
	}
	if (!reader_wants(r, KIND_OTHER))
		return 0;
	reader_check_text(r, text, o->line.line, o->line.offset);
	event_clear(e);
	event_set_kind(e, KIND_OTHER);
	set_name(o, e, text);
	o->args.n = 0;
	json_write_begin(&o->args, NULL, '{');
	json_write_text(&o->args, "class", STR("text"));
	end_args(o, r, NULL, e);
	return 1;
}

/* --- timed lines --- */

/* Returns the fields before the last one, which is the time; empty when there is only one field. */
static struct str before_time(const struct onednn_line *l)
{
	size_t n = l->rest.n;

	while (n && l->rest.p[n - 1] != ',')
		n--;
	return str_head(l->rest, n ? n - 1 : 0);
}

static struct onednn_known *known_slot(struct onednn *o, uint64_t hash)
{
	return &o->known[hash % KNOWN];
}

static bool is_known(const struct onednn_known *k, const struct onednn_line *l, uint64_t hash, struct str fields)
{
	return k->hash == hash && k->old == l->old && k->graph == l->graph && k->fields.n &&
	       str_eq(json_write_str(&k->fields), fields);
}

/* Converts the fields to *k; false when they are not the fields of a timed line. */
static bool store_known(struct onednn_known *k, const struct onednn_line *l, uint64_t hash, struct str fields)
{
	struct str name;

	k->fields.n = k->name.n = k->args.n = 0;
	json_write_begin(&k->args, NULL, '{');
	if (!onednn_describe(l, fields, &name, &k->args))
		return false;
	json_quote(&k->name, name);
	k->hash = hash;
	k->old = l->old;
	k->graph = l->graph;
	/* Text with control characters or invalid UTF-8 is not cached, so that each occurrence is counted. */
	if (fields.n <= KNOWN_SIZE && json_plain(fields) == fields.n)
		buf_add(&k->fields, fields.p, fields.n);
	return true;
}

static int timed_record(struct onednn *o, struct reader *r, const struct onednn_line *l, const struct onednn_known *k,
    const int64_t *dur, struct event *e)
{
	enum event_kind kind = l->type == ONEDNN_EXEC ? KIND_PRIMITIVE : KIND_CREATE;
	int64_t seq = o->seq++, ts;

	if (!reader_wants(r, kind))
		return 0;
	event_clear(e);
	event_set_kind(e, kind);
	event_set(e, EVENT_NAME, json_write_str(&k->name));
	if (dur)
		event_set_dur(e, *dur);
	o->args.n = 0;
	buf_add(&o->args, k->args.p, k->args.n);
	if (l->cache.n)
		json_write_text(&o->args, "cache", l->cache);
	if (l->nested)
		json_write_bool(&o->args, "nested", true);
	if (l->time.n && num_fixed(l->time, 6, &ts) == NUM_OK)
		event_set_ts(e, ts);
	else
		json_write_int(&o->args, "seq", seq);
	end_args(o, r, l, e);
	return 1;
}

/* Converts one piece of a line that describes an execution or a creation. */
static int read_timed(struct onednn *o, struct reader *r, const struct onednn_line *l, struct event *e)
{
	struct str fields, text;
	struct onednn_known *k;
	uint64_t hash;
	int64_t dur;

	fields = before_time(l);
	text = str_from(l->rest, fields.n + 1);
	hash = hash_str(fields);
	k = known_slot(o, hash);
	if (!is_known(k, l, hash, fields)) {
		reader_check_text(r, fields, o->line.line, o->line.offset);
		if (!store_known(k, l, hash, fields)) {
			/* Version 1.0 measured times on a GPU only on request, so the line may have no time. */
			if (l->old && str_starts(fields, STR("gpu")) && store_known(k, l, 0, l->rest)) {
				k->fields.n = 0;
				return timed_record(o, r, l, k, NULL, e);
			}
			return report_lost(o, r, BROKEN);
		}
	}
	switch (num_fixed(str_trim(text), 6, &dur)) {
	case NUM_OK:
		break;
	case NUM_RANGE:
		return report_lost(o, r, "time does not fit in 64 bits of nanoseconds; line skipped");
	default:
		return report_lost(o, r, BROKEN);
	}
	if (o->line.cut && !o->wrapped.n)
		reader_warning(r, "last line has no newline; its time may be incomplete", o->line.line, o->line.offset);
	return timed_record(o, r, l, k, &dur, e);
}

/* --- others --- */

static int read_untimed(struct onednn *o, struct reader *r, const struct onednn_line *l, struct event *e)
{
	enum event_kind kind = l->type == ONEDNN_INFO ? KIND_META : KIND_OTHER;
	struct str name;
	int64_t ts;

	if (!reader_wants(r, kind))
		return 0;
	reader_check_text(r, l->rest, o->line.line, o->line.offset);
	o->args.n = 0;
	json_write_begin(&o->args, NULL, '{');
	if (l->type == ONEDNN_INFO)
		onednn_info(str_trim(l->rest), &name, &o->args);
	else if (!onednn_diag(l, str_trim(l->rest), &name, &o->args))
		return report_lost(o, r, BROKEN);
	event_clear(e);
	event_set_kind(e, kind);
	if (name.n)
		set_name(o, e, name);
	if (l->time.n && num_fixed(l->time, 6, &ts) == NUM_OK)
		event_set_ts(e, ts);
	end_args(o, r, l, e);
	return 1;
}

/* --- lines --- */

/* Whether the fields are in the cache. If so, the fields do not contain the marker of another line. */
static bool is_whole(struct onednn *o, const struct onednn_line *l)
{
	struct str fields;
	uint64_t hash;

	if (l->type != ONEDNN_EXEC && l->type != ONEDNN_CREATE)
		return false;
	fields = before_time(l);
	hash = hash_str(fields);
	return is_known(known_slot(o, hash), l, hash, fields);
}

/*
 * Handles the next piece of the line in o->rest: the text before a marker, or a marker and the text up to the next
 * marker.
 */
static int read_text_line(struct onednn *o, struct reader *r, struct event *e)
{
	struct str s = o->rest, text;
	struct onednn_line l;
	size_t end = onednn_find(s);
	bool inside = o->inside, split;

	o->inside = true;
	if (end) {
		o->rest = str_from(s, end);
		return text_record(o, r, str_head(s, end), e);
	}
	split = onednn_split(&l, s);
	if (split && is_whole(o, &l)) {
		o->rest = str_from(s, s.n);
		return read_timed(o, r, &l, e);
	}
	end = 1 + onednn_find(str_from(s, 1));
	text = str_head(s, end);
	o->rest = str_from(s, text.n);
	if (end < s.n)
		split = onednn_split(&l, text);
	if (!split)
		return inside ? text_record(o, r, text, e) : report_lost(o, r, BROKEN);
	return l.type == ONEDNN_EXEC || l.type == ONEDNN_CREATE ? read_timed(o, r, &l, e) : read_untimed(o, r, &l, e);
}

/*
 * Joins lines that are wrapped with a backslash, as in pages of documentation. False when the line is not complete yet;
 * otherwise *line is the whole line.
 */
static bool unwrap(struct onednn *o, struct reader *r, struct str *line)
{
	bool more = str_ends(*line, STR("\\")) && (o->wrapped.n || onednn_find(*line) < line->n);

	if (!o->wrapped.n && !more)
		return true;
	if (o->wrapped.n + line->n > r->max_record) {
		o->wrapped.n = 0;
		report_lost(o, r, "record larger than --max-record; skipped");
		return false;
	}
	if (more)
		line->n--;
	*line = str_trim(*line);
	/* Where there is no comma, the line was wrapped at the space between two tensors of a field. */
	if (o->wrapped.n && o->wrapped.p[o->wrapped.n - 1] != ',' && line->n && line->p[0] != ',')
		buf_char(&o->wrapped, ' ');
	buf_add(&o->wrapped, line->p, line->n);
	*line = json_write_str(&o->wrapped);
	return !more;
}

static void open_onednn(void *state, struct reader *r)
{
	struct onednn *o = state;

	lines_begin(&o->lines, r->src, SCAN_LINES, r->max_record);
	o->known = mem_zero(KNOWN, sizeof *o->known);
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct onednn *o = state;
	struct str line;
	bool ended = false;

	for (;;) {
		while (o->rest.n) {
			if (read_text_line(o, r, e))
				return 1;
		}
		if (ended)
			return 0;
		/* If the last line did not end with a backslash, o->wrapped is complete and has been processed. */
		if (!o->line.text.n || !str_ends(o->line.text, STR("\\")))
			o->wrapped.n = 0;
		ended = lines_next(&o->lines, &o->line) <= 0;
		o->inside = false;
		if (ended) {
			o->rest = json_write_str(&o->wrapped);
			o->line.text = STR("");
			continue;
		}
		line = o->line.text;
		if (unwrap(o, r, &line))
			o->rest = line;
	}
}

static void close_onednn(void *state, struct reader *r)
{
	struct onednn *o = state;
	size_t i;

	reader_over(r, &o->lines, "record larger than --max-record; skipped");
	for (i = 0; o->known && i < KNOWN; i++) {
		buf_free(&o->known[i].fields);
		buf_free(&o->known[i].name);
		buf_free(&o->known[i].args);
	}
	free(o->known);
	buf_free(&o->wrapped);
	buf_free(&o->args);
	buf_free(&o->name);
}

/* Finds a line of oneDNN anywhere in the head, because a program may print a lot of output before it. */
static bool is_onednn_log(struct str head)
{
	struct onednn_line l;
	struct str line;
	size_t at;

	while (head_line(&head, &line)) {
		at = onednn_find(line);
		if (at < line.n && onednn_split(&l, str_from(line, at)))
			return true;
	}
	return false;
}

const struct format format_onednn = {
    .name = "onednn",
    .help = "verbose output of oneDNN, DNNL or MKL-DNN, mixed with other program output",
    .example = "ONEDNN_VERBOSE=all ./program | trace2ndjson",
    .probe = is_onednn_log,
    .run_size = sizeof(struct format_log),
    .options = format_log_options,
    .state_size = sizeof(struct onednn),
    .open = open_onednn,
    .next = next,
    .close = close_onednn,
};
