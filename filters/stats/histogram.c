#include "histogram.h"

#include "base/escape.h"
#include "program/tty.h"
#include "json/string.h"
#include "picture/bars.h"
#include "stats/aggregate.h"

#include <stdlib.h>

/* Appends a title such as `dur, name "gemm", 12 values`. */
static void put_title(const struct group_report *r, struct buf *to, size_t group, size_t field)
{
	struct value v;
	size_t i;

	escape_text(to, ESCAPE_PLAIN, str_of(aggregate_field_at(&r->aggs, r->fields[field])->spec));
	for (i = 0; i < r->groups.n_keys; i++) {
		groups_key(&r->groups, group, i, &v);
		buf_lit(to, ", ");
		escape_text(to, ESCAPE_PLAIN, str_of(groups_key_name(&r->groups, i)));
		buf_char(to, ' ');
		escape_text(to, ESCAPE_PLAIN, v.type == VALUE_NONE ? STR("(none)") : v.text);
	}
	display_put(to, ", %i values", (double)aggregate_numbers(&r->aggs, group, r->fields[field]));
}

/* Draws the bins with bars, with an empty line before the drawing unless it is the first one. */
static void draw_bins(struct group_report *r, size_t group, size_t field, struct histogram_bins *b, bool first)
{
	struct canvas *canvas =
	    canvas_cells_new(&r->out, canvas_terminal_width(r->table.width), !tty_is_utf8(), tty_colors());
	const struct column_meaning meaning = group_report_meaning(r, field);
	struct buf title = {0};
	size_t i;

	for (i = 0; meaning.unit && i <= b->n; i++)
		b->edges[i] *= (double)meaning.unit->factor;
	if (!first)
		out_char(&r->out, '\n');
	put_title(r, &title, group, field);
	bars_draw_bins(canvas, b, meaning.kind, &r->table, buf_str(&title));
	buf_free(&title);
	free(canvas);
}

static void add_rows(
    const struct group_report *r, struct table *t, size_t group, size_t field, const struct histogram_bins *b)
{
	size_t column = r->groups.n_keys, i;
	struct buf name = {0};

	json_quote(&name, str_of(aggregate_field_at(&r->aggs, r->fields[field])->spec));
	for (i = 0; i < b->n; i++) {
		groups_cells(&r->groups, t, group, false);
		table_set_json(t, column, buf_str(&name));
		table_set_real(t, column + 1, b->edges[i]); /* absent if it is infinite */
		table_set_real(t, column + 2, b->edges[i + 1]);
		table_set_int(t, column + 3, (int128)b->counts[i]);
		table_row(t);
	}
	buf_free(&name);
}

void histogram_print(struct group_report *r, const struct histogram_options *options, const size_t *order)
{
	const struct column_meaning from = group_report_common_meaning(r, STR("from")),
				    to = group_report_common_meaning(r, STR("to"));
	struct table *t = NULL;
	struct histogram_bins b;
	bool first = true;
	size_t g, f;

	if (r->table.format != TABLE_TABLE) {
		t = table_begin(&r->out, &r->table);
		groups_columns(&r->groups, t, &r->source, &r->table.units);
		table_column(t, STR("field"), COLUMN_ANY);
		table_column_of(t, STR("from"), &from);
		table_column_of(t, STR("to"), &to);
		table_column(t, STR("count"), COLUMN_ANY);
		table_kind(t, STR("\"histogram\""));
	}
	for (g = 0; g < r->groups.n; g++) {
		for (f = 0; f < r->n_fields; f++) {
			histogram_bins_of(&b, options, aggregate_quantile(&r->aggs, order[g], r->fields[f]));
			if (t) {
				add_rows(r, t, order[g], f, &b);
			} else if (b.n) {
				draw_bins(r, order[g], f, &b, first);
				first = false;
			}
			histogram_bins_free(&b);
		}
	}
	if (t)
		table_end(t);
}
