#include "figures.h"

#include "base/err.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/write.h"
#include "program/shell_words.h"

#include <stdlib.h>

void figures_set(struct figures *f, struct str name, struct result value)
{
	const size_t i = expression_scope_name(&f->scope, name);
	struct expression_name *figure = &f->scope.names[i];
	struct buf text = {0};

	if (value.type != RESULT_ABSENT && value.type != RESULT_FAILED)
		result_write(&text, &value);
	if (figure->value.type != RESULT_ABSENT)
		free((char *)figure->value.json.p);
	figure->visible = true;
	figure->value = text.n ? result_json(buf_str(&text)) : result_absent();
}

struct result figures_get(struct figures *f, struct str name)
{
	const size_t i = expression_scope_name(&f->scope, name);

	return f->scope.names[i].value;
}

void figures_set_members(struct figures *f, struct str record)
{
	struct str key, value;
	struct iter w;

	for (iter_init(&w, record); iter_next(&w, &key, &value) > 0;)
		figures_set(f, key, result_json(value));
}

void figures_copy(struct figures *f, const struct figures *from)
{
	size_t i;

	for (i = 0; i < from->scope.n_names; i++)
		figures_set(f, from->scope.names[i].name, from->scope.names[i].value);
}

void figures_free(struct figures *f)
{
	size_t i;

	for (i = 0; i < f->scope.n_names; i++) {
		if (f->scope.names[i].value.type != RESULT_ABSENT)
			free((char *)f->scope.names[i].value.json.p);
	}
	expression_scope_free(&f->scope);
}

/* --- expressions --- */

struct expression *figures_compile(const struct figures *f, struct expression_scope *s, struct str text)
{
	struct fault fault;
	struct expression *x = expression_new(s, text, 0, &fault);

	if (!x)
		die("%s: '%.*s': invalid expression at byte %llu: %s", f->place, STR_FMT(text),
		    (unsigned long long)fault.at.byte + 1, fault.what);
	return x;
}

struct result figures_value(struct figures *f, struct str expression)
{
	struct expression *x = figures_compile(f, &f->scope, expression);
	static char line[SCAN_PAD + 2] = "{}";
	static struct buf room;
	struct event none;
	struct result r;

	event_parse(&none, (struct str){line, 2});
	f->scope.record++;
	r = expression_value(x, &f->scope, &none);
	room.n = 0;
	if (r.type != RESULT_ABSENT && r.type != RESULT_FAILED)
		result_write(&room, &r);
	expression_free(x);
	return room.n ? result_json(buf_str(&room)) : result_absent();
}

bool figures_number(struct figures *f, struct str expression, long double *number)
{
	const struct result r = figures_value(f, expression);

	*number = r.type == RESULT_INT ? (long double)r.i : (long double)r.d;
	return r.type != RESULT_ABSENT;
}

bool figures_hold(struct figures *f, struct str expression)
{
	struct result r = result_int(1);

	if (expression.n)
		r = figures_value(f, expression);
	return (r.type == RESULT_INT && r.i != 0) || (r.type == RESULT_REAL && (r.d < 0 || r.d > 0));
}

struct str figures_split(const struct figures *f, struct str text, struct str *expression)
{
	const size_t equals = field_span(text, "=");

	if (equals == text.n)
		die("%s: '%.*s': expected NAME = EXPR", f->place, STR_FMT(text));
	*expression = str_from(text, equals + 1);
	return str_trim(str_head(text, equals));
}

/* --- texts --- */

/* The parts of {name:unit words}; each may be empty. */
struct brace {
	struct str name, unit, words;
};

/*
 * Splits a text at its first brace. Sets *before to the text before it, and *rest to the text after the closing brace;
 * for {{, name.p is NULL, and *before ends with one of the two braces. Returns false if there is no brace.
 */
static bool next_brace(struct str *rest, struct str *before, struct brace *b)
{
	const size_t open = str_find(*rest, STR("{"));
	const size_t length = str_find(str_from(*rest, open), STR("}")); /* of {name */

	*before = open + length < rest->n ? str_head(*rest, open) : *rest;
	if (open + length >= rest->n)
		return false;
	*b = (struct brace){.name.p = NULL};
	if (rest->p[open + 1] == '{') {
		*before = str_head(*rest, open + 1);
		*rest = str_from(*rest, open + 2);
		return true;
	}
	b->words = str_head(str_from(*rest, open + 1), length - 1);
	*rest = str_from(*rest, open + length + 1);
	str_split(&b->words, ':', &b->name);
	if (b->words.p)
		str_split(&b->words, ' ', &b->unit);
	return true;
}

/* Appends {name:unit} and the word for the value; appends the figure to the members. */
static void add_reference(struct buf *b, struct brace brace, const struct result *value, struct buf *members)
{
	struct buf key = {0};
	struct str word;

	buf_char(b, '{');
	buf_add(b, brace.name.p, brace.name.n);
	if (brace.unit.n) {
		buf_char(b, ':');
		buf_add(b, brace.unit.p, brace.unit.n);
	}
	buf_char(b, '}');
	if (brace.words.n) {
		str_split(&brace.words, '|', &word);
		if (value->type != RESULT_INT || value->i != 1)
			word = brace.words;
		buf_char(b, ' ');
		buf_add(b, word.p, word.n);
	}
	json_write_name(&key, brace.name);
	if (!members->n || str_find(buf_str(members), buf_str(&key)) == members->n) {
		buf_add(members, key.p, key.n);
		result_write(members, value);
	}
	buf_free(&key);
}

/* Appends a value that is not ABSENT as text, for FIGURES_SHELL as one word. */
static void add_word(struct buf *b, const struct result *value, enum figures_form form)
{
	struct buf room = {0}, quoted = {0};
	char *word = str_dup(result_as_text(value, &room));

	if (form == FIGURES_SHELL) {
		shell_words_add(&quoted, &word, &word + 1);
		buf_add(b, quoted.p + 1, quoted.n - 1); /* without the blank */
	} else {
		buf_add(b, word, strlen(word));
	}
	free(word);
	bufs_free(&room, &quoted);
}

/* Appends a value that is not ABSENT as a constant of an expression. */
static void add_constant(struct buf *b, const struct result *value)
{
	struct buf json = {0};
	size_t i;

	result_write(&json, value);
	for (i = 0; i < json.n; i++) {
		if (value->type == RESULT_TEXT && (i == 0 || i == json.n - 1))
			buf_char(b, '\'');
		else if (json.p[i] == '\'')
			buf_lit(b, "\\'");
		else
			buf_char(b, json.p[i]);
	}
	buf_free(&json);
}

bool figures_expand(struct figures *f, struct buf *b, struct str text, enum figures_form form, struct buf *members)
{
	struct str before;
	struct brace brace;
	bool known = true;

	while (next_brace(&text, &before, &brace)) {
		const struct result value = figures_get(f, brace.name);
		const bool words = str_eq(brace.unit, STR("words"));
		struct buf room = {0};

		buf_add(b, before.p, before.n);
		if (!brace.name.p) {
			if (form == FIGURES_TEXT)
				buf_char(b, '{'); /* {{ is for the program that prints the report */
		} else if (value.type == RESULT_ABSENT) {
			known = false;
			if (form == FIGURES_EXPRESSION)
				buf_lit(b, "if(0,0)");
		} else if (form == FIGURES_EXPRESSION) {
			add_constant(b, &value);
		} else if (form != FIGURES_TEXT) {
			add_word(b, &value, words ? FIGURES_PLAIN : form);
		} else if (words) {
			known &= figures_expand(f, b, result_as_text(&value, &room), form, members);
		} else {
			add_reference(b, brace, &value, members);
		}
		buf_free(&room);
	}
	buf_add(b, before.p, before.n);
	return known;
}

char *figures_text(struct figures *f, struct str text, enum figures_form form)
{
	struct buf b = {0};

	figures_expand(f, &b, text, form, NULL);
	buf_char(&b, '\0');
	return b.p;
}
