#include "picture/page.h"

#include <math.h>

static bool has_title(const struct canvas *c)
{
	return !c->title || *c->title;
}

double page_top(const struct canvas *c)
{
	return !has_title(c) ? c->margin : c->cells ? 2 : 40;
}

double page_row(const struct canvas *c, size_t n, double height, double rest)
{
	const double room = c->height - rest;

	if (c->cells || !c->height || !n)
		return height;
	return room / (double)n < 4 ? 4 : room / (double)n;
}

void page_begin(struct canvas *c, double height, struct str title)
{
	struct buf text = {0};

	if (c->title)
		title = str_of(c->title);
	if (c->height > height)
		height = c->height;
	c->ops->begin(c, c->cells ? height : ceil(height), title);
	if (!has_title(c))
		return;
	label_cut(c, &text, title, (c->width - 2 * c->margin) / (c->cells ? 1 : 1.4));
	canvas_text(c, c->margin, c->cells ? 0.5 : 22, CANVAS_START, CANVAS_TITLE, (struct str){text.p, text.n});
	buf_free(&text);
}

/* --- the legend --- */

/* Returns the width of an entry, with the distance to the next one. */
static double entry_width(const struct canvas *c, const struct label *label)
{
	return canvas_width(c, label->shown, CANVAS_PLAIN) + (c->cells ? 5 : 40);
}

static void draw_swatch(struct canvas *canvas, const struct page_legend *l, size_t i, double x, double y)
{
	const double middle = y + canvas->line / 2;

	if (!l->curves) {
		canvas->ops->box(canvas,
		    canvas->cells ? (struct canvas_box){x, y, 2, 1} : (struct canvas_box){x, middle - 6, 12, 12},
		    l->colors[i], (struct str){NULL, 0});
		return;
	}
	canvas->ops->curve(canvas, l->colors[i], (struct str){NULL, 0});
	canvas->ops->point(canvas, x, middle);
	canvas->ops->point(canvas, x + (canvas->cells ? 1 : 12), middle);
	canvas->ops->curve_end(canvas);
}

/* Draws the entries, or only counts their lines if `y` is negative. Returns the number of lines. */
static size_t lay_out_legend(struct canvas *canvas, const struct page_legend *l, double y)
{
	const double left = canvas->margin, right = canvas->width - canvas->margin, mark = canvas->cells ? 2 : 12;
	double x = left, width;
	size_t lines = 1, i;

	for (i = 0; i < l->n; i++) {
		width = entry_width(canvas, &l->labels[i]);
		if (x > left && x + width > right) {
			x = left;
			lines++;
		}
		if (y >= 0) {
			const double line = y + (double)(lines - 1) * canvas->line;
			const double middle = line + canvas->line / 2;

			draw_swatch(canvas, l, i, x, line);
			canvas_text(
			    canvas, x + mark + canvas->space, middle, CANVAS_START, CANVAS_PLAIN, l->labels[i].shown);
		}
		x += width;
	}
	return lines;
}

double page_legend_height(struct canvas *c, const struct page_legend *legend)
{
	return (double)lay_out_legend(c, legend, -1) * c->line + c->margin;
}

void page_legend_draw(struct canvas *c, const struct page_legend *legend, double y)
{
	lay_out_legend(c, legend, y + c->margin / (c->cells ? 1 : 2));
}
