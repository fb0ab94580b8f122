/* Texts, names and numbers of a page. */
#include "html_private.h"

#include "html_text.h"

void html_plain(struct html *p, struct str text)
{
	html_text_cut(&p->html, text, p->limits->text);
}

void html_name(struct html *p, struct str name)
{
	html_text_cut(&p->html, name, p->limits->name);
}

/* A number and its unit stay on one line. */
static void append_number(struct html *p, struct str digits, const char *unit)
{
	html_text(&p->html, digits);
	if (*unit)
		html_lit(p, "\xc2\xa0"); /* no-break space */
	html_text(&p->html, str_of(unit));
}

static void put_piece(struct html *p, const struct report_piece *piece, bool elements)
{
	switch (piece->type) {
	case REPORT_PIECE_TEXT:
		html_plain(p, piece->text);
		break;
	case REPORT_PIECE_NUMBER:
		append_number(p, piece->text, piece->unit);
		break;
	case REPORT_PIECE_NAME:
		if (elements)
			html_lit(p, "<code>");
		html_name(p, piece->text);
		if (elements)
			html_lit(p, "</code>");
		break;
	}
}

static void append_text(struct html *p, const struct report_record *record, struct str text, bool elements)
{
	struct report_piece piece;
	struct report_text t;
	size_t shown = 0;

	report_text_begin(&t, record, text);
	while (report_text_next(&t, &piece)) {
		if (shown >= p->limits->text) {
			html_lit(p, "\xe2\x80\xa6"); /* ellipsis */
			break;
		}
		put_piece(p, &piece, elements);
		shown += piece.text.n;
	}
}

void html_report_text(struct html *p, const struct report_record *record, struct str text)
{
	append_text(p, record, text, true);
}

void html_bare_text(struct html *p, const struct report_record *record, struct str text)
{
	append_text(p, record, text, false);
}

/* Returns whether all values of the unit are written in the same unit, which the title of a column has. */
static bool is_in_title(const struct report_unit *unit)
{
	return unit->fixed && (unit->measure == REPORT_MEASURE_TIME || unit->measure == REPORT_MEASURE_BYTES ||
				  unit->measure == REPORT_MEASURE_RATE);
}

struct str html_bare_title(const struct report_column *c)
{
	const struct str title = c->title, unit = str_of(is_in_title(&c->unit) ? c->unit.fixed->name : "");
	const size_t n = unit.n + strlen(" ()");

	if (!unit.n || title.n <= n || !str_ends(str_head(title, title.n - 1), unit) || !str_ends(title, STR(")")) ||
	    !str_ends(str_head(title, title.n - n + 2), STR(" (")))
		return title;
	return str_head(title, title.n - n);
}

void html_value(struct html *p, const struct report_unit *unit, const struct value *v, bool with_unit)
{
	struct report_number number;

	if (v->type == VALUE_NONE)
		return;
	if (!report_is_number(v) || report_unit_is_text(unit)) {
		html_name(p, v->text);
		return;
	}
	report_number_put(&number, unit, v, NULL);
	append_number(p, report_number_text(&number), with_unit || !is_in_title(unit) ? number.unit : "");
}

void html_number(struct html *p, double v)
{
	char *end = num_put_double(buf_room(&p->html, NUM_ROOM), v);

	p->html.n = (size_t)(end - p->html.p);
}

/* Writes a number in a unit of reports, "share.1" or "count". `end` is the end of its digits. */
static void put_measured(struct html *p, const char *unit_word, const char *digits, const char *end)
{
	struct report_unit unit;
	struct value value;

	value_of(&value, (struct str){digits, (size_t)(end - digits)});
	report_unit_read(&unit, str_of(unit_word));
	html_value(p, &unit, &value, true);
}

void html_percent(struct html *p, double share)
{
	char digits[NUM_ROOM];

	put_measured(p, "share.1", digits, num_put_double(digits, share));
}

void html_int(struct html *p, uint64_t v)
{
	char digits[NUM_ROOM];

	put_measured(p, "count", digits, num_put_u64(digits, v));
}
