/*
 * onednn: reads the verbose output of all versions of oneDNN and of its predecessor MKL-DNN. Other output of the
 * program may surround it:
 *
 *   onednn_verbose,info,oneDNN v2.6.3 (commit N/A)
 *   onednn_verbose,exec,cpu,reorder,jit:uni,undef,src_f32::blocked:ab:f0 dst_f32::blocked:ba:f0,,,64x3,0.25
 */
#include "trace2ndjson/formats/draft.h"

#include "base/char_class.h"
#include "base/hash.h"
#include "base/num_parse.h"
#include "json/string.h"
#include "json/write.h"

/* --- splits a line --- */

/* The part of a verbose line that precedes the fields. All texts are views of the line. */
struct verbose_line {
	bool old;           /* the marker shows a version before 1.1, whose fields are different */
	bool graph;         /* the marker or the component indicates the graph API */
	struct str version; /* "v1". In this text and the next two, n == 0 means that oneDNN did not print it. */
	struct str time;    /* "1693533460193.346924", ms since 1970 */
	struct str component;
	struct str op;   /* "exec", "create:cache_hit" */
	struct str rest; /* the text after `op`: the fields */
	enum verbose_type {
		VERBOSE_INFO,
		VERBOSE_DIAG, /* without a time */
		VERBOSE_EXEC, /* this type and the next one have a time */
		VERBOSE_CREATE,
	} type;
	struct str fields; /* of a timed line: `rest` without the time, which is the last field; and its hash */
	uint64_t hash;
};

static const struct marker {
	struct str text;
	bool old, graph;
} markers[] = {
    {{"onednn_verbose,", 15}, false, false},
    {{"onednn_graph_verbose,", 21}, false, true},
    {{"mkldnn_verbose,", 15}, true, false},
    {{"dnnl_verbose,", 13}, false, false},
};

/* Returns the first marker in the text, and sets *at to its offset; NULL and text.n when there is no marker. */
static const struct marker *find_marker(struct str text, size_t *at)
{
	const struct str end = STR("verbose,");
	struct str head = {text.p, 0};
	size_t i;

	while ((*at = str_find(str_from(text, head.n), end) + head.n) < text.n) {
		head.n = *at + end.n;
		for (i = 0; i < sizeof markers / sizeof *markers; i++) {
			*at = head.n - markers[i].text.n;
			if (str_ends(head, markers[i].text))
				return &markers[i];
		}
	}
	return NULL;
}

/* Returns the field at the start of `rest`, without its comma; n == 0 when `rest` has no comma. */
static struct str first_field(struct str rest)
{
	const char *comma = rest.n ? memchr(rest.p, ',', rest.n) : NULL;

	return (struct str){rest.p, comma ? (size_t)(comma - rest.p) : 0};
}

static bool is_version(struct str s)
{
	return s.n > 1 && s.p[0] == 'v' && str_all(str_from(s, 1), is_digit);
}

static bool is_time(struct str s)
{
	struct str whole;

	return str_split(&s, '.', &whole) && s.p && str_all(whole, is_digit) && str_all(s, is_digit);
}

static bool is_component(struct str s)
{
	static const char *const all[] = {"primitive", "graph", "common", "ukernel", NULL};

	return str_in(s, all);
}

/* Sets the type from the operation. Operations have variants after a colon, and newer versions add more variants. */
static bool set_type(struct verbose_line *l)
{
	static const char *const untimed[] = {"create:check", "create:dispatch", "create:start", "exec:check",
	    "exec:external", "exec:start", "error", "warning", "debuginfo", NULL};

	if (str_eq(l->op, STR("exec")))
		l->type = VERBOSE_EXEC;
	else if (str_eq(l->op, STR("info")))
		l->type = VERBOSE_INFO;
	else if (str_in(l->op, untimed))
		l->type = VERBOSE_DIAG;
	else if (str_eq(l->op, STR("create")) || str_starts(l->op, STR("create:")) ||
		 str_starts(l->op, STR("create_nested")) || str_starts(l->op, STR("compile:")))
		l->type = VERBOSE_CREATE;
	else
		return false;
	return true;
}

/* Moves the first field of l->rest to *part if is() accepts it. */
static void take_part(struct verbose_line *l, struct str *part, bool (*is)(struct str))
{
	const struct str field = first_field(l->rest);

	if (!is(field))
		return;
	*part = field;
	l->rest = str_from(l->rest, field.n + 1);
}

/* Splits a text that begins with the marker. False when no operation of oneDNN follows the marker. */
static bool split_line(struct verbose_line *l, const struct marker *marker, struct str text)
{
	size_t last;

	*l = (struct verbose_line){.old = marker->old, .graph = marker->graph, .rest = str_from(text, marker->text.n)};
	take_part(l, &l->version, is_version);
	take_part(l, &l->time, is_time);
	take_part(l, &l->component, is_component);
	l->op = first_field(l->rest);
	l->rest = str_from(l->rest, l->op.n + 1);
	l->graph |= str_eq(l->component, STR("graph"));
	if (!l->op.n || !set_type(l))
		return false;
	if (l->type >= VERBOSE_EXEC) {
		last = str_after_last(l->rest, ',');
		l->fields = str_head(l->rest, last - (last > 0));
		l->hash = hash_str(l->fields);
	}
	return true;
}

/* The maximum number of fields of a line. */
enum { FIELDS = 16 };

/* --- the form of fields --- */

/* Whether s is the name of an engine: "cpu", "gpu", "gpu:0", "cpu2gpu". */
static bool is_engine(struct str s)
{
	static const char *const all[] = {"cpu", "gpu", "cpu2gpu", "gpu2cpu", NULL};

	return str_in(str_head(s, str_find(s, STR(":"))), all);
}

/* Adds a member, unless the text is empty. */
static void put_some(struct buf *args, const char *key, struct str text)
{
	if (text.n)
		json_write_text(args, key, text);
}

/* Adds an implementation such as "jit:avx2" or "lrn_ref:any". */
static void put_impl(struct buf *args, struct str impl)
{
	static const char *const isas[] = {"sse41", "sse42", "asimd", "neon", "uni", "any", NULL};
	static const char *const families[] = {"avx", "amx", "sve", "vsx", "rv", NULL};
	struct str rest = impl, word, part, isa = {NULL, 0};
	bool ref = false;

	if (!impl.n)
		return;
	while (str_split(&rest, ':', &word)) {
		if (str_in(word, isas) || str_starts_in(word, families))
			isa = word;
		while (str_split(&word, '_', &part))
			ref |= str_eq(part, STR("ref"));
	}
	json_write_text(args, "impl", impl);
	put_some(args, "isa", isa);
	if (ref)
		json_write_bool(args, "ref", true);
}

/* --- data types --- */

static const char *const types[] = {"f32", "bf16", "f16", "s8", "u8", "s32", "f64", "s4", "u4", "f8_e5m2", "f8_e4m3",
    "f4_e2m1", "f4_e3m0", "e8m0", "tf32", "s64", "boolean", "bin", NULL};

/*
 * Returns the data type of a tensor such as "in:f32_nchw" (old versions), "src_f32::blocked:ab:f0" or
 * "src:f32::blocked:ab::f0"; n == 0 for a tensor without a type, and for an absent tensor ("bia_undef").
 */
static struct str type_of(struct str tensor)
{
	size_t colon = str_find(tensor, STR(":")), i;
	struct str head = str_head(tensor, colon), second = str_from(tensor, colon + 1), type;

	second = str_head(second, str_find(second, STR(":")));
	for (i = 0; types[i]; i++) {
		type = str_of(types[i]);
		if (head.n > type.n && head.p[head.n - type.n - 1] == '_' && str_ends(head, type))
			return (struct str){head.p + head.n - type.n, type.n};
		if (str_starts(second, type) && (second.n == type.n || second.p[type.n] == '_') &&
		    (second.n == type.n || str_eq(head, STR("in")) || str_eq(head, STR("out"))))
			return str_head(second, type.n);
	}
	return STR("");
}

/* Writes the tensors, and their data types in their order, each type only once: "u8,s8,f32". */
static void put_tensors(struct buf *args, struct str mds)
{
	struct str found[FIELDS], tensor, type;
	size_t n = 0, i;

	mds = str_trim(mds);
	put_some(args, "mds", mds);
	while (n < FIELDS && str_split(&mds, ' ', &tensor)) {
		type = type_of(tensor);
		for (i = 0; i < n && !str_eq(found[i], type); i++)
			;
		if (!type.n || i < n)
			continue;
		if (n == 0)
			json_write_key(args, "dtypes");
		buf_char(args, n ? ',' : '"');
		buf_add(args, type.p, type.n);
		found[n++] = type;
	}
	if (n)
		buf_char(args, '"');
}

/* --- lines --- */

/* Splits a text at its commas, except those inside braces. Returns the number of fields, at most FIELDS + 1. */
static size_t split_fields(struct str s, struct str *f)
{
	size_t n = 0, start = 0, i, depth = 0;

	for (i = 0; i <= s.n; i++) {
		if (i < s.n && s.p[i] != ',') {
			depth += s.p[i] == '{';
			depth -= s.p[i] == '}' && depth;
			continue;
		}
		if (i < s.n && depth)
			continue;
		if (n == FIELDS)
			return FIELDS + 1;
		f[n++] = (struct str){s.p + start, i - start};
		start = i + 1;
	}
	return n;
}

/* The fields of a primitive, in the order of the latest version. */
enum { ENGINE, NAME, IMPL, PROP, MDS, ATTR, AUX, SHAPE, N_PARTS };
static const char letters[] = "enipmtas";

/* The orders of the fields in the versions, as letters; a space is an empty field. */
static const struct field_order {
	bool old;
	const char *order, *name; /* name: the only primitive with this order, or NULL */
} orders[] = {
    {false, "enipmtas", NULL},                                              /* oneDNN 1.1 added the field attr */
    {false, "enipm s", "gemm_api"},                                         /* 2.7 */
    {true, "enipmas", NULL}, {true, "nipmas", NULL}, {true, "npmas", NULL}, /* MKL-DNN 0.13 added the field impl */
};

/* Adds the fields of a primitive except its name. */
static void put_primitive(struct buf *args, const struct str f[N_PARTS])
{
	json_write_text(args, "engine", f[ENGINE]);
	put_impl(args, f[IMPL]);
	put_some(args, "prop", f[PROP]);
	put_tensors(args, f[MDS]);
	put_some(args, "attr", str_trim(f[ATTR]));
	put_some(args, "aux", str_trim(f[AUX]));
	put_some(args, "shape", f[SHAPE]);
}

/* Sorts the n fields of a primitive into all[]; false when they do not have this layout. */
static bool sort_fields(const struct field_order *l, const struct str *f, size_t n, struct str all[N_PARTS])
{
	const char *letter = l->order;
	size_t i;

	if (strlen(l->order) != n)
		return false;
	memset(all, 0, N_PARTS * sizeof *all);
	for (i = 0; i < n; i++, letter++) {
		if (*letter != ' ')
			all[strchr(letters, *letter) - letters] = f[i];
		else if (f[i].n)
			return false;
	}
	if (l->name && !str_eq(all[NAME], str_of(l->name)))
		return false;
	if (l->order[0] == 'e')
		return is_engine(all[ENGINE]);
	all[ENGINE] = STR("cpu");
	/* The kind of propagation distinguishes lines of old versions from lines that lost a field. */
	return !is_engine(f[0]) && (str_eq(all[PROP], STR("undef")) || str_starts(all[PROP], STR("forward")) ||
				       str_starts(all[PROP], STR("backward")));
}

/* Converts the fields engine, partition, kind, ops, formats, tensors, fpmath, [impl,] backend. */
static bool describe_partition(const struct str *f, size_t n, struct str *name, struct buf *args)
{
	if (n != 8 && n != 9)
		return false;
	*name = f[2];
	json_write_text(args, "engine", f[0]);
	put_some(args, "partition", f[1]);
	if (n == 9)
		put_impl(args, f[7]);
	put_some(args, "ops", f[3]);
	put_some(args, "formats", f[4]);
	put_tensors(args, f[5]);
	put_some(args, "fpmath", str_starts(f[6], STR("fpm:")) ? str_from(f[6], 4) : f[6]);
	put_some(args, "backend", f[n - 1]);
	return true;
}

/* Converts the fields engine, "name(kind)", number and, unless absent, attrs:{}, inputs:{}, outputs:{}. */
static bool describe_graph_op(const struct str *f, size_t n, struct str *name, struct buf *args)
{
	static const char *const keys[] = {"attrs", "inputs", "outputs"};
	struct str key;
	size_t i, k = 0;

	if (n < 3)
		return false;
	*name = str_head(f[1], str_find(f[1], STR("(")));
	json_write_text(args, "engine", f[0]);
	put_some(args, "partition", f[2]);
	for (i = 3; i < n; i++) {
		key = str_head(f[i], str_find(f[i], STR(":")));
		/* the keys are in this order; each occurs at most once */
		while (k < 3 && !str_eq(key, str_of(keys[k])))
			k++;
		if (k == 3)
			return false;
		json_write_text(args, keys[k++], str_from(f[i], key.n + 1));
	}
	return true;
}

/* Converts the fields of a timed line. False when its version does not have such fields. *name is a view of them. */
static bool describe(const struct verbose_line *l, struct str fields, struct str *name, struct buf *args)
{
	struct str f[FIELDS], all[N_PARTS];
	const size_t n = split_fields(fields, f);
	size_t i;

	if (!n || n > FIELDS)
		return false;
	if (l->graph) {
		if (!is_engine(f[0]))
			return false;
		return (n > 1 && str_ends(f[1], STR(")")) ? describe_graph_op : describe_partition)(f, n, name, args) &&
		       name->n;
	}
	for (i = 0; i < sizeof orders / sizeof *orders; i++) {
		if (orders[i].old != l->old || !sort_fields(&orders[i], f, n, all))
			continue;
		*name = all[NAME];
		put_primitive(args, all);
		return name->n > 0;
	}
	return false;
}

/* --- lines without a time: the header, and messages about checks, dispatch and errors --- */

/* Reads "oneDNN v2.6.3 (commit N/A)"; some versions add ",INSTRUCTION SET". */
static bool put_library(struct str s, struct buf *args)
{
	size_t at = str_find(s, STR(" v")), open = str_find(s, STR(" (")), close;
	struct str commit, before = str_head(s, at);

	if (at == s.n || open < at || str_find(before, STR("DNN")) == at)
		return false;
	json_write_text(args, "library", before);
	json_write_text(args, "version", str_trim((struct str){s.p + at + 1, open - at - 1}));
	if (open == s.n)
		return true;
	s = str_from(s, open + 2);
	close = str_find(s, STR(")"));
	commit = str_head(s, close);
	if (str_starts(commit, STR("commit ")))
		commit = str_from(commit, 7);
	else if (str_starts(commit, STR("Git Hash ")))
		commit = str_from(commit, 9);
	put_some(args, "commit", commit);
	s = str_from(s, close + 1);
	put_some(args, "isa", str_starts(s, STR(",")) ? str_from(s, 1) : s);
	return true;
}

/* Reads "runtime:OpenMP,nthr:2"; other fields may follow. */
static void put_runtime(struct str s, struct buf *args)
{
	struct str field = str_head(s, str_find(s, STR(",")));
	int64_t n;

	json_write_text(args, "runtime", str_from(field, 8));
	s = str_from(s, field.n + 1);
	field = str_head(s, str_find(s, STR(",")));
	if (str_starts(field, STR("nthr:")) && num_int(str_from(field, 5), &n) == NUM_OK) {
		json_write_int(args, "nthr", n);
		s = str_from(s, field.n + 1);
	}
	put_some(args, "text", s);
}

/* Converts the fields of a line of oneDNN's header. Returns the name, which is static text. */
static struct str put_info(struct str s, struct buf *args)
{
	static const struct {
		bool after_engine;
		const char *prefix, *key, *name;
	} infos[] = {
	    {false, "Detected ISA is ", "isa", "isa"},
	    {false, "template:", "text", "template"},
	    {false, "prim_template:", "text", "template"},
	    {true, "isa:", "isa", "isa"},
	};
	const struct str engine = str_head(s, str_find(s, STR(",")));
	const bool has_engine = is_engine(engine);
	size_t i;

	if (put_library(s, args))
		return STR("version");
	if (has_engine) {
		json_write_text(args, "engine", engine);
		s = str_from(s, engine.n + 1);
	}
	for (i = 0; i < sizeof infos / sizeof *infos; i++) {
		if (infos[i].after_engine != has_engine || !str_starts(s, str_of(infos[i].prefix)))
			continue;
		json_write_text(args, infos[i].key, str_from(s, strlen(infos[i].prefix)));
		return str_of(infos[i].name);
	}
	if (has_engine && str_starts(s, STR("runtime:"))) {
		put_runtime(s, args);
		return STR("runtime");
	}
	put_some(args, "text", s);
	return has_engine && str_starts(s, STR("engine,")) ? STR("engine") : STR("info");
}

/* Converts the fields of a line without a time. Returns the name, a view of the fields; n may be 0. */
static struct str put_diag(struct str fields, struct buf *args)
{
	struct str f[FIELDS], message = fields, last = str_from(fields, str_after_last(fields, ','));
	size_t n = split_fields(fields, f), from = 1, colon = str_after_last(last, ':');
	int64_t line;

	if (n == N_PARTS && is_engine(f[0])) { /* create:start */
		put_primitive(args, f);
		return f[NAME];
	}
	/* The last field may be a place in oneDNN's source: "src/cpu/x64/matmul/brgemm_matmul.cpp:97". */
	if (last.n < fields.n && colon > 1 && num_int(str_from(last, colon), &line) == NUM_OK &&
	    memchr(last.p, '.', colon)) {
		json_write_text(args, "file", str_head(last, colon - 1));
		json_write_int(args, "line", line);
		message.n -= last.n + 1;
	}
	n = split_fields(message, f);
	/* name, fields of the primitive, message */
	if (n > 1 + N_PARTS && n <= FIELDS && is_engine(f[1])) {
		put_primitive(args, f + 1);
		from = 1 + N_PARTS;
	}
	if (n > FIELDS || n < 2) { /* only a message, or a message with many commas */
		json_write_text(args, "message", message);
		return STR("");
	}
	json_write_text(args, "message", str_from(message, (size_t)(f[from].p - message.p)));
	return f[0];
}

/* --- the format --- */

/*
 * A cache of converted fields, because the same fields occur many times. Its size does not depend on the length of the
 * log, because a new entry replaces the older entry that has the same index.
 */
enum { KNOWN = 512, KNOWN_SIZE = 2048 };

struct known_fields {
	bool old, graph;
	struct buf fields, name, args;
};

struct onednn {
	struct line line;
	struct str rest; /* the text of the current line that has not been read yet */
	bool inside;     /* rest does not begin at the start of the line */
	int64_t seq;     /* number of timed lines so far */
	struct known_fields known[KNOWN];
};

#define BROKEN "oneDNN verbose line is cut short or damaged; skipped"
static bool report_lost(const struct onednn *o, struct reader *r, const char *what)
{
	return reader_lost(r, what, o->line.line, o->line.offset);
}

/* Adds the members that lines of all types have, and ends the record. */
static bool end_record(struct onednn *o, const struct reader *r, const struct verbose_line *l, struct event *e)
{
	struct buf *args = &r->draft->args;
	int64_t ts;

	if (l->time.n && num_fixed(l->time, 6, &ts) == NUM_OK)
		event_set_ts(e, ts);
	else if (l->type >= VERBOSE_EXEC)
		json_write_int(args, "seq", o->seq - 1);
	if (l->component.n && !str_eq(l->component, STR("primitive")))
		json_write_text(args, "component", l->component);
	if (l->version.n && l->type != VERBOSE_INFO) /* a header line has the library's version here */
		json_write_text(args, "version", l->version);
	return draft_end(r, e);
}

/* Handles a line, or part of a line, that was not written by oneDNN. */
static bool text_record(struct onednn *o, struct reader *r, struct str text, struct event *e)
{
	text = str_trim(text);
	if (!text.n || !draft_text(r, &o->line, text, "line is not oneDNN verbose output; skipped", e))
		return false;
	reader_check_text(r, text, o->line.line, o->line.offset);
	return true;
}

/* --- timed lines --- */

static bool is_known(const struct known_fields *k, const struct verbose_line *l)
{
	return l->fields.n && k->old == l->old && k->graph == l->graph && str_eq(buf_str(&k->fields), l->fields);
}

/* Converts the fields to *k; false when they are not the fields of a timed line. */
static bool store_known(struct known_fields *k, const struct verbose_line *l, struct str fields)
{
	struct str name;

	k->fields.n = k->name.n = 0;
	buf_set(&k->args, STR("{"));
	if (!describe(l, fields, &name, &k->args))
		return false;
	json_quote(&k->name, name);
	k->old = l->old;
	k->graph = l->graph;
	/* Text with control characters or invalid UTF-8 is not cached, so that each occurrence is counted. */
	if (fields.n <= KNOWN_SIZE && json_plain(fields) == fields.n)
		buf_add(&k->fields, fields.p, fields.n);
	return true;
}

static bool timed_record(struct onednn *o, struct reader *r, const struct verbose_line *l, const struct known_fields *k,
    const int64_t *dur, struct event *e)
{
	const enum event_kind kind = l->type == VERBOSE_EXEC ? KIND_PRIMITIVE : KIND_CREATE;
	struct buf *args = &r->draft->args;
	struct str cache = str_from(l->op, str_find(l->op, STR(":")) + 1);

	o->seq++;
	if (!reader_wants(r, kind))
		return false;
	draft_begin(r, e, kind);
	event_set(e, EVENT_NAME, buf_str(&k->name));
	if (dur)
		event_set_dur(e, *dur);
	buf_add(args, k->args.p + 1, k->args.n - 1); /* without the bracket */
	if (l->type == VERBOSE_CREATE && cache.n)    /* "hit", "miss", "kernel_cache_hit" */
		json_write_text(args, "cache", str_starts(cache, STR("cache_")) ? str_from(cache, 6) : cache);
	/* The line's time is part of another line's time, or includes the times of other lines. */
	if (l->graph || str_starts(l->op, STR("create_nested")))
		json_write_bool(args, "nested", true);
	return end_record(o, r, l, e);
}

/* Converts one piece of a line that describes an execution or a creation. */
static bool read_timed(struct onednn *o, struct reader *r, const struct verbose_line *l, struct event *e)
{
	const struct str fields = l->fields;
	struct known_fields *k = &o->known[l->hash % KNOWN];
	enum num_result result;
	int64_t dur;

	if (!is_known(k, l)) {
		reader_check_text(r, fields, o->line.line, o->line.offset);
		if (!store_known(k, l, fields)) {
			/* Version 1.0 measured times on a GPU only on request, so the line may have no time. */
			if (l->old && str_starts(fields, STR("gpu")) && store_known(k, l, l->rest)) {
				k->fields.n = 0;
				return timed_record(o, r, l, k, NULL, e);
			}
			return report_lost(o, r, BROKEN);
		}
	}
	result = num_fixed(str_trim(str_from(l->rest, fields.n + 1)), 6, &dur);
	if (result != NUM_OK)
		return report_lost(
		    o, r, result == NUM_RANGE ? "time does not fit in 64 bits of nanoseconds; line skipped" : BROKEN);
	if (o->line.cut)
		reader_warning(r, "last line has no newline; its time may be incomplete", o->line.line, o->line.offset);
	return timed_record(o, r, l, k, &dur, e);
}

/* --- lines --- */

static bool read_untimed(struct onednn *o, struct reader *r, const struct verbose_line *l, struct event *e)
{
	const enum event_kind kind = l->type == VERBOSE_INFO ? KIND_META : KIND_OTHER;
	const struct str fields = str_trim(l->rest);
	struct buf *args = &r->draft->args;
	struct str name;

	if (!reader_wants(r, kind))
		return false;
	reader_check_text(r, l->rest, o->line.line, o->line.offset);
	if (kind == KIND_OTHER && !fields.n)
		return report_lost(o, r, BROKEN);
	draft_begin(r, e, kind);
	if (kind == KIND_OTHER) {
		json_write_text(args, "class", STR("diag"));
		json_write_text(args, "op", l->op);
	}
	name = kind == KIND_META ? put_info(fields, args) : put_diag(fields, args);
	if (name.n)
		draft_name(r->draft, name);
	return end_record(o, r, l, e);
}

/* Handles the next piece of o->rest: the text before a marker, or a marker and the text up to the next one. */
static bool read_text_line(struct onednn *o, struct reader *r, struct event *e)
{
	struct str s = o->rest, text;
	struct verbose_line l;
	const struct marker *marker;
	bool inside = o->inside, split;
	size_t end;

	o->inside = true;
	marker = find_marker(s, &end);
	if (end) {
		o->rest = str_from(s, end);
		return text_record(o, r, str_head(s, end), e);
	}
	split = split_line(&l, marker, s);
	end = s.n;
	/* Fields that are in the cache do not contain the marker of another line. */
	if (!split || l.type < VERBOSE_EXEC || !is_known(&o->known[l.hash % KNOWN], &l)) {
		find_marker(str_from(s, 1), &end);
		end++;
	}
	text = str_head(s, end);
	o->rest = str_from(s, text.n);
	if (end < s.n)
		split = split_line(&l, marker, text);
	if (!split)
		return inside ? text_record(o, r, text, e) : report_lost(o, r, BROKEN);
	return l.type >= VERBOSE_EXEC ? read_timed(o, r, &l, e) : read_untimed(o, r, &l, e);
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct onednn *o = state;

	for (;;) {
		while (o->rest.n) {
			if (read_text_line(o, r, e))
				return 1;
		}
		if (lines_next(&r->lines, &o->line) <= 0)
			return 0;
		o->rest = o->line.text;
		o->inside = false;
	}
}

static void close_onednn(void *state, struct reader *r)
{
	struct onednn *o = state;
	size_t i;

	(void)r;
	for (i = 0; i < KNOWN; i++)
		bufs_free(&o->known[i].fields, &o->known[i].name, &o->known[i].args);
}

/* Finds a line of oneDNN anywhere in the head, because a program may print a lot of output before it. */
static bool is_onednn_log(struct str head)
{
	struct verbose_line l;
	const struct marker *marker;
	struct str line;
	size_t at;

	while (head_line(&head, &line)) {
		marker = find_marker(line, &at);
		if (marker && split_line(&l, marker, str_from(line, at)))
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
    .lines = true,
    .next = next,
    .close = close_onednn,
};
