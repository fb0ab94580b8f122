#include "onednn_field.h"

#include "base/num_parse.h"
#include "json/write.h"

/* The maximum number of fields of a line. */
enum { ONEDNN_FIELDS = 16 };

/* --- the form of fields --- */

/* Whether s is the name of an engine: "cpu", "gpu", "gpu:0", "cpu2gpu". */
static bool is_engine(struct str s)
{
	static const char *const all[] = {"cpu", "gpu", "cpu2gpu", "gpu2cpu", NULL};

	return str_in(str_head(s, str_find(s, STR(":"))), all);
}

/*
 * Whether s is a kind of propagation, such as "undef", "forward_training", "backward_data". The propagation kind
 * distinguishes lines of old versions from lines that lost a field.
 */
static bool is_prop(struct str s)
{
	return str_eq(s, STR("undef")) || str_starts(s, STR("forward")) || str_starts(s, STR("backward"));
}

/* Adds a member, unless the text is empty. */
static void put_some(struct buf *args, const char *key, struct str text)
{
	if (text.n)
		json_write_text(args, key, text);
}

static bool is_isa(struct str s)
{
	static const char *const whole[] = {"sse41", "sse42", "asimd", "neon", "uni", "any", NULL};

	return str_in(s, whole) || str_starts(s, STR("avx")) || str_starts(s, STR("amx")) ||
	       str_starts(s, STR("sve")) || str_starts(s, STR("vsx")) || str_starts(s, STR("rv"));
}

/* Whether one of the words is "ref", as in "lrn_ref:any". */
static bool is_reference(struct str impl)
{
	size_t i, start = 0;

	for (i = 0; i <= impl.n; i++) {
		if (i < impl.n && impl.p[i] != ':' && impl.p[i] != '_')
			continue;
		if (str_eq((struct str){impl.p + start, i - start}, STR("ref")))
			return true;
		start = i + 1;
	}
	return false;
}

static void put_impl(struct buf *args, struct str impl)
{
	struct str rest = impl, word, isa = {NULL, 0};

	if (!impl.n)
		return;
	while (str_split(&rest, ':', &word)) {
		if (is_isa(word))
			isa = word;
	}
	json_write_text(args, "impl", impl);
	put_some(args, "isa", isa);
	if (is_reference(impl))
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

/* Writes the data types of the tensors in their order, each type only once: "u8,s8,f32". */
static void put_types(struct buf *args, struct str mds)
{
	struct str found[ONEDNN_FIELDS], tensor, type;
	size_t n = 0, i;

	while (n < ONEDNN_FIELDS && str_split(&mds, ' ', &tensor)) {
		type = type_of(tensor);
		for (i = 0; i < n && !str_eq(found[i], type); i++)
			;
		if (type.n && i == n)
			found[n++] = type;
	}
	if (!n)
		return;
	json_write_key(args, "dtypes");
	buf_char(args, '"');
	for (i = 0; i < n; i++) {
		if (i)
			buf_char(args, ',');
		buf_add(args, found[i].p, found[i].n);
	}
	buf_char(args, '"');
}

static void put_tensors(struct buf *args, struct str mds)
{
	mds = str_trim(mds);
	put_some(args, "mds", mds);
	put_types(args, mds);
}

/* --- lines --- */

/*
 * Splits a text at its commas, except those inside braces. Returns the number of fields; ONEDNN_FIELDS + 1 when the
 * text has more fields than f[] can hold.
 */
static size_t onednn_fields(struct str s, struct str *f)
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
		if (n == ONEDNN_FIELDS)
			return ONEDNN_FIELDS + 1;
		f[n++] = (struct str){s.p + start, i - start};
		start = i + 1;
	}
	return n;
}

/*
 * Adds the fields that primitives have in all versions: prim, impl, prop, mds, attr, aux, shape. n is 0 for an absent
 * field.
 */
static void put_primitive(struct buf *args, struct str engine, const struct str f[7])
{
	json_write_text(args, "engine", engine);
	put_impl(args, f[1]);
	put_some(args, "prop", f[2]);
	put_tensors(args, f[3]);
	put_some(args, "attr", str_trim(f[4]));
	put_some(args, "aux", str_trim(f[5]));
	put_some(args, "shape", f[6]);
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

/*
 * Converts the fields engine, "name(kind)", number, attrs:{}, inputs:{}, outputs:{}; each of the last three may be
 * absent.
 */
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

bool onednn_describe(const struct onednn_line *l, struct str fields, struct str *name, struct buf *args)
{
	struct str f[ONEDNN_FIELDS], all[7] = {{0}};
	size_t n = onednn_fields(fields, f);
	bool engine = n && n <= ONEDNN_FIELDS && is_engine(f[0]);

	if (n > ONEDNN_FIELDS)
		return false;
	if (l->graph) {
		if (!engine)
			return false;
		if (n > 1 && str_ends(f[1], STR(")")))
			return describe_graph_op(f, n, name, args) && name->n;
		return describe_partition(f, n, name, args) && name->n;
	}
	if (engine && n == (l->old ? 7 : 8)) { /* oneDNN 1.1 added the field attr */
		memcpy(all, f + 1, 4 * sizeof *f);
		all[4] = l->old ? STR("") : f[5];
		memcpy(all + 5, f + n - 2, 2 * sizeof *f);
	} else if (engine && !l->old && n == 7 && str_eq(f[1], STR("gemm_api")) && !f[5].n) {
		/* lines of gemm_api in 2.7 have one field fewer */
		memcpy(all, f + 1, 4 * sizeof *f);
		all[6] = f[6];
	} else if (l->old && !engine && n == 6 && is_prop(f[2])) {
		memcpy(all, f, 4 * sizeof *f);
		memcpy(all + 5, f + 4, 2 * sizeof *f);
	} else if (l->old && !engine && n == 5 && is_prop(f[1])) { /* MKL-DNN 0.13 added the field impl */
		all[0] = f[0];
		memcpy(all + 2, f + 1, 2 * sizeof *f);
		memcpy(all + 5, f + 3, 2 * sizeof *f);
	} else {
		return false;
	}
	*name = all[0];
	put_primitive(args, engine ? f[0] : STR("cpu"), all);
	return name->n > 0;
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

void onednn_info(struct str s, struct str *name, struct buf *args)
{
	const struct str detected = STR("Detected ISA is ");
	struct str engine = str_head(s, str_find(s, STR(","))), rest = str_from(s, engine.n + 1);

	*name = STR("info");
	if (put_library(s, args)) {
		*name = STR("version");
	} else if (str_starts(s, detected)) {
		*name = STR("isa");
		json_write_text(args, "isa", str_from(s, detected.n));
	} else if (str_starts(s, STR("template:")) || str_starts(s, STR("prim_template:"))) {
		*name = STR("template");
		json_write_text(args, "text", str_from(s, str_find(s, STR(":")) + 1));
	} else if (!is_engine(engine)) {
		put_some(args, "text", s);
	} else {
		json_write_text(args, "engine", engine);
		if (str_starts(rest, STR("isa:"))) {
			*name = STR("isa");
			json_write_text(args, "isa", str_from(rest, 4));
		} else if (str_starts(rest, STR("runtime:"))) {
			*name = STR("runtime");
			put_runtime(rest, args);
		} else {
			if (str_starts(rest, STR("engine,")))
				*name = STR("engine");
			put_some(args, "text", rest);
		}
	}
}

/* Writes the last field, which is a place in oneDNN's source: "src/cpu/x64/matmul/brgemm_matmul.cpp:97". */
static bool put_place(struct buf *args, struct str s)
{
	size_t colon = s.n;
	int64_t line;

	while (colon && s.p[colon - 1] != ':')
		colon--;
	if (colon < 2 || num_int(str_from(s, colon), &line) != NUM_OK || !memchr(s.p, '.', colon))
		return false;
	json_write_text(args, "file", str_head(s, colon - 1));
	json_write_int(args, "line", line);
	return true;
}

bool onednn_diag(const struct onednn_line *l, struct str fields, struct str *name, struct buf *args)
{
	struct str f[ONEDNN_FIELDS], message, last;
	size_t n = onednn_fields(fields, f), from = 1, comma = fields.n;

	*name = STR("");
	if (!str_trim(fields).n)
		return false;
	json_write_text(args, "class", STR("diag"));
	json_write_text(args, "op", l->op);
	if (n == 8 && is_engine(f[0])) { /* create:start */
		*name = f[1];
		put_primitive(args, f[0], f + 1);
		return true;
	}
	while (comma && fields.p[comma - 1] != ',')
		comma--;
	last = str_from(fields, comma);
	message = comma && put_place(args, last) ? str_head(fields, comma - 1) : fields;
	n = onednn_fields(message, f);
	/* name, engine, fields of the primitive, message */
	if (n > 9 && n <= ONEDNN_FIELDS && is_engine(f[1])) {
		put_primitive(args, f[1], f + 2);
		from = 9;
	}
	if (n > ONEDNN_FIELDS || n < 2) { /* only a message, or a message with many commas */
		json_write_text(args, "message", message);
		return true;
	}
	*name = f[0];
	json_write_text(args, "message", (struct str){f[from].p, (size_t)(message.p + message.n - f[from].p)});
	return true;
}
