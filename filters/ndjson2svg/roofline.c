/*
 * roofline: operators by operations for each byte and operations for each second, on logarithmic axes, below the roofs
 * of their device. The area of a point is its time.
 */
#include "chart.h"
#include "base/err.h"
#include "base/escape.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
	MOST_POINTS = 2000,
	MOST_LABELS = 12,
	MOST_ROOFS = 8,
	MOST_FAMILIES = 16,
	LARGEST = 26,    /* radius of the largest point, in pixels */
	MOST_POWERS = 7, /* of ten, on an axis */
	SHORT = 1000,    /* points with a shorter time than this part of the longest do not extend the axes */
};

/*
 * The members that the script roofline writes: the intensity in FLOP/byte, speeds in TFLOP/s, the
 * bandwidth of the memory in GB/s, and the share of the peak as a fraction. Each model has a color.
 */
enum roofline_field { INTENSITY, SPEED, PEAK, PEAK_SPEED, PEAK_WIDTH, SHARE, CALLS, MODEL };
static const char field_names[] = "intensity,tflops_s,peak,peak_tflops_s,peak_gb_s,share,calls,model";

static const struct display_unit plain = {"", false, 1};

/*
 * An operator: FLOP/byte, TFLOP/s and a value, which is usually its time. x and y are not yet
 * logarithms, because the tip shows the numbers themselves.
 */
struct roofline_point {
	double x, y, value;
	size_t family;
	size_t name, tip; /* numbers in `texts` */
};

struct roofline_chart {
	struct chart *chart;
	struct opt_fields fields; /* indexed by enum roofline_field */
	struct map families, texts;
	struct roofline_point *points;
	size_t n, cap;
	struct roof {
		size_t name; /* number in `texts` */
		double speed;
	} roofs[MOST_ROOFS];
	size_t n_roofs;
	double bandwidth; /* TB/s; 0: not known */
	uint64_t outside; /* records without a place: no operations, or unknown bytes */
	struct buf text;
	struct page_plot plot; /* for drawing: the limits are logarithms */
};

static void open_roofline(void *state)
{
	struct roofline_chart *r = state;

	opt_fields_add(&r->fields, "-f", field_names);
	chart_use_all(r->chart, &r->fields);
}

/* --- records --- */

/* Stores r->text; returns its number. */
static size_t store_text(struct roofline_chart *r)
{
	const size_t number = map_put(&r->texts, buf_str(&r->text));

	r->text.n = 0;
	return number;
}

/*
 * Takes the peaks with which a record is compared. A trace can have several peaks, because each
 * type of numbers has its own. Peaks with equal speeds are one roof, with the name that was read
 * first; roofs after the first MOST_ROOFS are not drawn. The bandwidth is the same for all types,
 * so the last one that was read is used.
 */
static void take_roofs(struct roofline_chart *r, struct event *e)
{
	double speed, width;
	struct value name;
	size_t i;

	if (chart_number(&r->fields.list[PEAK_WIDTH], e, &width) && width > 0)
		r->bandwidth = width / 1000;
	if (!chart_number(&r->fields.list[PEAK_SPEED], e, &speed) || !(speed > 0))
		return;
	for (i = 0; i < r->n_roofs && r->roofs[i].speed != speed; i++)
		;
	if (i < r->n_roofs || i == MOST_ROOFS)
		return;
	display_put(&r->text, "%e TFLOP/s ", &plain, (long double)speed);
	if (field_get(&r->fields.list[PEAK], e, 0, &name) && name.type == VALUE_STRING)
		escape_text(&r->text, ESCAPE_PLAIN, (struct str){name.text.p + 1, name.text.n - 2});
	r->roofs[r->n_roofs++] = (struct roof){store_text(r), speed};
}

/* Appends what a reader gets by pointing at a point. */
static void put_tip(struct roofline_chart *r, struct event *e, const struct roofline_point *p)
{
	struct chart *c = r->chart;
	const struct display_unit time = chart_unit(c, p->value);
	double v;

	chart_name(c, &c->options.keys, 0, c->options.keys.n, e, true, &r->text);
	buf_char(&r->text, '\n');
	if (chart_number(&r->fields.list[CALLS], e, &v))
		display_put(&r->text, v == 1 ? "%v call, " : "%v calls, ", &plain, v);
	display_put(&r->text, "%v\n%v TFLOP/s, %v FLOP/byte", &time, p->value, &plain, p->y, &plain, p->x);
	if (chart_number(&r->fields.list[SHARE], e, &v))
		display_put(&r->text, "\n%v %% of the peak", &plain, v * 100);
}

/*
 * Stores the point of an operator. Both axes are logarithmic, so an operator without operations,
 * such as a copy, has no place. Its peaks count all the same. A family that is beyond MOST_FAMILIES
 * has the color of the first one.
 */
static void add_operator(void *state, struct event *e)
{
	struct roofline_chart *r = state;
	struct chart *c = r->chart;
	struct roofline_point p;
	struct value v;

	if (!chart_value(c, e, &v))
		return;
	take_roofs(r, e);
	p.value = (double)chart_exact(&v);
	if (!chart_number(&r->fields.list[INTENSITY], e, &p.x) || !chart_number(&r->fields.list[SPEED], e, &p.y) ||
	    !(p.x > 0) || !(p.y > 0) || !(p.value > 0)) {
		r->outside++;
		return;
	}
	chart_name(c, &c->options.keys, 0, c->options.keys.n ? 1 : 0, e, false, &r->text);
	p.name = store_text(r);
	put_tip(r, e, &p);
	p.tip = store_text(r);
	chart_series_name(c, &r->fields, MODEL, e, &r->text, NULL);
	p.family = r->families.n < MOST_FAMILIES || map_find(&r->families, buf_str(&r->text)) != MAP_NONE
		       ? map_put(&r->families, buf_str(&r->text))
		       : 0;
	r->text.n = 0;
	r->points = mem_grow(r->points, &r->cap, r->n + 1, sizeof *r->points);
	r->points[r->n++] = p;
}

/* --- drawing --- */

/*
 * The largest first, as set_limits(), radius_of() and draw_names() expect. Equal values have the
 * order in which their tips were first read, so that the picture does not depend on qsort().
 */
static int by_value(const void *a, const void *b)
{
	const struct roofline_point *p = a, *q = b;

	return p->value < q->value ? 1 : p->value > q->value ? -1 : p->tip < q->tip ? -1 : 1;
}

static double at(const struct axis *a, double v)
{
	return axis_at(a, log10(v));
}

/* Returns the width or height of a power of ten. */
static double power_width(const struct axis *a)
{
	return fabs(a->to - a->from) / (a->high - a->low);
}

/*
 * Sets the limits of the axes: whole powers of ten around the roofs, and the points whose times are not too short and
 * whose place is at most MOST_POWERS below the upper limits. The upper limits are found first,
 * because the lower ones depend on them. The ridge of a roof, where the line of the bandwidth meets
 * it, is inside, with room for a factor of 2 to its right. The 0.1 moves a limit away from a point
 * that would lie on the frame. Each axis has at least one power.
 */
static void set_limits(const struct roofline_chart *r, double *x, double *y)
{
	size_t i, n;

	x[1] = y[1] = -INFINITY;
	for (n = 0; n < r->n && r->points[n].value * SHORT >= r->points[0].value; n++) {
		x[1] = fmax(x[1], r->points[n].x);
		y[1] = fmax(y[1], r->points[n].y);
	}
	for (i = 0; i < r->n_roofs; i++) {
		y[1] = fmax(y[1], r->roofs[i].speed);
		if (r->bandwidth > 0)
			x[1] = fmax(x[1], 2 * r->roofs[i].speed / r->bandwidth);
	}
	x[0] = x[1] = ceil(log10(x[1]) + 0.1);
	y[0] = y[1] = ceil(log10(y[1]) + 0.1);
	for (i = 0; i < n; i++) {
		const double px = floor(log10(r->points[i].x) - 0.1), py = floor(log10(r->points[i].y) - 0.1);

		if (px < x[1] - MOST_POWERS || py < y[1] - MOST_POWERS)
			continue;
		x[0] = fmin(x[0], px);
		y[0] = fmin(y[0], py);
	}
	x[0] = fmin(x[0], x[1] - 1);
	y[0] = fmin(y[0], y[1] - 1);
}

/* Removes the points that are outside the axes. */
static void drop_outside(struct roofline_chart *r)
{
	const size_t all = r->n;
	size_t i;

	for (i = r->n = 0; i < all; i++) {
		const double x = log10(r->points[i].x), y = log10(r->points[i].y);

		if (x >= r->plot.x.low && x <= r->plot.x.high && y >= r->plot.y.low && y <= r->plot.y.high)
			r->points[r->n++] = r->points[i];
	}
	if (r->n < all)
		note("%zu point%s outside the picture: short times, or much slower than others", all - r->n,
		    all - r->n == 1 ? " is" : "s are");
}

static bool overlaps(const struct canvas_box *a, const struct canvas_box *list, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (a->x < list[i].x + list[i].w && list[i].x < a->x + a->w && a->y < list[i].y + list[i].h &&
		    list[i].y < a->y + a->h)
			return true;
	}
	return false;
}

/*
 * The area is proportional to the value, so the radius grows with its square root. The first point
 * has the largest value. A point of less than 2 pixels could not be seen or pointed at.
 */
static double radius_of(const struct roofline_chart *r, const struct roofline_point *p)
{
	return r->chart->canvas->cells ? 0.5 : fmax(2, LARGEST * sqrt(p->value / r->points[0].value));
}

/*
 * Returns whether a box covers a point, except points that are not much larger than a letter in
 * pixels. The points descend by size, so the loop ends at the first small one.
 */
static bool covers_point(const struct roofline_chart *r, const struct canvas_box *box)
{
	double radius;
	size_t i;

	for (i = 0; i < r->n && ((radius = radius_of(r, &r->points[i])) > 4 || r->chart->canvas->cells); i++) {
		const double x = at(&r->plot.x, r->points[i].x), y = at(&r->plot.y, r->points[i].y);

		if (overlaps(box, &(struct canvas_box){x - radius, y - radius, 2 * radius, 2 * radius}, 1))
			return true;
	}
	return false;
}

/*
 * Returns the place of the name of a roof, right of the line of the bandwidth: above the roof or, where a point is,
 * below it; the rightmost place that covers no point.
 */
static struct canvas_box roof_name_place(const struct roofline_chart *r, double speed, double wide)
{
	const bool cells = r->chart->canvas->cells; /* in a terminal, a roof fills the line with its place */
	const double line = r->chart->canvas->line, y = at(&r->plot.y, speed);
	struct canvas_box box = {r->plot.x.to - wide, cells ? floor(y) - 1 : y - 1.1 * line, wide, line};
	const struct canvas_box first = box;
	double left;
	size_t place;

	for (place = 0; place < 2; place++) {
		left = r->plot.x.from;
		if (r->bandwidth > 0)
			left = fmax(left, at(&r->plot.x, speed / r->bandwidth));
		if (place)
			box = (struct canvas_box){first.x, cells ? floor(y) + 1 : y + 0.1 * line, wide, line};
		else if (r->bandwidth > 0) /* the line of the bandwidth goes on to a higher roof */
			left += (y - box.y + line / 2) * power_width(&r->plot.x) / power_width(&r->plot.y);
		for (; box.x > left; box.x -= line / 2) {
			if (!covers_point(r, &box))
				return box;
		}
	}
	return first;
}

/* Draws the roofs, and adds the places of their names to *taken. */
static void draw_roofs(struct roofline_chart *r, struct canvas_box *taken, size_t *n)
{
	struct canvas *c = r->chart->canvas;
	const double left = pow(10, r->plot.x.low), right = pow(10, r->plot.x.high), low = pow(10, r->plot.y.low);
	double highest = 0, ridge, x, y;
	struct canvas_box box;
	struct str name;
	size_t i;

	for (i = 0; i < r->n_roofs; i++) {
		ridge = r->bandwidth > 0 ? r->roofs[i].speed / r->bandwidth : left;
		name = map_key(&r->texts, r->roofs[i].name);
		highest = fmax(highest, r->roofs[i].speed);
		y = at(&r->plot.y, r->roofs[i].speed);
		c->ops->curve(c, COLOR_PAUSE, name);
		c->ops->point(c, at(&r->plot.x, fmin(fmax(ridge, left), right)), y);
		c->ops->point(c, r->plot.x.to, y);
		c->ops->curve_end(c);
		box = roof_name_place(r, r->roofs[i].speed, canvas_width(c, name, CANVAS_SOFT));
		canvas_text(c, box.x + box.w, box.y + c->line / 2, CANVAS_END, CANVAS_SOFT, name);
		taken[(*n)++] = box;
	}
	if (!(r->bandwidth > 0))
		return;
	display_put(&r->text, "%v TB/s", &plain, r->bandwidth);
	highest = highest > 0 ? highest : pow(10, r->plot.y.high);
	x = fmax(left, low / r->bandwidth);
	c->ops->curve(c, COLOR_PAUSE, buf_str(&r->text));
	c->ops->point(c, at(&r->plot.x, x), at(&r->plot.y, x * r->bandwidth));
	c->ops->point(c, at(&r->plot.x, highest / r->bandwidth), at(&r->plot.y, highest));
	c->ops->curve_end(c);
	/* The name is above the line, where no point can be. */
	x = at(&r->plot.x, x) + 2 * c->space;
	y = at(&r->plot.y, fmax(left, low / r->bandwidth) * r->bandwidth) - 2.2 * c->line;
	canvas_text(c, x, y, CANVAS_START, CANVAS_SOFT, buf_str(&r->text));
	taken[(*n)++] =
	    (struct canvas_box){x, y - c->line / 2, canvas_width(c, buf_str(&r->text), CANVAS_SOFT), c->line};
	r->text.n = 0;
}

/*
 * Writes the names of the points with the longest times, where there is room: beside, above or
 * below the point. The first free place counts, in the order right, left, above, below. A point
 * without a free place gets no name, and the next one has its turn. A name that was written takes
 * its place from the following ones.
 */
static void draw_names(struct roofline_chart *r, struct canvas_box *taken, size_t n)
{
	struct canvas *c = r->chart->canvas;
	size_t i, place, written = 0;
	struct buf name = {0};

	for (i = 0; i < r->n && written < MOST_LABELS; i++) {
		const struct roofline_point *p = &r->points[i];
		const double x = at(&r->plot.x, p->x), y = at(&r->plot.y, p->y),
			     far = radius_of(r, p) + c->space / 2 + 0.5;
		double wide;

		name.n = 0;
		label_cut(c, &name, map_key(&r->texts, p->name), c->width / 4);
		wide = canvas_width(c, buf_str(&name), CANVAS_PLAIN);
		for (place = 0; place < 4; place++) {
			const double middle = place < 2    ? y
					      : place == 2 ? y - far - c->line / 2
							   : y + far + c->line / 2;
			const double start = place == 0 ? x + far : place == 1 ? x - far - wide : x - wide / 2;
			const struct canvas_box box = {start, middle - c->line / 2, wide, c->line};

			if (start < r->plot.x.from || start + wide > c->width - c->margin || middle < r->plot.y.to ||
			    middle + c->line / 2 > r->plot.y.from || overlaps(&box, taken, n) || covers_point(r, &box))
				continue;
			canvas_text(c, start, middle, CANVAS_START, CANVAS_PLAIN, buf_str(&name));
			taken[n++] = box;
			written++;
			break;
		}
	}
	buf_free(&name);
}

static void draw_points(struct roofline_chart *r, const enum color *colors)
{
	struct canvas *c = r->chart->canvas;
	size_t i;

	for (i = 0; i < r->n; i++) { /* the largest first, so that no point hides a smaller one */
		const struct roofline_point *p = &r->points[i];
		const double x = at(&r->plot.x, p->x), y = at(&r->plot.y, p->y), radius = radius_of(r, p);

		if (c->cells)
			c->ops->box(c, (struct canvas_box){floor(x), floor(y), 1, 1}, colors[p->family],
			    map_key(&r->texts, p->tip));
		else
			c->ops->sector(c, (struct canvas_sector){x, y, 0, radius, 0, 1}, colors[p->family],
			    map_key(&r->texts, p->tip));
	}
}

static void draw_roofline_page(struct roofline_chart *r, struct page_legend *legend)
{
	struct canvas *c = r->chart->canvas;
	struct canvas_box taken[MOST_ROOFS + MOST_LABELS + 1];
	struct page_plot *p = &r->plot;
	double x[2], y[2];
	size_t n = 0;

	*p = page_plot_of(c, legend, c->cells ? 26 : 560);
	p->left = c->margin + canvas_width(c, STR("10000"), CANVAS_SOFT) + 2 * c->space;
	set_limits(r, x, y);
	p->x = axis_of_powers(x[0], x[1], p->left, p->right, 6 * c->line);
	p->y = axis_of_powers(y[0], y[1], p->bottom, p->top, 1.5 * c->line);
	drop_outside(r);
	page_plot_begin(
	    c, p, legend, STR("Roofline: speed by intensity; area: time"), STR("FLOP/byte"), STR("TFLOP/s"));
	/*
	 * Points are drawn over the roofs. Names come last, because they avoid the names of the
	 * roofs and all points.
	 */
	draw_roofs(r, taken, &n);
	draw_points(r, legend->colors);
	draw_names(r, taken, n);
	c->ops->end(c);
}

static bool draw_roofline(void *state)
{
	struct roofline_chart *r = state;
	struct label labels[MOST_FAMILIES];
	enum color colors[MOST_FAMILIES];
	struct page_legend legend = {labels, colors, r->families.n, false};
	struct color_use use = {{0}, 0};
	struct map texts = {0};
	size_t i;

	if (r->outside)
		note("%" PRIu64
		     " record%s no place on a roofline: no operations, or no FLOP/byte (intensity, tflops_s)",
		    r->outside, r->outside == 1 ? " has" : "s have");
	if (!r->n) {
		r->chart->lost = r->outside > 0;
		return false;
	}
	for (i = 0; i < legend.n; i++) {
		labels[i] = label_of(map_key(&r->families, i));
		colors[i] = color_of_part(&use, labels[i].brief);
	}
	labels_fit(r->chart->canvas, labels, legend.n, r->chart->canvas->width * 0.6, &texts);
	qsort(r->points, r->n, sizeof *r->points, by_value);
	if (r->n > MOST_POINTS) {
		note("only the %d points with the longest times of %zu are drawn", MOST_POINTS, r->n);
		r->n = MOST_POINTS;
	}
	draw_roofline_page(r, &legend);
	map_free(&texts);
	return true;
}

static void close_roofline(void *state)
{
	struct roofline_chart *r = state;

	opt_fields_free(&r->fields);
	maps_free(&r->families, &r->texts);
	free(r->points);
	buf_free(&r->text);
}

const struct chart_kind chart_roofline = {
    .name = "roofline",
    .options = "field group",
    .values = "dur",
    .keys = "op,shape,kernel",
    .size = sizeof(struct roofline_chart),
    .open = open_roofline,
    .add = add_operator,
    .draw = draw_roofline,
    .close = close_roofline,
};
