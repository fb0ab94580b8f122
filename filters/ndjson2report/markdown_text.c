#include "markdown_text.h"

#include "base/char_class.h"
#include "base/escape.h"

/* Returns whether the last line in `to` is a number or empty, after spaces; a mark after it could begin a list. */
static bool may_begin_list(const struct buf *to, char mark)
{
	size_t n = to->n, digits = 0;

	while (n && is_digit(to->p[n - 1])) {
		n--;
		digits++;
	}
	while (n && to->p[n - 1] == ' ')
		n--;
	if (n && to->p[n - 1] != '\n')
		return false;
	return mark == '.' || mark == ')' ? digits > 0 : digits == 0;
}

void markdown_text_put(struct buf *to, struct str text)
{
	size_t n;

	for (; text.n; text = str_from(text, n)) {
		for (n = 0; n < text.n && !memchr("+-=.)", text.p[n], 5); n++)
			;
		escape_text(to, ESCAPE_MARKDOWN, str_head(text, n));
		if (n == text.n)
			break;
		if (may_begin_list(to, text.p[n]))
			buf_char(to, '\\');
		buf_char(to, text.p[n++]);
	}
}

/* --- names --- */

/* Returns the length of the longest run of backticks. */
static size_t longest_run(struct str s)
{
	size_t longest = 0, run = 0, i;

	for (i = 0; i < s.n; i++) {
		run = s.p[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

/* Appends a name as HTML, in which every special character is a reference. */
static void put_html(struct buf *to, struct str s)
{
	size_t i;

	buf_lit(to, "<code>");
	for (i = 0; i < s.n; i++) {
		const char c = s.p[i];

		if (memchr("\\`*_[]<>&|~#$!\"'", c, 16)) {
			buf_lit(to, "&#");
			if (c >= 100)
				buf_char(to, (char)('0' + c / 100));
			buf_char(to, (char)('0' + c / 10 % 10));
			buf_char(to, (char)('0' + c % 10));
			buf_char(to, ';');
		} else {
			buf_char(to, c);
		}
	}
	buf_lit(to, "</code>");
}

static void put_fence(struct buf *to, size_t n)
{
	while (n--)
		buf_char(to, '`');
}

/* Appends a name as a code span, whose fence is longer than any run of backticks in it. */
static void put_span(struct buf *to, struct str s, bool cell)
{
	const size_t fence = longest_run(s) + 1;
	/* One space at both ends of a code span is not shown, unless all of it is spaces. */
	const bool spaces =
	    s.p[0] == '`' || s.p[s.n - 1] == '`' || (s.p[0] == ' ' && s.p[s.n - 1] == ' ' && !str_all(s, is_blank));
	size_t i;

	put_fence(to, fence);
	if (spaces)
		buf_char(to, ' ');
	for (i = 0; i < s.n; i++) {
		if (cell && s.p[i] == '|')
			buf_char(to, '\\');
		buf_char(to, s.p[i]);
	}
	if (spaces)
		buf_char(to, ' ');
	put_fence(to, fence);
}

void markdown_text_name(struct buf *to, struct str name, bool cell)
{
	struct buf visible = {0};
	struct str s;

	escape_text(&visible, ESCAPE_PLAIN, name.n ? name : STR("\"\""));
	s = buf_str(&visible);
	/* In a table, "\|" cannot be written in a code span: a backslash before it would change its meaning. */
	if (cell && str_find(s, STR("\\|")) < s.n)
		put_html(to, s);
	else
		put_span(to, s, cell);
	buf_free(&visible);
}

/* --- texts and cells --- */

static void put_number(struct buf *to, struct str digits, const char *unit)
{
	markdown_text_put(to, digits);
	if (*unit) {
		buf_char(to, ' ');
		markdown_text_put(to, str_of(unit));
	}
}

void markdown_text_expand(struct buf *to, const struct report_record *record, struct str text, bool cell)
{
	struct report_piece piece;
	struct report_text pieces;

	report_text_begin(&pieces, record, text);
	while (report_text_next(&pieces, &piece)) {
		if (piece.type == REPORT_PIECE_TEXT)
			markdown_text_put(to, piece.text);
		else if (piece.type == REPORT_PIECE_NAME)
			markdown_text_name(to, piece.text, cell);
		else
			put_number(to, piece.text, piece.unit);
	}
}

void markdown_text_cell(struct buf *to, const struct report_unit *unit, const struct value *v)
{
	struct report_number number;

	if (v->type == VALUE_NONE)
		return;
	if (report_is_number(v) && !report_unit_is_text(unit)) {
		report_number_put(&number, unit, v, NULL);
		put_number(to, report_number_text(&number), report_unit_in_title(unit) ? "" : number.unit);
	} else if (unit->measure == REPORT_MEASURE_TEXT) {
		markdown_text_put(to, v->text);
	} else {
		markdown_text_name(to, v->text, true);
	}
}
