/* table_distinct: chooses how to show a column's texts so that different texts look different. */
#include "table/table_private.h"

#include "record/cxx_short_name.h"
#include "table/text_cut.h"
#include "table/text_width.h"

#include <stdlib.h>

enum { MORE = 24 }; /* additional width for a name if other names have the same short form */

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

void table_distinct_show(struct table *t, struct table_column *c)
{
	struct map briefs = {0};
	struct alike_text *list = list_texts(t, c, &briefs);
	size_t i;

	for (i = 0; i < c->texts.n; i++)
		list[i].group = i;
	distinct_texts_choose(&c->distinct, list, c->texts.n, c->width, text_cut_middle);
	free(list);
	map_free(&briefs);
}

struct str table_distinct_form(struct table *t, size_t i)
{
	const struct table_column *c = &t->columns[i];
	size_t number;

	if (!c->texts.n || t->row[i].type == VALUE_NONE)
		return STR("");
	number = map_find(&c->texts, table_display_cell(t, i, true));
	if (number == MAP_NONE)
		return STR("");
	return distinct_texts_form(&c->distinct, number);
}
