#include "picture/axis.h"

#include <math.h>

enum { MOST_TICKS = 40 };

/* Returns the smallest of 1, 2, 5, 10, 20 ... that is not less than v. */
static double round_up(double v)
{
	const double power = pow(10, floor(log10(v)));
	const double times = v / power;

	return power * (times <= 1 + 1e-9 ? 1 : times <= 2 + 1e-9 ? 2 : times <= 5 + 1e-9 ? 5 : 10);
}

struct axis axis_of(const struct measure *m, double low, double high, double from, double to, double room, bool whole)
{
	struct axis a = {*m, low, high > low ? high : low + m->per, from, to, 0};
	double ticks = floor(fabs(to - from) / room);

	ticks = ticks > MOST_TICKS ? MOST_TICKS : ticks < 1 ? 1 : ticks;
	if (!(a.high - a.low > 0))
		a.high = nextafter(low, INFINITY);
	do
		a.step = round_up((a.high - a.low) / m->per / ticks) * m->per;
	while (floor(a.high / a.step) - ceil(a.low / a.step) < 1 && (ticks *= 2) < 16); /* at least two ticks */
	if (whole && a.step < 1)
		a.step = 1;
	return a;
}

static double first_tick(const struct axis *a)
{
	return ceil(a->low / a->step - 1e-9) * a->step;
}

/* Appends the number at a tick, with the decimals that the step needs. */
static void put_tick(struct buf *to, const struct axis *a, double v)
{
	const double step = a->step / a->measure.per;
	const int decimals = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;

	measure_put_decimals(to, v / a->measure.per, decimals > 9 ? 9 : decimals);
}

double axis_room(const struct canvas *c, const struct measure *m, double low, double high)
{
	struct axis a = axis_of(m, low, high, 0, 100, 20, false);
	struct buf text = {0};
	double room, other;

	put_tick(&text, &a, low);
	room = canvas_width(c, (struct str){text.p, text.n}, CANVAS_SOFT);
	text.n = 0;
	put_tick(&text, &a, high);
	other = canvas_width(c, (struct str){text.p, text.n}, CANVAS_SOFT);
	buf_free(&text);
	return (room > other ? room : other) + 4 * c->space;
}

double axis_height(const struct canvas *c)
{
	return c->cells ? 3 : 2.4 * c->line;
}

void axis_name(struct buf *to, struct str name, const struct measure *m)
{
	buf_add(to, name.p, name.n);
	if (!*m->unit)
		return;
	buf_lit(to, " (");
	buf_add(to, m->unit, strlen(m->unit));
	buf_char(to, ')');
}

void axis_draw_across(struct canvas *c, const struct axis *a, double top, double bottom, struct str name, bool both)
{
	const double labels = bottom + (c->cells ? 1.5 : 0.7 * c->line);
	struct buf text = {0};
	double v, x;
	size_t i;

	c->ops->rule(c, a->from, bottom, a->to, bottom, false);
	for (i = 0; i <= MOST_TICKS * 2; i++) {
		v = first_tick(a) + (double)i * a->step;
		if (v > a->high + a->step * 1e-6)
			break;
		x = axis_place(a, v);
		text.n = 0;
		put_tick(&text, a, v);
		c->ops->rule(c, x, top, x, bottom, true);
		canvas_text(c, x, labels, CANVAS_MIDDLE, CANVAS_SOFT, (struct str){text.p, text.n});
		if (both)
			canvas_text(
			    c, x, top - 0.5 * c->line, CANVAS_MIDDLE, CANVAS_SOFT, (struct str){text.p, text.n});
	}
	text.n = 0;
	axis_name(&text, name, &a->measure);
	canvas_text(
	    c, (a->from + a->to) / 2, labels + c->line, CANVAS_MIDDLE, CANVAS_SOFT, (struct str){text.p, text.n});
	buf_free(&text);
}

void axis_draw_upright(struct canvas *c, const struct axis *a, double left, double right, struct str name)
{
	struct buf text = {0};
	double v, y;
	size_t i;

	for (i = 0; i <= MOST_TICKS * 2; i++) {
		v = first_tick(a) + (double)i * a->step;
		if (v > a->high + a->step * 1e-6)
			break;
		y = axis_place(a, v);
		text.n = 0;
		put_tick(&text, a, v);
		c->ops->rule(c, left, y, right, y, true);
		canvas_text(c, left - c->space, y, CANVAS_END, CANVAS_SOFT, (struct str){text.p, text.n});
	}
	c->ops->rule(c, left, a->to, left, a->from, false);
	text.n = 0;
	axis_name(&text, name, &a->measure);
	canvas_text(c, c->margin, a->to - c->line, CANVAS_START, CANVAS_SOFT, (struct str){text.p, text.n});
	buf_free(&text);
}
