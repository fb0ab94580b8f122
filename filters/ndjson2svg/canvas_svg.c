/* canvas_svg: writes marks as SVG. There are no ids and no style attributes, so that pictures can be part of a page. */
#include "chart.h"
#include "base/escape.h"
#include "base/num_format.h"
#include "table/text_width.h"

#include <math.h>
#include <stdlib.h>

enum { FONT = 12, TITLE_FONT = 15, MOST = 1000000000 /* limit of coordinates */ };

struct svg {
	struct canvas canvas;
	struct out *out;
	struct buf text; /* scratch: an escaped text */
	bool first;      /* the next point is the first of its curve */
};

static struct svg *svg_of(struct canvas *c)
{
	return (struct svg *)c;
}

/* --- numbers --- */

/* Writes a coordinate with at most two decimals. */
static void put_number(struct out *o, double v)
{
	int64_t hundredths = (int64_t)floor((fabs(v) < MOST ? v : 0) * 100 + 0.5);
	char *p = out_room(o, NUM_ROOM);

	if (hundredths < 0) {
		*p++ = '-';
		hundredths = -hundredths;
	}
	p = num_put_i64(p, hundredths / 100);
	hundredths %= 100;
	if (hundredths) {
		*p++ = '.';
		*p++ = (char)('0' + hundredths / 10);
		if (hundredths % 10)
			*p++ = (char)('0' + hundredths % 10);
	}
	out_used(o, p);
}

static void put_attribute(struct out *o, const char *name, double v)
{
	out_all(o, (const char *const[]){" ", name, "=\"", NULL});
	put_number(o, v);
	out_char(o, '"');
}

/* --- texts --- */

static void put_text(struct svg *s, struct str text)
{
	s->text.n = 0;
	escape_text(&s->text, ESCAPE_XML, text);
	out_add(s->out, s->text.p, s->text.n);
}

/*
 * Widths of the characters from ' ' to '~' in DejaVu Sans, in thousandths of the font's size. It is wider than most
 * other sans-serif fonts, so that a text fits in its place whichever font the reader has.
 */
static const uint16_t widths[] = {318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636,
    636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775,
    752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838,
    500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634,
    592, 818, 592, 592, 525, 636, 337, 636, 838};

enum { NARROW = 720, WIDE = 1050 }; /* other characters: those of one and of two columns of a terminal */

/* Returns the width of a text in thousandths of the font's size. */
static size_t sans_width(struct str text)
{
	size_t sum = 0, n, columns;
	uint32_t code;

	for (; text.n; text = str_from(text, n)) {
		n = utf8_decode(text, &code);
		if (n == 1 && code >= ' ' && code <= '~') {
			sum += widths[code - ' '];
			continue;
		}
		n = text_width_first(text, &columns);
		sum += code == 0x2026 ? 1000 : columns == 2 ? WIDE : columns * NARROW;
	}
	return sum;
}

/* --- marks --- */

/* Ends an element: with its tip as its content, if it has a tip. */
static void close_mark(struct svg *s, const char *element, struct str tip)
{
	struct out *o = s->out;

	if (!tip.n) {
		out_lit(o, "/>\n");
		return;
	}
	out_lit(o, "><title>");
	put_text(s, tip);
	out_all(o, (const char *const[]){"</title></", element, ">\n", NULL});
}

static void open_mark(struct out *o, const char *element, enum color color, struct str tip)
{
	out_all(o, (const char *const[]){"<", element, " class=\"", color_name(color), tip.n ? " m\"" : "\"", NULL});
}

static void begin_page(struct canvas *c, double height, struct str title)
{
	struct out *o = svg_of(c)->out;

	out_lit(o, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tf\" role=\"img\"");
	put_attribute(o, "width", c->width);
	put_attribute(o, "height", height);
	out_lit(o, " viewBox=\"0 0 ");
	put_number(o, c->width);
	out_char(o, ' ');
	put_number(o, height);
	out_lit(o, "\">\n<title>");
	put_text(svg_of(c), title);
	out_lit(o, "</title>\n");
	color_write_style(o);
	out_lit(o, "<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n");
}

static void box(struct canvas *c, struct canvas_box b, enum color color, struct str tip)
{
	struct out *o = svg_of(c)->out;

	open_mark(o, "rect", color, tip);
	put_attribute(o, "x", b.x);
	put_attribute(o, "y", b.y);
	put_attribute(o, "width", b.w > 0 ? b.w : 0);
	put_attribute(o, "height", b.h > 0 ? b.h : 0);
	close_mark(svg_of(c), "rect", tip);
}

static void put_on_circle(
    struct out *o, const char *command, const struct canvas_sector *s, double radius, double share)
{
	const double angle = 2 * acos(-1) * share;

	out_z(o, command);
	put_number(o, s->x + radius * sin(angle));
	out_char(o, ' ');
	put_number(o, s->y - radius * cos(angle));
}

static void put_arc(struct out *o, const struct canvas_sector *s, double radius, double from, double to)
{
	out_char(o, 'A');
	put_number(o, radius);
	out_char(o, ' ');
	put_number(o, radius);
	out_z(o, fabs(to - from) > 0.5 ? " 0 1 " : " 0 0 ");
	put_on_circle(o, to > from ? "1 " : "0 ", s, radius, to);
}

/* A whole ring is drawn as two halves, because an arc from a point to itself is not visible. */
static void put_sector(struct out *o, const struct canvas_sector *s, double from, double to)
{
	put_on_circle(o, "M", s, s->outer, from);
	put_arc(o, s, s->outer, from, to);
	put_on_circle(o, "L", s, s->inner, to);
	put_arc(o, s, s->inner, to, from);
	out_char(o, 'Z');
}

static void sector(struct canvas *c, struct canvas_sector s, enum color color, struct str tip)
{
	struct out *o = svg_of(c)->out;

	if (s.to - s.from > 0.9999 && s.inner <= 0) {
		open_mark(o, "circle", color, tip);
		put_attribute(o, "cx", s.x);
		put_attribute(o, "cy", s.y);
		put_attribute(o, "r", s.outer);
		close_mark(svg_of(c), "circle", tip);
		return;
	}
	open_mark(o, "path", color, tip);
	out_lit(o, " d=\"");
	if (s.to - s.from > 0.9999) {
		put_sector(o, &s, 0, 0.5);
		put_sector(o, &s, 0.5, 1);
	} else {
		put_sector(o, &s, s.from, s.to);
	}
	out_char(o, '"');
	close_mark(svg_of(c), "path", tip);
}

static void text(struct canvas *c, struct canvas_point at, enum canvas_style style, enum color on, struct str s)
{
	static const char *const classes[] = {"ink", "soft", "ink title"};
	static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
	struct out *o = svg_of(c)->out;

	out_all(o, (const char *const[]){"<text class=\"", style == CANVAS_INSIDE ? "on-" : classes[style],
		       style == CANVAS_INSIDE ? color_name(on) : "", "\"", NULL});
	put_attribute(o, "x", at.x);
	put_attribute(o, "y", at.y + 0.35 * (style == CANVAS_TITLE ? TITLE_FONT : FONT));
	out_z(o, anchors[at.anchor]);
	out_char(o, '>');
	put_text(svg_of(c), s);
	out_lit(o, "</text>\n");
}

static void rule(struct canvas *c, double x0, double y0, double x1, double y1, bool faint)
{
	struct out *o = svg_of(c)->out;

	out_z(o, faint ? "<line class=\"faint\"" : "<line class=\"rule\"");
	put_attribute(o, "x1", x0);
	put_attribute(o, "y1", y0);
	put_attribute(o, "x2", x1);
	put_attribute(o, "y2", y1);
	out_lit(o, "/>\n");
}

/* --- curves --- */

static void curve(struct canvas *c, enum color color, struct str tip)
{
	struct out *o = svg_of(c)->out;

	/* The tip of a curve is that of a group, so that the points can be written one by one. */
	out_lit(o, "<g>");
	if (tip.n) {
		out_lit(o, "<title>");
		put_text(svg_of(c), tip);
		out_lit(o, "</title>");
	}
	out_all(o, (const char *const[]){"<path class=\"l-", color_name(color), "\" d=\"", NULL});
	svg_of(c)->first = true;
}

static void point(struct canvas *c, double x, double y)
{
	struct svg *s = svg_of(c);

	out_char(s->out, s->first ? 'M' : 'L');
	put_number(s->out, x);
	out_char(s->out, ' ');
	put_number(s->out, y);
	s->first = false;
}

static void curve_end(struct canvas *c)
{
	out_lit(svg_of(c)->out, "\"/></g>\n");
}

static void raw(struct canvas *c, struct str constant)
{
	out_str(svg_of(c)->out, constant);
}

static void end_page(struct canvas *c)
{
	out_lit(svg_of(c)->out, "</svg>\n");
	buf_free(&svg_of(c)->text);
}

static double width(struct str s, enum canvas_style style)
{
	return (double)sans_width(s) * (style == CANVAS_TITLE ? TITLE_FONT * 1.1 : FONT) / 1000;
}

static const struct canvas_ops svg_ops = {
    width, begin_page, box, sector, text, rule, curve, point, curve_end, raw, end_page};

struct canvas *canvas_svg_new(struct out *out, double page_width)
{
	struct svg *s = mem_zero(1, sizeof *s);

	s->canvas = (struct canvas){.width = page_width, .line = 18, .space = 6, .margin = 16, .ops = &svg_ops};
	s->out = out;
	return &s->canvas;
}
