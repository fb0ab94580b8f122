/* Pictures of bars, as SVG. Widths are attributes in percent, so that a picture fits a page of any width. */
#include "html_private.h"

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

/* Returns the width of a part; it is 0 for a value that a bar cannot show. */
static double width_of(const struct html_part *part)
{
	const struct value *v = part->value;

	return (v->type == VALUE_INT || v->type == VALUE_REAL) && v->d > 0 ? v->d : 0;
}

double html_parts_sum(const struct html_part *parts, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += width_of(&parts[i]);
	return sum;
}

void html_color(struct html *p, enum color color)
{
	const struct str name = str_of(color_meaning(color < COLOR_MEANINGS ? color : COLOR_NONE));

	buf_add(&p->html, name.p, name.n);
}

/* Writes a share as a percentage with at most four decimals. */
static void put_percent(struct html *p, double share)
{
	html_number(p, (double)(int64_t)(share * 1e6 + 0.5) / 1e4);
	html_lit(p, "%");
}

/* Writes the share of a part in the sum of all parts. */
static void put_share(struct html *p, const struct html_part *part, double sum)
{
	const struct value *v = part->share;

	html_percent(p, v && report_is_number(v) ? v->d : share_of(width_of(part), sum));
}

/* The same sentence is the title of a part and a piece of the label of the bar: "Computing: 281.3 ms, 60.5 %". */
static void put_sentence(struct html *p, const struct html_part *part, double sum)
{
	html_name(p, part->name);
	html_lit(p, ": ");
	html_value(p, part->unit, part->value, true);
	html_lit(p, ", ");
	put_share(p, part, sum);
}

/* Writes the share of a part in the middle of its bar, if there is room. `width` is its share of the picture. */
static void put_part_text(struct html *p, const struct html_part *part, double sum, double width, int height)
{
	if (width < room_for_text || height < HEIGHT_FOR_TEXT)
		return;
	html_lit(p, "<text x=\"50%\" y=\"");
	html_number(p, (height + HEIGHT_OF_TEXT) / 2);
	html_lit(p, "\" text-anchor=\"middle\"");
	if (width < room_on_phone)
		html_lit(p, " class=\"roomy\"");
	html_lit(p, ">");
	put_share(p, part, sum);
	html_lit(p, "</text>");
}

/* Writes a part that begins at `at`, in the unit of `whole`. */
static void put_part(
    struct html *p, const struct html_part *part, double at, double sum, double whole, int height, struct str label)
{
	const double width = share_of(width_of(part), whole);

	html_lit(p, "<svg x=\"");
	put_percent(p, share_of(at, whole));
	html_lit(p, "\" width=\"");
	put_percent(p, width);
	html_lit(p, "\" height=\"");
	html_number(p, height);
	html_lit(p, "\"><title>");
	if (label.n) {
		buf_add(&p->html, label.p, label.n);
		html_lit(p, "\n");
	}
	put_sentence(p, part, sum);
	html_lit(p, "</title><rect class=\"");
	html_color(p, part->color);
	html_lit(p, "\" width=\"100%\" height=\"100%\"/>");
	put_part_text(p, part, sum, width, height);
	html_lit(p, "</svg>");
}

void html_stacked_bar(
    struct html *p, const struct html_part *parts, size_t n, double whole, int height, struct str label)
{
	const double sum = html_parts_sum(parts, n);
	double at = 0;
	size_t i;

	html_lit(p, "<svg role=\"img\" width=\"100%\" height=\"");
	html_number(p, height);
	html_lit(p, "\" aria-label=\"");
	buf_add(&p->html, label.p, label.n);
	for (i = 0; i < n; i++) {
		if (i || label.n)
			html_lit(p, "; ");
		put_sentence(p, &parts[i], sum);
	}
	html_lit(p, "\">");
	for (i = 0; i < n; i++) {
		if (width_of(&parts[i]) <= 0)
			continue;
		put_part(p, &parts[i], at, sum, whole, height, label);
		at += width_of(&parts[i]);
	}
	html_lit(p, "</svg>\n");
}

void html_legend(struct html *p, const struct html_part *parts, size_t n, bool with_share)
{
	const double sum = html_parts_sum(parts, n);
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
	html_lit(p, "\" width=\"");
	put_percent(p, share_of(share, 1));
	html_lit(p, "\" height=\"100%\"/></svg>");
}
