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

	if (c->cells || c->height == 0 || n == 0)
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
	canvas_text(c, c->margin, c->cells ? 0.5 : 22, CANVAS_START, CANVAS_TITLE, buf_str(&text));
	buf_free(&text);
}

/* --- the legend --- */

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
		width = canvas_width(canvas, l->labels[i].shown, CANVAS_PLAIN) + (canvas->cells ? 5 : 40);
		if (x > left && x + width > right) {
			x = left;
			lines++;
		}
		if (y >= 0) {
			const double line = y + (double)(lines - 1) * canvas->line;

			draw_swatch(canvas, l, i, x, line);
			canvas_text(canvas, x + mark + canvas->space, line + canvas->line / 2, CANVAS_START,
			    CANVAS_PLAIN, l->labels[i].shown);
		}
		x += width;
	}
	return lines;
}

double page_legend_height(struct canvas *c, const struct page_legend *legend)
{
	return legend->n ? (double)lay_out_legend(c, legend, -1) * c->line + c->margin : 0;
}

void page_legend_draw(struct canvas *c, const struct page_legend *legend, double y)
{
	lay_out_legend(c, legend, y + c->margin / (c->cells ? 1 : 2));
}

/* --- axes --- */

enum { MOST_TICKS = 40 };

struct axis axis_of(
    const struct display_unit *m, double low, double high, double from, double to, double room, bool whole)
{
	struct axis a = {*m, low, high > low ? high : low + m->per, from, to, 0, false};
	double ticks = floor(fabs(to - from) / room), least, power, times;

	ticks = ticks > MOST_TICKS ? MOST_TICKS : ticks < 1 ? 1 : ticks;
	if (!(a.high - a.low > 0))
		a.high = nextafter(low, INFINITY);
	do { /* the step is 1, 2 or 5 times a power of ten */
		least = (a.high - a.low) / m->per / ticks;
		power = pow(10, floor(log10(least)));
		times = least / power;
		a.step = power * (times <= 1 + 1e-9 ? 1 : times <= 2 + 1e-9 ? 2 : times <= 5 + 1e-9 ? 5 : 10) * m->per;
	} while (floor(a.high / a.step) - ceil(a.low / a.step) < 1 && (ticks *= 2) < 16); /* at least two ticks */
	if (whole && a.step < 1)
		a.step = 1;
	return a;
}

/* Ticks are whole powers of ten; some are skipped if their numbers would touch. */
struct axis axis_of_powers(double low, double high, double from, double to, double room)
{
	const double step = fmax(1, ceil((high - low) * room / fabs(to - from)));

	return (struct axis){{"", false, 1}, low, high, from, to, step, true};
}

/* Appends the number at a tick, with the decimals that the step needs. */
static void put_tick(struct buf *to, const struct axis *a, double v)
{
	const double step = a->step / a->unit.per;
	const int decimals = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;

	if (a->powers && fabs(v) <= 4) {
		display_unit_put_decimals(to, pow(10, v), v < 0 ? (int)-v : 0);
		return;
	}
	if (a->powers)
		buf_lit(to, "1e");
	display_unit_put_decimals(to, v / a->unit.per, decimals > 9 ? 9 : decimals);
}

double axis_room(const struct canvas *c, const struct display_unit *m, double low, double high)
{
	struct axis a = axis_of(m, low, high, 0, 100, 20, false);
	struct buf text = {0};
	double room, other;

	put_tick(&text, &a, low);
	room = canvas_width(c, buf_str(&text), CANVAS_SOFT);
	text.n = 0;
	put_tick(&text, &a, high);
	other = canvas_width(c, buf_str(&text), CANVAS_SOFT);
	buf_free(&text);
	return (room > other ? room : other) + 4 * c->space;
}

double axis_height(const struct canvas *c)
{
	return c->cells ? 3 : 2.4 * c->line;
}

/* Appends a name with its unit: "time (ms)". */
static void put_axis_name(struct buf *to, struct str name, const struct display_unit *m)
{
	display_put(to, *m->unit ? "%s (%t)" : "%s", name, m->unit);
}

/* Gets the i-th tick: its value and its text. Returns false after the last one. */
static bool get_tick(const struct axis *a, size_t i, double *v, struct buf *text)
{
	*v = ceil(a->low / a->step - 1e-9) * a->step + (double)i * a->step;
	if (i > MOST_TICKS * 2 || *v > a->high + a->step * 1e-6)
		return false;
	text->n = 0;
	put_tick(text, a, *v);
	return true;
}

void axis_draw_across(struct canvas *c, const struct axis *a, double top, double bottom, struct str name, bool both)
{
	const double labels = bottom + (c->cells ? 1.5 : 0.7 * c->line);
	struct buf text = {0};
	double v, x;
	size_t i;

	c->ops->rule(c, a->from, bottom, a->to, bottom, false);
	for (i = 0; get_tick(a, i, &v, &text); i++) {
		x = axis_at(a, v);
		c->ops->rule(c, x, top, x, bottom, true);
		canvas_text(c, x, labels, CANVAS_MIDDLE, CANVAS_SOFT, buf_str(&text));
		if (both)
			canvas_text(c, x, top - 0.5 * c->line, CANVAS_MIDDLE, CANVAS_SOFT, buf_str(&text));
	}
	text.n = 0;
	put_axis_name(&text, name, &a->unit);
	canvas_text(c, (a->from + a->to) / 2, labels + c->line, CANVAS_MIDDLE, CANVAS_SOFT, buf_str(&text));
	buf_free(&text);
}

void axis_draw_upright(struct canvas *c, const struct axis *a, double left, double right, struct str name)
{
	struct buf text = {0};
	double v, y;
	size_t i;

	for (i = 0; get_tick(a, i, &v, &text); i++) {
		y = axis_at(a, v);
		c->ops->rule(c, left, y, right, y, true);
		canvas_text(c, left - c->space, y, CANVAS_END, CANVAS_SOFT, buf_str(&text));
	}
	c->ops->rule(c, left, a->to, left, a->from, false);
	text.n = 0;
	put_axis_name(&text, name, &a->unit);
	canvas_text(c, c->margin, a->to - c->line, CANVAS_START, CANVAS_SOFT, buf_str(&text));
	buf_free(&text);
}

/* --- the place between title and legend --- */

struct page_plot page_plot_of(struct canvas *c, const struct page_legend *legend, double height)
{
	const double tall = page_legend_height(c, legend), top = page_top(c) + (c->cells ? 1 : 24);
	const double full = c->height > 0 ? c->height : height + tall;

	return (struct page_plot){.top = top,
	    .bottom = fmax(floor(full - tall - axis_height(c) - c->margin / 2), top + 5 * c->line),
	    .right = c->width - 2 * c->margin};
}

void page_plot_axes(struct canvas *c, struct page_plot *p, const struct display_unit *x_unit, const double x[2],
    const struct display_unit *y_unit, const double y[2], bool whole)
{
	p->left = ceil(c->margin + axis_room(c, y_unit, y[0], y[1]));
	p->x = axis_of(x_unit, x[0], x[1], p->left, p->right, axis_room(c, x_unit, x[0], x[1]), x_unit->per == 1);
	p->y = axis_of(y_unit, y[0], y[1], p->bottom, p->top, c->cells ? 3 : 40, whole);
}

void page_plot_begin(struct canvas *c, const struct page_plot *p, const struct page_legend *legend, struct str title,
    struct str x_name, struct str y_name)
{
	const double below = p->bottom + axis_height(c);

	page_begin(c, below + page_legend_height(c, legend) + c->margin / 2, title);
	page_legend_draw(c, legend, below);
	axis_draw_upright(c, &p->y, p->left, p->right, y_name);
	axis_draw_across(c, &p->x, p->top, p->bottom, x_name, false);
}
