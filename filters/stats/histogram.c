#include "histogram.h"

#include "base/int_math.h"
#include "base/num_format.h"
#include "base/units.h"
#include "stats/histogram_bins.h"
#include "json/string.h"

#include <math.h>

enum {
	BAR_LEAST = 10,
	BAR_MOST = 60,
	OTHERS = 36, /* approximate width of all columns except the bar */
};

static const struct field *field_of(const struct group_report *r, size_t field)
{
	return aggregate_field_at(&r->aggs, r->fields[field]);
}

/*
 * Returns the selected unit, else the largest unit in which v is at least 1. Timestamps have many digits in any unit,
 * so their default is the base unit.
 */
static const struct unit *unit_of(const struct group_report *r, double v, enum column_kind kind)
{
	const struct unit *best = kind == COLUMN_SIZE ? r->table.size : r->table.time, *u;
	size_t i;

	if (kind != COLUMN_SIZE && kind != COLUMN_TIME && kind != COLUMN_STAMP)
		return NULL;
	for (i = 0; !best && (u = units_at(i)); i++) {
		if (u->size == (kind == COLUMN_SIZE) && u->factor == 1)
			best = u;
	}
	if (kind == COLUMN_STAMP || r->table.size || r->table.time)
		return best;
	for (i = 0; (u = units_at(i)); i++) {
		if (u->size == best->size && u->factor % 1000 == 0 && fabs(v) >= (double)u->factor)
			best = u;
	}
	return best;
}

static void set_text(struct table *t, size_t column, const struct buf *json)
{
	struct value v;

	value_of(&v, (struct str){json->p, json->n});
	table_set(t, column, &v);
}

/* Sets a cell to an edge. The cell of an infinite edge stays absent. */
static void set_number(struct table *t, size_t column, double edge)
{
	if (isfinite(edge))
		table_set_real(t, column, edge);
}

/* Sets a cell to an edge with its own unit, since the edges of a histogram can span decades. */
static void set_edge(
    const struct group_report *r, struct table *t, size_t column, double v, const struct column_type *type)
{
	const double base = type->unit ? v * (double)type->unit->factor : v;
	const struct unit *unit = unit_of(r, base, type->kind);
	struct buf text = {0};
	char *p;

	if (!isfinite(v))
		return;
	buf_char(&text, '"');
	p = buf_room(&text, NUM_ROOM);
	text.n += (size_t)(num_put_double(p, unit ? base / (double)unit->factor : v) - p);
	if (unit)
		buf_add(&text, unit->name, strlen(unit->name));
	buf_char(&text, '"');
	set_text(t, column, &text);
	buf_free(&text);
}

static size_t bar_width(const struct group_report *r)
{
	int width = r->table.width ? r->table.width - OTHERS : BAR_MOST;

	return (size_t)(width < BAR_LEAST ? BAR_LEAST : width > BAR_MOST ? BAR_MOST : width);
}

/* Every count above 0 gets a bar of at least one character. */
static void set_bar(struct table *t, size_t column, uint64_t count, uint64_t most, size_t width)
{
	size_t n = (size_t)((uint128)count * width / most);
	struct buf text = {0};

	buf_char(&text, '"');
	for (n = count && !n ? 1 : n; n > 0; n--)
		buf_char(&text, '#');
	buf_char(&text, '"');
	set_text(t, column, &text);
	buf_free(&text);
}

/*
 * Writes a heading such as "dur, name "gemm", 12 values", with an empty line before it unless it is the first heading.
 */
static void put_heading(const struct group_report *r, struct out *o, size_t group, size_t field, bool first)
{
	struct value v;
	size_t i;

	if (!first)
		out_char(o, '\n');
	out_z(o, field_of(r, field)->spec);
	for (i = 0; i < r->groups.n_keys; i++) {
		groups_key(&r->groups, group, i, &v);
		out_lit(o, ", ");
		out_z(o, groups_key_name(&r->groups, i));
		out_char(o, ' ');
		out_str(o, v.type == VALUE_NONE ? STR("(none)") : v.text);
	}
	out_lit(o, ", ");
	out_i64(o, (int64_t)aggregate_numbers(&r->aggs, group, r->fields[field]));
	out_lit(o, " values\n");
	if (r->table.format == TABLE_MD)
		out_char(o, '\n');
}

static void print_bars(struct group_report *r, const struct histogram_bins *b, const struct column_type *type)
{
	struct table *t = table_begin(&r->out, &r->table);
	uint64_t most = 1;
	size_t i;

	table_column(t, STR("from"), COLUMN_ANY);
	table_column(t, STR("to"), COLUMN_ANY);
	table_column(t, STR("count"), COLUMN_ANY);
	table_column(t, STR("bar"), COLUMN_ANY);
	for (i = 0; i < b->n; i++)
		most = b->counts[i] > most ? b->counts[i] : most;
	for (i = 0; i < b->n; i++) {
		set_edge(r, t, 0, b->edges[i], type);
		set_edge(r, t, 1, b->edges[i + 1], type);
		table_set_int(t, 2, (int128)b->counts[i]);
		set_bar(t, 3, b->counts[i], most, bar_width(r));
		table_row(t);
	}
	table_end(t);
}

static void add_rows(
    const struct group_report *r, struct table *t, size_t group, size_t field, const struct histogram_bins *b)
{
	size_t column = r->groups.n_keys, i;
	struct buf name = {0};

	json_quote(&name, str_of(field_of(r, field)->spec));
	for (i = 0; i < b->n; i++) {
		groups_cells(&r->groups, t, group);
		set_text(t, column, &name);
		set_number(t, column + 1, b->edges[i]);
		set_number(t, column + 2, b->edges[i + 1]);
		table_set_int(t, column + 3, (int128)b->counts[i]);
		table_row(t);
	}
	buf_free(&name);
}

static struct table *open_rows(struct group_report *r)
{
	struct table *t = table_begin(&r->out, &r->table);

	const struct column_type from = group_report_common_type(r, STR("from")),
				 to = group_report_common_type(r, STR("to"));

	groups_columns(&r->groups, t, &r->source, &r->table.units);
	table_column(t, STR("field"), COLUMN_ANY);
	table_column_of(t, STR("from"), &from);
	table_column_of(t, STR("to"), &to);
	table_column(t, STR("count"), COLUMN_ANY);
	table_kind(t, STR("\"histogram\""));
	return t;
}

void histogram_print(struct group_report *r, const struct histogram_options *options, const size_t *order)
{
	struct table *t = r->human ? NULL : open_rows(r);
	bool first = true;
	struct column_type type;
	struct histogram_bins b;
	size_t g, f;

	for (g = 0; g < r->groups.n; g++) {
		for (f = 0; f < r->n_fields; f++) {
			histogram_bins_of(&b, options, aggregate_quantile(&r->aggs, order[g], r->fields[f]));
			if (t) {
				add_rows(r, t, order[g], f, &b);
			} else if (b.n) {
				put_heading(r, &r->out, order[g], f, first);
				type = group_report_type(r, f);
				print_bars(r, &b, &type);
				first = false;
			}
			histogram_bins_free(&b);
		}
	}
	if (t)
		table_end(t);
}
