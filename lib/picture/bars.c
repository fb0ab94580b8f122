#include "picture/bars.h"

#include "picture/display_unit.h"

#include <math.h>
#include <stdlib.h>

/* The dimensions of a picture with bars. */
struct bar_page {
	double left, right, top, row;
	struct axis axis;
};

/* Returns the indentation of a label: at most a quarter of the page. */
static double indent_of(const struct canvas *canvas, const struct bar *bar)
{
	const double step = canvas->cells ? 1 : 12;

	return bar->level > 1 ? fmin(step * (double)(bar->level - 1), floor(canvas->width / 4)) : 0;
}

static void draw_bar(struct canvas *canvas, const struct bar_page *p, const struct bar *bar, struct str name, double y)
{
	const double zero = axis_at(&p->axis, 0), end = axis_at(&p->axis, bar->value);
	const double thick = canvas->cells ? 1 : p->row * 0.76, middle = y + p->row / 2;
	const double from = fmin(zero, end), error = bar->error > 0 ? bar->error : 0;
	const double low = axis_at(&p->axis, bar->value - error), high = axis_at(&p->axis, bar->value + error);

	canvas->ops->box(
	    canvas, (struct canvas_box){from, middle - thick / 2, fabs(end - zero), thick}, bar->color, bar->tip);
	if (error > 0) {
		canvas->ops->rule(canvas, low, middle, high, middle, false);
		if (!canvas->cells) {
			canvas->ops->rule(canvas, low, middle - 4, low, middle + 4, false);
			canvas->ops->rule(canvas, high, middle - 4, high, middle + 4, false);
		}
	}
	canvas_text(canvas, bar->level ? canvas->margin + indent_of(canvas, bar) : p->left - canvas->space, middle,
	    bar->level ? CANVAS_START : CANVAS_END, CANVAS_PLAIN, name);
	canvas_text(canvas, fmax(high, zero) + canvas->space * (canvas->cells ? 1.6 : 1), middle, CANVAS_START,
	    CANVAS_SOFT, bar->note);
}

void bars_draw(struct canvas *canvas, struct bar *bars, size_t n, const struct display_unit *unit, struct str title,
    struct str axis)
{
	struct map texts = {0};
	struct label *labels = mem_alloc((n ? n : 1) * sizeof *labels);
	struct bar_page p = {.top = page_top(canvas)};
	double low = 0, high = 0, notes = 0, indent = 0, rest;
	size_t i;

	for (i = 0; i < n; i++) {
		const double error = bars[i].error > 0 ? bars[i].error : 0;

		labels[i] = bars[i].label;
		indent = fmax(indent, indent_of(canvas, &bars[i]));
		notes = fmax(notes, canvas_width(canvas, bars[i].note, CANVAS_SOFT));
		high = fmax(high, bars[i].value + error);
		low = fmin(low, bars[i].value - error);
	}
	labels_fit(canvas, labels, n, floor(canvas->width * (indent > 0 ? 0.5 : 0.42)) - indent, &texts);
	rest = p.top + axis_height(canvas) + canvas->margin / 2;
	p.row = page_row(canvas, n, canvas->cells ? 1 : n <= 12 ? 26 : n <= 40 ? 21 : 16, rest);
	p.left = canvas->margin + labels_widest(canvas, labels, n) + indent + canvas->space;
	p.right = canvas->width - canvas->margin - notes - canvas->space;
	p.right = fmax(p.right, p.left + canvas->width / 10);
	p.axis = axis_of(unit, low, high, p.left, p.right, axis_room(canvas, unit, low, high), unit->per == 1);
	page_begin(canvas, rest + p.row * (double)n, title);
	axis_draw_across(canvas, &p.axis, p.top, p.top + p.row * (double)n, axis, false);
	for (i = 0; i < n; i++)
		draw_bar(canvas, &p, &bars[i], labels[i].shown, p.top + p.row * (double)i);
	if (low < 0)
		canvas->ops->rule(
		    canvas, axis_at(&p.axis, 0), p.top, axis_at(&p.axis, 0), p.top + p.row * (double)n, false);
	canvas->ops->end(canvas);
	free(labels);
	map_free(&texts);
}

void bars_draw_bins(struct canvas *canvas, const struct histogram_bins *bins, enum column_kind kind,
    const struct table_options *options, struct str title)
{
	const struct display_unit m = display_unit_of(COLUMN_ANY, NULL, (double)histogram_bins_most(bins));
	struct bar *bars = mem_zero(bins->n, sizeof *bars);
	struct map texts = {0};
	struct buf text = {0};
	size_t i;

	for (i = 0; i < bins->n; i++) {
		display_unit_put_range(&text, kind, options, bins->edges[i], bins->edges[i + 1]);
		bars[i].label = label_of(labels_store(&texts, &text));
		display_put(&text, "%i", (double)bins->counts[i]);
		bars[i].note = labels_store(&texts, &text);
		bars[i].value = (double)bins->counts[i];
		bars[i].color = COLOR_BAR;
	}
	bars_draw(canvas, bars, bins->n, &m, title, STR("records"));
	free(bars);
	map_free(&texts);
	buf_free(&text);
}
