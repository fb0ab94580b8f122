/*
 * onednn_other: converts oneDNN's lines without a time: its header, and its messages about checks, dispatch and errors.
 */
#include "onednn.h"

#include "base/num_parse.h"
#include "json/write.h"

/* Reads "oneDNN v2.6.3 (commit N/A)"; some versions add ",INSTRUCTION SET". */
static bool library(struct str s, struct buf *args)
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
	onednn_put_some(args, "commit", commit);
	s = str_from(s, close + 1);
	onednn_put_some(args, "isa", str_starts(s, STR(",")) ? str_from(s, 1) : s);
	return true;
}

/* Reads "runtime:OpenMP,nthr:2"; other fields may follow. */
static void runtime(struct str s, struct buf *args)
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
	onednn_put_some(args, "text", s);
}

void onednn_info(struct str s, struct str *name, struct buf *args)
{
	const struct str detected = STR("Detected ISA is ");
	struct str engine = str_head(s, str_find(s, STR(","))), rest = str_from(s, engine.n + 1);

	*name = STR("info");
	if (library(s, args)) {
		*name = STR("version");
	} else if (str_starts(s, detected)) {
		*name = STR("isa");
		json_write_text(args, "isa", str_from(s, detected.n));
	} else if (str_starts(s, STR("template:")) || str_starts(s, STR("prim_template:"))) {
		*name = STR("template");
		json_write_text(args, "text", str_from(s, str_find(s, STR(":")) + 1));
	} else if (!onednn_is_engine(engine)) {
		onednn_put_some(args, "text", s);
	} else {
		json_write_text(args, "engine", engine);
		if (str_starts(rest, STR("isa:"))) {
			*name = STR("isa");
			json_write_text(args, "isa", str_from(rest, 4));
		} else if (str_starts(rest, STR("runtime:"))) {
			*name = STR("runtime");
			runtime(rest, args);
		} else {
			if (str_starts(rest, STR("engine,")))
				*name = STR("engine");
			onednn_put_some(args, "text", rest);
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
	if (n == 8 && onednn_is_engine(f[0])) { /* create:start */
		*name = f[1];
		onednn_put_primitive(args, f[0], f + 1);
		return true;
	}
	while (comma && fields.p[comma - 1] != ',')
		comma--;
	last = str_from(fields, comma);
	message = comma && put_place(args, last) ? str_head(fields, comma - 1) : fields;
	n = onednn_fields(message, f);
	/* name, engine, fields of the primitive, message */
	if (n > 9 && n <= ONEDNN_FIELDS && onednn_is_engine(f[1])) {
		onednn_put_primitive(args, f[1], f + 2);
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
