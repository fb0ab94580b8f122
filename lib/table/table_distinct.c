/* table_distinct: chooses how to show a column's texts so that different texts look different. */
#include "table/table_private.h"

#include "base/map.h"
#include "base/mem.h"
#include "record/cxx_short_name.h"
#include "table/alike_texts.h"
#include "table/text_cut.h"
#include "table/text_width.h"

#include <stdlib.h>

enum {
	MORE = 24,  /* additional width for a name if other names have the same short form */
	ROUNDS = 8, /* maximum number of passes that make texts look different */
};

void table_distinct_gather(struct table *t)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		enum value_type type = t->row[i].type;

		if (type == VALUE_STRING || (type == VALUE_OTHER && *table_cell(t, i).p == '['))
			map_put(&t->columns[i].texts, table_display_cell(t, i, true));
	}
}

/* Returns all texts of a column; puts their short forms into *briefs. */
static struct alike_text *list_texts(struct table *t, const struct table_column *c, struct map *briefs)
{
	struct alike_text *list = mem_alloc(c->texts.n * sizeof *list);
	size_t *uses = mem_zero(c->texts.n, sizeof *uses), i;
	bool name = c->kind == COLUMN_NAME && !t->options.wide;

	for (i = 0; i < c->texts.n; i++) {
		struct alike_text *a = &list[i];

		*a = (struct alike_text){.number = i, .text = map_key(&c->texts, i)};
		a->group = map_put(briefs, name ? cxx_short_name(a->text, &t->brief) : a->text);
		a->brief = map_key(briefs, a->group);
		uses[a->group]++;
	}
	for (i = 0; i < c->texts.n; i++) {
		list[i].more = uses[list[i].group] > 1;
		list[i].text = list[i].more ? alike_texts_signature(list[i].text, list[i].brief) : list[i].brief;
	}
	free(uses);
	return list;
}

size_t table_distinct_width(struct table *t, const struct table_column *c)
{
	struct map briefs = {0};
	struct alike_text *list = list_texts(t, c, &briefs);
	size_t most = c->width, width, all, i;

	for (i = 0; i < c->texts.n; i++) {
		if (!list[i].more)
			continue;
		width = text_width(list[i].brief) + MORE;
		all = text_width(list[i].text);
		width = all < width ? all : width;
		most = width > most ? width : most;
	}
	free(list);
	map_free(&briefs);
	return most;
}

/* Returns a text as the column shows it, in the column's width. */
static struct str looks(struct table *t, const struct table_column *c, const struct alike_text *a)
{
	if (c->forms[a->number].n)
		return (struct str){c->form_text.p + c->forms[a->number].at, c->forms[a->number].n};
	t->one.n = 0;
	text_cut_middle(&t->one, a->brief, c->width);
	return (struct str){t->one.p, t->one.n};
}

static size_t root(const size_t *to, size_t group)
{
	while (to[group] != group)
		group = to[group];
	return group;
}

/* Joins the groups of texts that look the same. Returns false when there was nothing to join. */
static bool join(struct table *t, const struct table_column *c, struct alike_text *list)
{
	size_t n = c->texts.n, *to = mem_alloc(n * sizeof *to), *first = mem_alloc(n * sizeof *first);
	size_t i, look, known, a, b;
	struct map looked = {0};
	bool joined = false;

	for (i = 0; i < n; i++)
		to[i] = i;
	for (i = 0; i < n; i++) {
		known = looked.n;
		look = map_put(&looked, looks(t, c, &list[i]));
		if (look == known) {
			first[look] = i;
			continue;
		}
		a = root(to, list[first[look]].group);
		b = root(to, list[i].group);
		joined |= a != b;
		to[b] = a;
	}
	for (i = 0; i < n; i++)
		list[i].group = root(to, list[i].group);
	free(to);
	free(first);
	map_free(&looked);
	return joined;
}

/* Chooses how the texts are shown in each group that has more than one text. */
static void show_differences(struct table_column *c, struct alike_text *list)
{
	size_t n = c->texts.n, i, k, end, at;

	c->form_text.n = 0;
	alike_texts_sort(list, n);
	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n && list[end].group == list[i].group; end++)
			;
		if (end - i == 1)
			continue;
		alike_texts_compare(list + i, end - i);
		for (k = i; k < end; k++) {
			at = c->form_text.n;
			alike_texts_put(&c->form_text, &list[k], c->width);
			c->forms[list[k].number] = (struct table_form){at, c->form_text.n - at};
		}
	}
}

void table_distinct_show(struct table *t, struct table_column *c)
{
	struct map briefs = {0};
	struct alike_text *list = list_texts(t, c, &briefs);
	size_t i;

	c->forms = mem_zero(c->texts.n, sizeof *c->forms);
	for (i = 0; i < c->texts.n; i++)
		list[i].group = i;
	for (i = 0; i < ROUNDS && join(t, c, list); i++)
		show_differences(c, list);
	free(list);
	map_free(&briefs);
}

struct str table_distinct_form(struct table *t, size_t i)
{
	const struct table_column *c = &t->columns[i];
	size_t number;

	if (!c->forms || t->row[i].type == VALUE_NONE)
		return STR("");
	number = map_find(&c->texts, table_display_cell(t, i, true));
	if (number == MAP_NONE)
		return STR("");
	return (struct str){c->form_text.p + c->forms[number].at, c->forms[number].n};
}
