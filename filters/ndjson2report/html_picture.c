#include "html_picture.h"

#include <math.h>
#include <stdlib.h>

/* --- bars --- */

enum { HEIGHT_OF_TEXT = 8 }; /* of the capitals of the text in a bar, to place it in the middle */

/* A share of the width from which a part has room for "60.5 %": in a table, in a verdict, on a phone. */
static const double room_in_table = 0.1, room_in_verdict = 0.055, room_on_phone = 0.2;

/* Writes a part that begins at `at`, and its share in its middle, if there is room. */
static void put_part(struct html *p, const struct block *block, const struct report_part *part, double at, int height)
{
	const double width = part->size / block->whole;

	html_put(p, "<svg x=\"%w\" width=\"%w\" height=\"%f\">", at / block->whole, width, (double)height);
	if (block->n_parts > 1)
		html_put(p, part->share.n ? "<title>%h: %h, %h</title>" : "<title>%h: %h</title>", part->name,
		    part->value, part->share);
	html_put(p, "<rect class=\"%t\" width=\"100%%\" height=\"100%%\"/>", html_color(part->color));
	if (part->share.n && height > HEIGHT_OF_TEXT * 3 / 2 &&
	    width >= (block->kind == BLOCK_VERDICT ? room_in_verdict : room_in_table))
		html_put(p, "<text x=\"50%%\" y=\"%f\" text-anchor=\"middle\"%t>%h</text>",
		    (double)((height + HEIGHT_OF_TEXT) / 2), width < room_on_phone ? " class=\"roomy\"" : "",
		    part->share);
	html_put(p, "</svg>");
}

void html_bar(struct html *p, const struct block *block, const struct block_row *row, int height)
{
	double at = 0;
	size_t i;

	/* The numbers next to it, or its legend, say the same. */
	html_put(p, "<svg width=\"100%%\" height=\"%f\" aria-hidden=\"true\">", (double)height);
	for (i = 0; i < block->n_parts; i++) {
		if (row->parts[i].size > 0)
			put_part(p, block, &row->parts[i], at, height);
		at += row->parts[i].size;
	}
	html_put(p, "</svg>");
}

void html_legend(struct html *p, const struct report_part *parts, size_t n, bool with_shares)
{
	size_t i;

	html_put(p, "<ul class=\"legend\">");
	for (i = 0; i < n; i++)
		html_put(p,
		    with_shares ? "<li><i class=\"%t\"></i>%h <b>%h</b></li>" : "<li><i class=\"%t\"></i>%h</li>",
		    html_color(parts[i].color), parts[i].name, parts[i].share);
	html_put(p, "</ul>\n");
}

/* --- pictures --- */

enum {
	LABEL_HEIGHT = 20, /* of the name of a lane */
	LABEL_BASE = 14,   /* of its text, from its top */
	LANE_HEIGHT = 24,
	AREA_HEIGHT = 150, /* of a lane with areas */
	AREA_UNITS = 1000, /* of its height in a path */
	LANE_GAP = 4,
	LEVEL_HEIGHT = 19, /* of a lane without a name, with the gap after it */
	AXIS_HEIGHT = 20,
	HALF_LETTER = 4,
	TICKS = 6,
};

/* A share of the width from which a mark has room for text, on a screen and on a phone. */
static const double room_in_mark = 0.025, room_in_mark_on_phone = 0.09;

/* Half of the width of the text of a tick on a phone. */
static const double room_for_tick = 0.065;

/* How the picture of a section is drawn. */
struct layout {
	const struct report_picture *picture;
	double from, span;               /* the time at the left edge, and that of the whole width */
	int height;                      /* of a lane */
	int lane_height;                 /* with its name and gap */
	const struct report_mark *under; /* the last area, and the heights up to it: */
	double sums[REPORT_SHARES];
};

/* Compares two marks, which are pointed to: larger ones come first, then earlier ones. */
static int compare_areas(const void *a, const void *b)
{
	const struct report_mark *m = *(const struct report_mark *const *)a, *n = *(const struct report_mark *const *)b;
	const double x = m->dur.d * m->share, y = n->dur.d * n->share;

	return x < y || (x <= y && m > n) ? 1 : -1;
}

/* Returns whether each mark is one of the largest ones. */
static bool *largest_marks(const struct report_picture *picture, size_t most)
{
	const struct report_mark **order = mem_alloc(picture->n * sizeof *order);
	bool *largest = mem_zero(picture->n, sizeof *largest);
	size_t i;

	for (i = 0; i < picture->n; i++)
		order[i] = &picture->marks[i];
	qsort(order, picture->n, sizeof *order, compare_areas);
	for (i = 0; i < picture->n && i < most; i++)
		largest[order[i] - picture->marks] = true;
	free(order);
	return largest;
}

static void measure_layout(struct layout *l, const struct report_picture *picture)
{
	double to = -INFINITY;
	size_t i;

	*l = (struct layout){.picture = picture, .from = INFINITY};
	for (i = 0; i < picture->n; i++) {
		const struct report_mark *m = &picture->marks[i];

		l->from = fmin(l->from, m->at.d);
		to = fmax(to, m->at.d + m->dur.d);
	}
	l->span = to - l->from;
	l->height = picture->nested ? LEVEL_HEIGHT - 1 : picture->n_areas ? AREA_HEIGHT : LANE_HEIGHT;
	l->lane_height = picture->nested ? LEVEL_HEIGHT : LABEL_HEIGHT + l->height + LANE_GAP;
}

static double share_of_width(const struct layout *l, double time)
{
	return l->span > 0 ? time / l->span : 0;
}

static int top_of(const struct layout *l, size_t lane)
{
	return (int)lane * l->lane_height + (l->picture->nested ? 0 : LABEL_HEIGHT);
}

/* --- marks --- */

/* Writes the attributes for the place and size of a mark. */
static void put_box(struct html *p, const struct layout *l, const struct report_mark *m)
{
	const double height = l->height;

	html_put(p, " x=\"%w\" y=\"%f\" width=\"%w\" height=\"%f\">", share_of_width(l, m->at.d - l->from),
	    top_of(l, m->lane) + height * (1 - fmin(m->base + m->share, 1)), share_of_width(l, m->dur.d),
	    height * fmin(m->share, fmax(1 - m->base, 0)));
}

/* Writes the tooltip of a mark: "backward", "34.2 ms at 31.3 ms" or "59.4 ms, 11.8 %", "3 records". */
static void put_tip(struct html *p, const struct layout *l, const struct report_mark *m)
{
	const struct report_unit *unit = &l->picture->unit;

	html_put(p, "<title>%n\n", m->name);
	if (m->partial)
		html_put(p, "%s of ", m->share);
	html_put(p, "%v", unit, &m->dur);
	if (l->picture->nested)
		html_put(p, ", %s", share_of_width(l, m->dur.d));
	else
		html_put(p, " at %v", unit, &m->at);
	if (m->count > 1)
		html_put(p, ", %i records", m->count);
	html_put(p, "</title>");
}

/* Continues the edge of an area: from the place `at` on, its height is another share. */
static void put_step(struct html *p, size_t at, double share, double *last)
{
	const double height = floor(AREA_UNITS * fmin(fmax(share, 0), 1) + 0.5);

	if (height < *last || height > *last)
		html_put(p, "H%fV%f", (double)at, AREA_UNITS - height);
	*last = height;
}

/* Draws an area on the areas before it that begin at the same place of the lane. It is stretched to its width. */
static void put_area(struct html *p, struct layout *l, const struct report_mark *m)
{
	double last = 0;
	size_t i;

	if (!l->under || l->under->lane != m->lane || l->under->at.d < m->at.d || l->under->at.d > m->at.d)
		memset(l->sums, 0, sizeof l->sums);
	l->under = m;
	html_put(p,
	    "<svg x=\"%w\" y=\"%f\" width=\"%w\" height=\"%f\" viewBox=\"0 0 %f %f\" preserveAspectRatio=\"none\">",
	    share_of_width(l, m->at.d - l->from), (double)top_of(l, m->lane), share_of_width(l, m->dur.d),
	    (double)l->height, (double)m->n_shares, (double)AREA_UNITS);
	html_put(p, "<title>%n</title><path class=\"%t\" d=\"M0 %f", m->name, html_color(m->color), (double)AREA_UNITS);
	for (i = 0; i < m->n_shares; i++)
		put_step(p, i, l->sums[i] + m->shares[i], &last);
	for (i = m->n_shares; i-- > 0; l->sums[i] += m->shares[i])
		put_step(p, i + 1, l->sums[i], &last);
	html_put(p, "H0Z\"/></svg>\n");
}

static void put_mark(struct html *p, struct layout *l, const struct report_mark *m)
{
	const double width = share_of_width(l, m->dur.d);

	if (m->n_shares) {
		put_area(p, l, m);
		return;
	}
	/* Only marks of full height have text, in an element of their own, which clips it. */
	if (m->partial) {
		html_put(p, "<rect class=\"%t\"", html_color(m->color));
		put_box(p, l, m);
		put_tip(p, l, m);
		html_put(p, "</rect>\n");
		return;
	}
	html_put(p, "<svg");
	put_box(p, l, m);
	put_tip(p, l, m);
	html_put(p, "<rect class=\"%t\" width=\"100%%\" height=\"100%%\"/>", html_color(m->color));
	if (width >= room_in_mark)
		html_put(p, "<text x=\"4\" y=\"%f\"%t>%n</text>", (double)(l->height / 2 + HALF_LETTER),
		    width < room_in_mark_on_phone ? " class=\"roomy\"" : "", m->label.n ? m->label : m->name);
	html_put(p, "</svg>\n");
}

/* --- lanes and axis --- */

static void put_lanes(struct html *p, const struct layout *l)
{
	size_t i;

	for (i = 0; i < l->picture->n_lanes && !l->picture->nested; i++) {
		const double top = top_of(l, i);

		html_put(p,
		    "<text class=\"label\" y=\"%f\">%n</text><rect class=\"lane\" y=\"%f\" width=\"100%%\" "
		    "height=\"%f\"/>\n",
		    top - LABEL_HEIGHT + LABEL_BASE, l->picture->lanes[i], top, (double)l->height);
	}
}

/* Returns the distance of ticks: 1, 2 or 5 times a power of ten. */
static double tick_distance(double span)
{
	const double least = span / TICKS, power = pow(10, floor(log10(least)));

	return (least <= power ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10) * power;
}

/* Writes the time of a tick, without decimals that are 0: "100 ms". */
static void put_time(struct html *p, const struct report_unit *unit, double time)
{
	char digits[NUM_ROOM];
	struct report_number number;
	struct value v;

	value_of(&v, (struct str){digits, (size_t)(num_put_double(digits, time) - digits)});
	report_number_put(&number, unit, &v, NULL);
	if (str_ends(report_number_text(&number), STR(".0")))
		number.n -= strlen(".0");
	html_put(p, "%p%t%t", report_number_text(&number), *number.unit && time != 0 ? "\xc2\xa0" : "",
	    time != 0 ? number.unit : "");
}

/* Writes times under the lanes: the text of a tick is around its place, or begins at the left edge. */
static void put_axis(struct html *p, const struct layout *l)
{
	const double distance = l->span > 0 ? tick_distance(l->span) : 0;
	double i = distance > 0 ? ceil(l->from / distance) : 0, x;
	int n;

	if (l->picture->nested || distance <= 0)
		return;
	for (n = 0; n <= TICKS; n++, i++) {
		x = share_of_width(l, i * distance - l->from);
		if (x > 1 - room_for_tick)
			break;
		html_put(p, "<text class=\"label\" x=\"%w\" y=\"%f\"%t>", x,
		    (double)l->picture->n_lanes * l->lane_height + LABEL_BASE,
		    x > room_for_tick ? " text-anchor=\"middle\"" : "");
		put_time(p, &l->picture->unit, i * distance);
		html_put(p, "</text>");
	}
	html_put(p, "\n");
}

/* The legend of areas names them; another one names the meanings of the colors. */
static void put_legend(struct html *p, const struct report_picture *picture)
{
	struct report_part parts[COLOR_MEANINGS];
	bool used[COLOR_N] = {false};
	enum color color;
	size_t i, n = 0;

	if (picture->n_areas)
		html_put(p, "<ul class=\"legend\">");
	for (i = 0; i < picture->n; i++) {
		const struct report_mark *m = &picture->marks[i];

		used[m->color] = true;
		if (m->n_shares)
			html_put(p, "<li><i class=\"%t\"></i>%n</li>", html_color(m->color),
			    m->label.n ? m->label : m->name);
	}
	if (picture->n_areas) {
		html_put(p, "</ul>\n");
		return;
	}
	for (color = COLOR_NONE + 1; color < COLOR_MEANINGS; color++) {
		if (used[color])
			parts[n++] = (struct report_part){.color = color, .name = str_of(color_meaning(color))};
	}
	if (n)
		html_legend(p, parts, n, false);
}

void html_picture(struct html *p, const struct block *block)
{
	const struct report_picture *picture = block->picture;
	bool *drawn = largest_marks(picture, p->limits->marks);
	size_t i, left_out = 0;
	struct layout l;

	measure_layout(&l, picture);
	html_put(p,
	    "<div class=\"picture\"><svg role=\"img\" aria-label=\"%h: a picture with %i marks\" width=\"100%%\" "
	    "height=\"%f\">\n",
	    block->text, (uint64_t)picture->n,
	    (double)picture->n_lanes * l.lane_height + (picture->nested ? 0 : AXIS_HEIGHT));
	put_lanes(p, &l);
	for (i = 0; i < picture->n; i++) {
		if (drawn[i])
			put_mark(p, &l, &picture->marks[i]);
		else
			left_out++;
	}
	free(drawn);
	put_axis(p, &l);
	html_put(p, "</svg></div>\n");
	put_legend(p, picture);
	if (left_out)
		html_put(p,
		    "<p class=\"soft\">The %i smallest marks are not drawn: the page would be too large with all of "
		    "them.</p>\n",
		    (uint64_t)left_out);
}
