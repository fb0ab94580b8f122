/* field_quote: quoted parts of references: names with any characters, in double quotes. */
#include "record/field_private.h"

#include "json/check.h"
#include "json/string.h"

#include <stdlib.h>

size_t field_quoted(struct str text)
{
	size_t at;

	if (!text.n || text.p[0] != '"')
		return 0;
	for (at = 1; at < text.n; at++) {
		if (text.p[at] == '"')
			return at + 1;
		at += text.p[at] == '\\';
	}
	return 0;
}

size_t field_span(struct str text, const char *ends)
{
	bool begins = true;
	size_t at = 0, quoted;

	while (at < text.n && !memchr(ends, text.p[at], strlen(ends))) {
		quoted = begins ? field_quoted(str_from(text, at)) : 0;
		begins = memchr(".:! \t", text.p[at], 5) != NULL;
		at += quoted ? quoted : 1;
	}
	return at;
}

bool field_has_quotes(struct str text)
{
	struct str rest = text, part;

	while (str_split(&rest, '.', &part)) {
		if (part.n && part.p[0] == '"')
			return true;
	}
	return false;
}

/* --- compiling --- */

/* Appends the decoded text of the quoted part text[at..at + n). */
static bool add_decoded(struct buf *b, struct str text, size_t at, size_t n, struct fault *fault)
{
	struct str part = {text.p + at, n};
	struct fault ignored;

	if (!n)
		return fault_refuse(fault, "the closing quote is missing", at);
	if (n == 2)
		return fault_refuse(fault, "the name is empty", at);
	if (!json_check(part, &ignored))
		return fault_refuse(
		    fault, "a quoted name must be a JSON string; write \\\" for \" and \\\\ for \\", at);
	json_unescape(b, json_inner(part));
	return true;
}

/*
 * Reads the part at *at and the dot after it, adds its step to f, and appends its text to b. The caller sets the
 * pointer of the step's key when b is complete, because b may move until then.
 */
static bool add_part(struct field *f, struct buf *b, struct str text, size_t *at, struct fault *fault)
{
	const struct str rest = str_from(text, *at);
	const bool quoted = rest.p[0] == '"';
	const size_t first = b->n, n = quoted ? field_quoted(rest) : str_find(rest, STR("."));
	const bool each = quoted ? str_starts(str_from(rest, n), STR("[]")) : str_ends(str_head(rest, n), STR("[]"));
	const size_t brackets = each ? 2 : 0;

	if (quoted && !add_decoded(b, text, *at, n, fault))
		return false;
	if (!quoted)
		buf_add(b, rest.p, n - brackets);
	if (b->n == first)
		return fault_refuse(fault, "the name is empty", *at);
	*field_add_step(f) = (struct field_step){{NULL, b->n - first}, each};
	f->each |= each;
	if (each)
		buf_lit(b, "[]");
	*at += quoted ? n + brackets : n;
	if (*at == text.n)
		return true;
	if (text.p[*at] != '.')
		return fault_refuse(fault, "expected '.' or the end of the field after the closing quote", *at);
	if (++*at == text.n)
		return fault_refuse(fault, "the name is empty", *at);
	buf_char(b, '.');
	return true;
}

bool field_compile_quoted(struct field *f, struct str text, size_t slash, struct fault *fault)
{
	struct str reference = str_head(text, slash);
	struct buf b = {0};
	size_t at, i;

	for (at = 0; at < reference.n;) {
		if (!add_part(f, &b, reference, &at, fault)) {
			buf_free(&b);
			return false;
		}
	}
	f->name.n = b.n;
	buf_add(&b, text.p + slash, text.n - slash);
	buf_char(&b, '\0');
	f->spec = f->name.p = f->plain = b.p;
	for (at = 0, i = 0; i < f->n_steps; i++) {
		f->steps[i].key.p = b.p + at;
		at += f->steps[i].key.n + (f->steps[i].each ? 2 : 0) + 1;
	}
	return true;
}

/* --- quoting --- */

static void add_quoted(struct buf *b, struct str name, bool needed)
{
	if (needed || !name.n || memchr(name.p, '\0', name.n) || field_has_quotes(name) || str_ends(name, STR("[]")) ||
	    field_find_slash(name) < name.n)
		json_quote(b, name);
	else
		buf_add(b, name.p, name.n);
}

void field_quote(struct buf *b, struct str name)
{
	add_quoted(b, name,
	    str_starts(name, STR(".")) || str_ends(name, STR(".")) || str_find(name, STR("..")) < name.n ||
		str_find(name, STR("[].")) < name.n);
}

void field_quote_part(struct buf *b, struct str name)
{
	add_quoted(b, name, str_find(name, STR(".")) < name.n);
}
