#include "html_picture.h"

#include <math.h>
#include <stdlib.h>

/* --- bars --- */

enum {
	HEIGHT_OF_TEXT = 8, /* of the capitals of the text in a bar, to place it in the middle */
	HEIGHT_FOR_TEXT = 16,
};

/* A share of the width from which a part has room for "60.5 %", on a screen and on a phone. */
static const double room_for_text = 0.055, room_on_phone = 0.17;

static double share_of(double part, double whole)
{
	const double share = whole > 0 ? part / whole : 0;

	return share > 1 ? 1 : share > 0 ? share : 0;
}

void html_color(struct html *p, enum color color)
{
	html_text(&p->to, color < COLOR_MEANINGS ? str_of(color_meaning(color)) : STR("plain"));
}

/* Writes an attribute: a share of the width in percent, or a number with at most two decimals. */
static void put_attribute(struct html *p, struct str name, double v, bool percent)
{
	html_lit(p, " ");
	buf_add(&p->to, name.p, name.n);
	html_lit(p, "=\"");
	html_number(p, percent ? floor(v * 1e6 + 0.5) / 1e4 : floor(v * 100 + 0.5) / 100);
	if (percent)
		html_lit(p, "%");
	html_lit(p, "\"");
}

/* Writes a rectangle that fills its element. */
static void put_fill(struct html *p, enum color color)
{
	html_lit(p, "<rect class=\"");
	html_color(p, color);
	html_lit(p, "\" width=\"100%\" height=\"100%\"/>");
}

/* Writes the share of a part in the sum of all parts. */
static void put_share(struct html *p, const struct page_part *part, double sum)
{
	const struct value *v = &part->share;

	html_percent(p, report_is_number(v) ? v->d : share_of(page_part_size(part), sum));
}

/* The same sentence is the title of a part and a piece of the label of the bar: "Computing: 281.3 ms, 60.5 %". */
static void put_sentence(struct html *p, const struct page_part *part, double sum)
{
	html_name(p, part->name);
	html_lit(p, ": ");
	html_value(p, &part->unit, &part->value, true);
	html_lit(p, ", ");
	put_share(p, part, sum);
}

/* Writes the share of a part in the middle of its bar, if there is room. `width` is its share of the picture. */
static void put_part_text(struct html *p, const struct page_part *part, double sum, double width, int height)
{
	if (width < room_for_text || height < HEIGHT_FOR_TEXT)
		return;
	html_lit(p, "<text x=\"50%\"");
	put_attribute(p, STR("y"), (height + HEIGHT_OF_TEXT) / 2, false);
	html_lit(p, " text-anchor=\"middle\"");
	if (width < room_on_phone)
		html_lit(p, " class=\"roomy\"");
	html_lit(p, ">");
	put_share(p, part, sum);
	html_lit(p, "</text>");
}

/* Writes a part that begins at `at`, in the unit of `whole`. */
static void put_part(
    struct html *p, const struct page_part *part, double at, double sum, double whole, int height, struct str label)
{
	const double width = share_of(page_part_size(part), whole);

	html_lit(p, "<svg");
	put_attribute(p, STR("x"), share_of(at, whole), true);
	put_attribute(p, STR("width"), width, true);
	put_attribute(p, STR("height"), height, false);
	html_lit(p, "><title>");
	if (label.n) {
		buf_add(&p->to, label.p, label.n);
		html_lit(p, "\n");
	}
	put_sentence(p, part, sum);
	html_lit(p, "</title>");
	put_fill(p, part->color);
	put_part_text(p, part, sum, width, height);
	html_lit(p, "</svg>");
}

void html_stacked_bar(
    struct html *p, const struct page_part *parts, size_t n, double whole, int height, struct str label)
{
	const double sum = page_parts_sum(parts, n);
	double at = 0;
	size_t i;

	html_lit(p, "<svg role=\"img\" width=\"100%\"");
	put_attribute(p, STR("height"), height, false);
	html_lit(p, " aria-label=\"");
	buf_add(&p->to, label.p, label.n);
	for (i = 0; i < n; i++) {
		if (i || label.n)
			html_lit(p, "; ");
		put_sentence(p, &parts[i], sum);
	}
	html_lit(p, "\">");
	for (i = 0; i < n; i++) {
		if (page_part_size(&parts[i]) <= 0)
			continue;
		put_part(p, &parts[i], at, sum, whole, height, label);
		at += page_part_size(&parts[i]);
	}
	html_lit(p, "</svg>\n");
}

void html_legend(struct html *p, const struct page_part *parts, size_t n, bool with_share)
{
	const double sum = page_parts_sum(parts, n);
	size_t i;

	html_lit(p, "<ul class=\"legend\">");
	for (i = 0; i < n; i++) {
		html_lit(p, "<li><i class=\"");
		html_color(p, parts[i].color);
		html_lit(p, "\"></i>");
		html_name(p, parts[i].name);
		if (with_share) {
			html_lit(p, " <b>");
			put_share(p, &parts[i], sum);
			html_lit(p, "</b>");
		}
		html_lit(p, "</li>");
	}
	html_lit(p, "</ul>\n");
}

void html_bar(struct html *p, enum color color, double share)
{
	html_lit(p, "<svg class=\"bar\" aria-hidden=\"true\"><rect class=\"");
	html_color(p, color);
	html_lit(p, "\"");
	put_attribute(p, STR("width"), share_of(share, 1), true);
	html_lit(p, " height=\"100%\"/></svg>");
}

/* --- pictures --- */

enum {
	LABEL_HEIGHT = 20, /* of the name of a lane */
	LANE_HEIGHT = 24,
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
	double from, span; /* the time at the left edge, and that of the whole width */
	double least;      /* marks of less than this area are not drawn */
	size_t ties;       /* number of marks of exactly this area that are drawn */
	int lane_height;   /* with its name and gap */
};

/* --- which marks are drawn --- */

static double area(const struct report_mark *mark)
{
	return mark->dur.d * mark->share;
}

static int compare_lengths(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

/* Chooses the largest marks. */
static void choose_marks(struct layout *l, size_t most)
{
	const size_t n = l->picture->n;
	double *areas = mem_alloc(n * sizeof *areas);
	size_t i;

	for (i = 0; i < n; i++)
		areas[i] = area(&l->picture->marks[i]);
	qsort(areas, n, sizeof *areas, compare_lengths);
	l->least = most < n ? areas[most] : 0;
	for (i = 0; i < n && areas[i] > l->least; i++)
		;
	l->ties = most < n ? most - i : n;
	free(areas);
}

static bool is_drawn(struct layout *l, const struct report_mark *mark)
{
	if (area(mark) > l->least)
		return true;
	if (area(mark) < l->least || !l->ties)
		return false;
	l->ties--;
	return true;
}

/* --- layout --- */

static void measure(struct layout *l, const struct report_picture *picture, size_t most)
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
	l->lane_height = picture->nested ? LEVEL_HEIGHT : LABEL_HEIGHT + LANE_HEIGHT + LANE_GAP;
	choose_marks(l, most);
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

/* The place and size of a mark. */
static void put_box(struct html *p, const struct layout *l, const struct report_mark *m)
{
	const double height = l->picture->nested ? LEVEL_HEIGHT - 1 : LANE_HEIGHT;

	put_attribute(p, STR("x"), share_of_width(l, m->at.d - l->from), true);
	put_attribute(p, STR("y"), top_of(l, m->lane) + height * (1 - fmin(m->base + m->share, 1)), false);
	put_attribute(p, STR("width"), share_of_width(l, m->dur.d), true);
	put_attribute(p, STR("height"), height * fmin(m->share, fmax(1 - m->base, 0)), false);
}

/* Writes the tooltip of a mark: "backward", "34.2 ms at 31.3 ms" or "59.4 ms, 11.8 %", "3 records". */
static void put_tip(struct html *p, const struct layout *l, const struct report_mark *m)
{
	const struct report_unit *unit = &l->picture->unit;

	html_lit(p, "<title>");
	html_name(p, m->name);
	html_lit(p, "\n");
	if (m->partial) {
		html_percent(p, m->share);
		html_lit(p, " of ");
	}
	html_value(p, unit, &m->dur, true);
	if (l->picture->nested) {
		html_lit(p, ", ");
		html_percent(p, share_of_width(l, m->dur.d));
	} else {
		html_lit(p, " at ");
		html_value(p, unit, &m->at, true);
	}
	if (m->count > 1) {
		html_lit(p, ", ");
		html_int(p, m->count);
		html_lit(p, " records");
	}
	html_lit(p, "</title>");
}

static void put_mark(struct html *p, const struct layout *l, const struct report_mark *m)
{
	const double width = share_of_width(l, m->dur.d);
	const struct str label = report_record_text(&m->record, "label");

	/* Only marks of full height have text, in an element of their own, which clips it. */
	if (m->partial) {
		html_lit(p, "<rect class=\"");
		html_color(p, m->color);
		html_lit(p, "\"");
		put_box(p, l, m);
		html_lit(p, ">");
		put_tip(p, l, m);
		html_lit(p, "</rect>\n");
		return;
	}
	html_lit(p, "<svg");
	put_box(p, l, m);
	html_lit(p, ">");
	put_tip(p, l, m);
	put_fill(p, m->color);
	if (width >= room_in_mark) {
		html_lit(p, "<text x=\"4\"");
		put_attribute(p, STR("y"), (l->picture->nested ? LEVEL_HEIGHT : LANE_HEIGHT) / 2 + HALF_LETTER, false);
		if (width < room_in_mark_on_phone)
			html_lit(p, " class=\"roomy\"");
		html_lit(p, ">");
		html_name(p, label.n ? label : m->name);
		html_lit(p, "</text>");
	}
	html_lit(p, "</svg>\n");
}

/* --- lanes and axis --- */

static void put_lanes(struct html *p, const struct layout *l)
{
	size_t i;

	for (i = 0; i < l->picture->n_lanes && !l->picture->nested; i++) {
		const int top = top_of(l, i);

		html_lit(p, "<text class=\"label\"");
		put_attribute(p, STR("y"), top - LABEL_HEIGHT + 14, false);
		html_lit(p, ">");
		html_name(p, l->picture->lanes[i]);
		html_lit(p, "</text><rect class=\"lane\"");
		put_attribute(p, STR("y"), top, false);
		html_lit(p, " width=\"100%\"");
		put_attribute(p, STR("height"), LANE_HEIGHT, false);
		html_lit(p, "/>\n");
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
	html_text(&p->to, report_number_text(&number));
	if (*number.unit && time != 0) {
		html_lit(p, "\xc2\xa0"); /* no-break space */
		html_text(&p->to, str_of(number.unit));
	}
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
		html_lit(p, "<text class=\"label\"");
		put_attribute(p, STR("x"), x, true);
		put_attribute(p, STR("y"), (double)l->picture->n_lanes * l->lane_height + 14, false);
		if (x > room_for_tick)
			html_lit(p, " text-anchor=\"middle\"");
		html_lit(p, ">");
		put_time(p, &l->picture->unit, i * distance);
		html_lit(p, "</text>");
	}
	html_lit(p, "\n");
}

static void put_legend(struct html *p, const struct report_picture *picture)
{
	static const char *const words[] = {
	    "", "computing", "communication", "copies and sets", "host", "pause", "annotation", "operator"};
	struct page_part parts[COLOR_MEANINGS];
	bool used[COLOR_MEANINGS + 1] = {false};
	enum color color;
	size_t i, n = 0;

	for (i = 0; i < picture->n; i++)
		used[picture->marks[i].color] = true;
	for (color = COLOR_NONE + 1; color < COLOR_MEANINGS; color++) {
		if (used[color])
			parts[n++] = (struct page_part){.color = color, .name = str_of(words[color])};
	}
	if (n)
		html_legend(p, parts, n, false);
}

void html_picture(struct html *p, const struct report_section *s)
{
	const struct report_picture *picture = &s->picture;
	size_t i, drawn = 0;
	struct layout l;

	measure(&l, picture, p->limits->marks);
	html_lit(p, "<div class=\"picture\"><svg role=\"img\" aria-label=\"");
	html_name(p, s->title);
	html_lit(p, ": a picture with ");
	html_int(p, picture->n);
	html_lit(p, " marks\" width=\"100%\"");
	put_attribute(
	    p, STR("height"), (double)picture->n_lanes * l.lane_height + (picture->nested ? 0 : AXIS_HEIGHT), false);
	html_lit(p, ">\n");
	put_lanes(p, &l);
	for (i = 0; i < picture->n && !html_is_done(p); i++) {
		const size_t item = html_item(p);

		if (!is_drawn(&l, &picture->marks[i]))
			continue;
		put_mark(p, &l, &picture->marks[i]);
		drawn += html_item_end(p, item);
	}
	put_axis(p, &l);
	html_lit(p, "</svg></div>\n");
	put_legend(p, picture);
	if (drawn == picture->n)
		return;
	p->loss.marks += picture->n - drawn;
	html_lit(p, "<p class=\"soft\">The ");
	html_int(p, picture->n - drawn);
	html_lit(p, " smallest marks are not drawn: the page would be too large with all of them.</p>\n");
}
