#include "figures.h"

#include "base/err.h"
#include "json/scan.h"
#include "json/write.h"
#include "program/shell_words.h"

#include <stdlib.h>

static size_t find(const struct section_figures *f, struct str name)
{
	size_t i;

	for (i = 0; i < f->scope.n_names && !str_eq(f->scope.names[i].name, name); i++)
		;
	return i;
}

void figures_set(struct section_figures *f, struct str name, const struct result *value)
{
	const size_t i = expression_scope_name(&f->scope, name);
	struct expression_name *figure = &f->scope.names[i];
	struct buf text = {0};

	if (value->type != RESULT_ABSENT && value->type != RESULT_FAILED)
		result_write(&text, value);
	if (figure->value.type != RESULT_ABSENT)
		free((char *)figure->value.json.p);
	figure->visible = true;
	figure->value = (struct result){.type = RESULT_ABSENT};
	if (text.n)
		figure->value = result_json(buf_str(&text));
}

void figures_copy(struct section_figures *to, const struct section_figures *from)
{
	size_t i;

	for (i = 0; i < from->scope.n_names; i++)
		figures_set(to, from->scope.names[i].name, &from->scope.names[i].value);
}

void figures_free(struct section_figures *f)
{
	size_t i;

	for (i = 0; i < f->scope.n_names; i++) {
		if (f->scope.names[i].value.type != RESULT_ABSENT)
			free((char *)f->scope.names[i].value.json.p);
	}
	expression_scope_free(&f->scope);
}

struct expression *figures_compile(struct section_figures *f, struct str text)
{
	struct fault fault;
	struct expression *x = expression_new(&f->scope, text, 0, &fault);

	if (!x)
		die("%s: '%.*s': invalid expression at byte %llu: %s", f->place, STR_FMT(text),
		    (unsigned long long)fault.at.byte + 1, fault.what);
	return x;
}

struct result figures_value(struct section_figures *f, struct str text, struct event *e)
{
	struct expression *x = figures_compile(f, text);
	static char line[SCAN_PAD + 2] = "{}";
	static struct buf room;
	struct event none;
	struct result r;

	if (!e) {
		event_parse(&none, (struct str){line, 2});
		e = &none;
	}
	f->scope.record++;
	r = expression_value(x, &f->scope, e);
	room.n = 0;
	if (r.type == RESULT_FAILED)
		r.type = RESULT_ABSENT;
	if (r.type != RESULT_ABSENT) {
		result_write(&room, &r);
		r = result_json(buf_str(&room));
	}
	expression_free(x);
	return r;
}

bool figures_hold(struct section_figures *f, struct str text)
{
	struct result r;

	if (!text.n)
		return true;
	r = figures_value(f, text, NULL);
	return (r.type == RESULT_INT && r.i != 0) || (r.type == RESULT_REAL && (r.d < 0 || r.d > 0));
}

struct str figures_split(const struct section_figures *f, struct str text, struct str *expression)
{
	const size_t equals = field_span(text, "=");

	if (equals == text.n)
		die("%s: '%.*s': expected NAME = EXPR", f->place, STR_FMT(text));
	*expression = str_from(text, equals + 1);
	return str_trim(str_head(text, equals));
}

/*
 * Splits a text at its first {name:unit words}, or after the first brace of {{; then name->p is NULL. Sets *before to
 * the text before the brace, *name, *unit and *words (each may be empty), and *rest to the text after the closing
 * brace. Returns false if there is no brace.
 */
static bool next_brace(struct str *rest, struct str *before, struct str *name, struct str *unit, struct str *words)
{
	const size_t open = str_find(*rest, STR("{"));
	const size_t length = str_find(str_from(*rest, open), STR("}")); /* of {name */

	*before = open + length < rest->n ? str_head(*rest, open) : *rest;
	if (open + length >= rest->n)
		return false;
	*name = *unit = *words = (struct str){NULL, 0};
	if (rest->p[open + 1] == '{') {
		*before = str_head(*rest, open + 1);
		*rest = str_from(*rest, open + 2);
		return true;
	}
	*words = str_head(str_from(*rest, open + 1), length - 1);
	*rest = str_from(*rest, open + length + 1);
	str_split(words, ':', name);
	if (words->p)
		str_split(words, ' ', unit);
	return true;
}

/* Appends the value of a figure, which may be ABSENT. */
static void add_figure_value(struct buf *b, const struct result *value, enum figures_form form)
{
	const bool absent = value->type == RESULT_ABSENT;
	struct buf room = {0};
	char *word;

	if (form == FIGURES_EXPRESSION) {
		if (absent)
			buf_lit(b, "if(0,0)");
		else
			result_write(b, value);
	} else if (!absent) {
		word = str_dup(result_as_text(value, &room));
		if (form == FIGURES_SHELL) {
			room.n = 0;
			shell_words_add(&room, &word, &word + 1);
			buf_add(b, room.p + 1, room.n - 1); /* without the blank */
		} else {
			buf_add(b, word, strlen(word));
		}
		free(word);
	}
	buf_free(&room);
}

void figures_expand(struct section_figures *f, struct buf *b, struct str text, enum figures_form form)
{
	const struct result absent = {.type = RESULT_ABSENT};
	struct str before, name, unit, words;

	while (next_brace(&text, &before, &name, &unit, &words)) {
		const size_t i = find(f, name);

		buf_add(b, before.p, before.n);
		if (name.p)
			add_figure_value(b, i < f->scope.n_names ? &f->scope.names[i].value : &absent,
			    str_eq(unit, STR("words")) ? FIGURES_PLAIN : form);
	}
	buf_add(b, before.p, before.n);
}

/* Appends "name":value, unless the members have it. */
static void add_member(struct buf *members, struct str name, const struct result *value)
{
	struct buf key = {0};

	json_write_name(&key, name);
	if (!members->n || str_find(buf_str(members), buf_str(&key)) == members->n) {
		buf_add(members, key.p, key.n);
		result_write(members, value);
	}
	buf_free(&key);
}

bool figures_fill(struct section_figures *f, struct buf *b, struct str text, struct buf *members)
{
	struct str before, name, unit, words, one;
	struct buf room = {0};
	bool known = true;

	while (next_brace(&text, &before, &name, &unit, &words)) {
		const size_t i = find(f, name);
		const struct result *value = i < f->scope.n_names ? &f->scope.names[i].value : NULL;

		buf_add(b, before.p, before.n);
		if (!name.p) {
			buf_char(b, '{'); /* {{ is for the program that prints the report */
			continue;
		}
		if (!value || value->type == RESULT_ABSENT) {
			known = false;
			continue;
		}
		if (str_eq(unit, STR("words"))) {
			known &= figures_fill(f, b, result_as_text(value, &room), members);
			continue;
		}
		buf_char(b, '{');
		buf_add(b, name.p, name.n);
		if (unit.n) {
			buf_char(b, ':');
			buf_add(b, unit.p, unit.n);
		}
		buf_char(b, '}');
		if (words.n) {
			str_split(&words, '|', &one);
			if (value->type != RESULT_INT || value->i != 1)
				one = words;
			buf_char(b, ' ');
			buf_add(b, one.p, one.n);
		}
		add_member(members, name, value);
	}
	buf_add(b, before.p, before.n);
	buf_free(&room);
	return known;
}
