/* table_distinct: chooses how to show a column's texts so that different texts look different. */
#include "table/table_private.h"

#include "record/cxx_short_name.h"
#include "table/text_cut.h"

enum { MORE = 24 }; /* additional width for a name if other names have the same short form */

void table_distinct_gather(struct table *t)
{
	struct table_column *c;
	struct str text;
	size_t i, number;

	for (i = 0; i < t->n; i++) {
		const enum value_type type = t->row[i].type;

		if (type != VALUE_STRING && (type != VALUE_OTHER || *table_cell(t, i).p != '['))
			continue;
		c = &t->columns[i];
		number = map_put(&c->texts, table_display_cell(t, i, true));
		if (number < c->distinct.n)
			continue;
		text = map_key(&c->texts, number);
		distinct_texts_add(&c->distinct,
		    c->kind == COLUMN_NAME && !t->options.wide ? cxx_short_name(text, &t->brief) : text, text);
	}
}

size_t table_distinct_width(struct table_column *c)
{
	const size_t width = distinct_texts_widest(&c->distinct, MORE);

	return width > c->width ? width : c->width;
}

static void cut_middle(void *arg, struct buf *to, size_t number, struct str brief, size_t width)
{
	(void)arg, (void)number;
	text_cut_middle(to, brief, width);
}

void table_distinct_show(struct table_column *c)
{
	distinct_texts_fit(&c->distinct, c->width, cut_middle, NULL);
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
