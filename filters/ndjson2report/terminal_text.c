#include "terminal_text.h"

#include "table/text_cut.h"
#include "table/text_width.h"

#define NO_BREAK "\xc2\xa0" /* U+00A0 */

/* --- texts with placeholders --- */

void terminal_text_unbroken(struct buf *to, struct str text)
{
	struct str part;

	while (str_split(&text, ' ', &part)) {
		buf_add(to, part.p, part.n);
		if (text.p)
			buf_lit(to, NO_BREAK);
	}
}

void terminal_text_expand(
    struct buf *to, const struct terminal *t, const struct report_record *record, struct str text, size_t most)
{
	struct buf one = {0}, cut = {0};
	struct report_piece piece;
	struct report_text pieces;

	report_text_begin(&pieces, record, text);
	while (report_text_next(&pieces, &piece)) {
		if (piece.type == REPORT_PIECE_TEXT) {
			terminal_text_put(to, t, piece.text);
			continue;
		}
		one.n = cut.n = 0;
		terminal_text_put(&one, t, piece.text.n ? piece.text : STR("\"\""));
		if (*piece.unit) {
			buf_char(&one, ' ');
			terminal_text_put(&one, t, str_of(piece.unit));
		}
		text_cut_middle(&cut, buf_str(&one), piece.type == REPORT_PIECE_NAME ? most : 0);
		terminal_text_unbroken(to, buf_str(&cut));
	}
	buf_free(&one);
	buf_free(&cut);
}

/* --- lines --- */

/* Adds text with spaces for no-break spaces. */
static void add_broken(struct terminal *t, enum terminal_style style, struct str text)
{
	struct buf b = {0};
	size_t at;

	while ((at = str_find(text, STR(NO_BREAK))) < text.n) {
		buf_add(&b, text.p, at);
		buf_char(&b, ' ');
		text = str_from(text, at + strlen(NO_BREAK));
	}
	buf_add(&b, text.p, text.n);
	terminal_add_styled(t, style, buf_str(&b));
	buf_free(&b);
}

/* Returns the length of the part of the text that fits in `width` columns: whole words, or a part of the first word. */
static size_t fitting(struct str text, size_t width)
{
	const size_t limit = text_cut_forward(text, 0, width);
	size_t n = limit;

	if (limit == text.n || text.p[limit] == ' ')
		return limit;
	while (n && text.p[n - 1] != ' ')
		n--;
	return n ? n : limit ? limit : text_cut_character(text);
}

void terminal_text_wrap(
    struct terminal *t, struct str text, enum terminal_style style, size_t end, size_t indent, size_t most)
{
	struct buf last = {0};
	size_t lines, width, n;

	for (lines = 1; text.n; lines++) {
		width = end > t->column ? end - t->column : 1;
		if (lines == most) {
			text_cut_end(&last, text, width);
			add_broken(t, style, buf_str(&last));
			break;
		}
		n = fitting(text, width);
		add_broken(t, style, str_trim(str_head(text, n)));
		for (text = str_from(text, n); text.n && text.p[0] == ' ';)
			text = str_from(text, 1);
		if (text.n) {
			terminal_end_line(t);
			terminal_pad_to(t, indent);
		}
	}
	buf_free(&last);
}
