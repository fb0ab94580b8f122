/* field_inventory_table: the rows of the table of fields. */
#include "field_inventory_private.h"

#include "base/int_math.h"
#include "base/order.h"
#include "json/string.h"

#include <stdlib.h>

/* The order of the rows. */
static int compare_rows(const void *inventory, size_t a, size_t b)
{
	const struct field_inventory *p = inventory;
	const struct inventory_field *left = &p->list[a], *right = &p->list[b];
	int order = int_compare((int64_t)left->rank, (int64_t)right->rank);

	if (!order)
		order = str_cmp((struct str){left->name.p, left->name.n}, (struct str){right->name.p, right->name.n});
	return order ? order : inventory_compare(p, a, b); /* two fields can have the same name: a.b, and b in a */
}

/* Appends an item to a comma-separated list. */
static void list_one(struct buf *b, struct str one)
{
	if (b->n > 1)
		buf_char(b, ',');
	buf_add(b, one.p, one.n);
}

static void set_text(struct table *t, size_t column, struct buf *b)
{
	struct value v;

	buf_char(b, '"');
	value_of(&v, (struct str){b->p, b->n});
	table_set(t, column, &v);
	b->n = 1; /* keep the opening quote for the next text */
}

/* Appends a kind to a list that is written in a JSON string. A kind that is a string is appended without its quotes. */
static void list_kind(struct buf *b, struct str kind)
{
	struct buf quoted = {0};

	if (kind.p[0] != '"') {
		json_quote(&quoted, kind);
		kind = (struct str){quoted.p, quoted.n};
	}
	list_one(b, json_inner(kind));
	buf_free(&quoted);
}

/* Appends the kinds of a field. Kinds that are not in p->kinds are shown as "...". */
static void list_kinds(const struct field_inventory *p, const struct inventory_field *field, struct buf *b)
{
	const struct inventory_kind *kind;

	for (kind = p->kinds; kind < p->kinds + p->n_kinds; kind++) {
		if (field->kinds & kind->bit)
			list_kind(b, (struct str){kind->json.p, kind->json.n});
	}
	if (field->kinds & MORE_KINDS)
		list_one(b, STR("..."));
}

static void print_example(const struct inventory_field *field, struct table *t, struct buf *b, bool text)
{
	struct str json = {field->example.p, field->example.n};
	struct value v;

	if (text && json.n && json.p[0] != '"') {
		b->n = 0;
		json_quote(b, json);
		json = (struct str){b->p, b->n};
	}
	value_of(&v, json);
	table_set(t, 4, &v);
}

static void print_field(
    const struct field_inventory *p, const struct inventory_field *field, struct table *t, struct buf *b, bool text)
{
	size_t i;

	b->n = 0;
	buf_char(b, '"');
	buf_add(b, field->name.p, field->name.n);
	set_text(t, 0, b);
	list_kinds(p, field, b);
	set_text(t, 1, b);
	for (i = 0; i < TYPES; i++) {
		if (field->types >> i & 1)
			list_one(b, str_of(inventory_type_names[i]));
	}
	set_text(t, 2, b);
	table_set_int(t, 3, (int128)field->count);
	print_example(field, t, b, text);
	table_row(t);
}

void field_inventory_print(const struct field_inventory *p, struct table *t, bool text)
{
	size_t *order = order_sort(p->n, compare_rows, p), i;
	struct buf scratch = {0};

	table_column(t, STR("field"), COLUMN_ANY);
	table_column(t, STR("kinds"), COLUMN_ANY);
	table_column(t, STR("types"), COLUMN_ANY);
	table_column(t, STR("count"), COLUMN_ANY);
	table_column(t, STR("example"), COLUMN_ANY);
	table_kind(t, STR("\"fields\""));
	for (i = 0; i < p->n; i++)
		print_field(p, &p->list[order[i]], t, &scratch, text);
	buf_free(&scratch);
	free(order);
}
