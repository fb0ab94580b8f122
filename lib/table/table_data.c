#include "table/table_data.h"

#include "base/num_format.h"
#include "base/num_parse.h"
#include "json/string.h"

#include <limits.h>
#include <stdlib.h>

/* --- columns --- */

size_t table_data_column(struct table_data *d, struct str name, const struct column_meaning *meaning)
{
	const struct unit *unit = table_options_unit(d->options, meaning->kind);
	struct table_column *c;
	struct buf text = {0};

	d->columns = mem_grow(d->columns, &d->cap_columns, d->n + 1, sizeof *d->columns);
	d->row = mem_grow(d->row, &d->cap_row, d->n + 1, sizeof *d->row);
	c = &d->columns[d->n];
	*c = (struct table_column){.kind = meaning->kind, .from = meaning->unit, .unit = unit};
	column_meaning_rename(&text, name, meaning,
	    table_options_are_human(d->options) ? NULL
	    : unit                              ? unit
						: meaning->unit);
	c->name = str_dup(buf_str(&text));
	c->field = str_head(str_of(c->name), meaning->field_n);
	json_quote(&c->key, str_of(c->name));
	buf_char(&c->key, ':');
	buf_free(&text);
	d->row[d->n] = (struct table_cell){.type = VALUE_NONE};
	return d->n++;
}

/* --- rows --- */

void table_data_clear(struct table_data *d)
{
	size_t i;

	for (i = 0; i < d->n; i++)
		d->row[i].type = VALUE_NONE;
	d->text.n = 0;
}

void table_data_hold(struct table_data *d)
{
	size_t i, head;

	for (i = 0; i < d->n; i++) {
		head = d->row[i].n << 4 | (size_t)d->row[i].approx << 3 | d->row[i].type;
		buf_add(&d->held, &head, sizeof head);
		buf_add(&d->held, table_data_text(d, i).p, d->row[i].n);
	}
	d->n_held++;
}

bool table_data_next(struct table_data *d, size_t *row)
{
	const char *p = d->held.p + (*row ? d->next : 0);
	size_t i, head;

	table_data_clear(d);
	if (*row == d->n_held)
		return false;
	for (i = 0; i < d->n; i++) {
		memcpy(&head, p, sizeof head);
		p += sizeof head;
		table_data_set(d, i, (enum value_type)(head & 7), (struct str){p, head >> 4});
		d->row[i].approx = head >> 3 & 1;
		p += head >> 4;
	}
	d->next = (size_t)(p - d->held.p);
	++*row;
	return true;
}

void table_data_drop(struct table_data *d)
{
	buf_free(&d->held);
	d->n_held = 0;
}

void table_data_free(struct table_data *d)
{
	size_t i;

	for (i = 0; i < d->n; i++) {
		free(d->columns[i].name);
		bufs_free(&d->columns[i].key, &d->columns[i].head);
	}
	mem_free(d->columns, d->row);
	bufs_free(&d->text, &d->held, &d->decoded, &d->shown, &d->brief);
}

/* --- numbers --- */

/* Returns the exponent of a power of ten; -1 when factor is not a power of ten. */
static int power_of_ten(int64_t factor)
{
	int shift = 0;

	for (; factor % 10 == 0; factor /= 10)
		shift++;
	return factor == 1 ? shift : -1;
}

double table_column_scale(const struct table_column *c)
{
	return c->unit ? (double)(c->from ? c->from->factor : 1) / (double)c->unit->factor : 1;
}

/*
 * Returns by how many digits the decimal point moves to the left when a number is written in the column's unit. Returns
 * INT_MIN if the ratio of the units is not a power of ten.
 */
static int point_shift(const struct table_column *c)
{
	int from, to;

	if (!c->unit || c->unit == c->from)
		return 0;
	from = c->from ? power_of_ten(c->from->factor) : 0;
	to = power_of_ten(c->unit->factor);
	return from < 0 || to < 0 ? INT_MIN : to - from;
}

int table_column_decimals(const struct table_column *c)
{
	int shift = point_shift(c);

	return shift == INT_MIN ? -1 : shift > 0 ? shift : 0;
}

char *table_column_put(char *p, const struct table_column *c, struct str number, int decimals)
{
	int shift = point_shift(c);
	char text[NUM_ROOM], *end;
	double v;

	if (shift == INT_MIN && num_double(number, &v)) {
		end = num_put_double(text, v * table_column_scale(c));
		number = (struct str){text, (size_t)(end - text)};
		shift = 0;
	}
	end = num_put_scaled(p, number, shift, decimals);
	if (end)
		return end;
	/* The number is too long to write without an exponent, for example 1e300. */
	if (num_double(number, &v))
		return num_put_double(p, v * table_column_scale(c));
	return str_copy(p, str_head(number, NUM_ROOM));
}
