#include "terminal.h"

#include "base/escape.h"
#include "base/num_format.h"
#include "program/tty.h"
#include "table/text_cut.h"
#include "table/text_width.h"

#define NO_BREAK "\xc2\xa0" /* U+00A0 */

enum { WIDTH = 80, MOST_WIDTH = 1000 };

void terminal_set_width(struct terminal *t, size_t width)
{
	t->width = width < TERMINAL_LEAST_WIDTH ? TERMINAL_LEAST_WIDTH : width > MOST_WIDTH ? MOST_WIDTH : width;
}

void terminal_init(struct terminal *t)
{
	const int width = tty_width();

	*t = (struct terminal){.ascii = !tty_is_utf8(), .colors = tty_colors()};
	terminal_set_width(t, width ? (size_t)width : WIDTH);
}

void terminal_free(struct terminal *t)
{
	buf_free(&t->out);
	buf_free(&t->line);
}

/* --- texts --- */

void terminal_put(const struct terminal *t, struct buf *to, struct str text)
{
	escape_text(to, t->ascii ? ESCAPE_ASCII : ESCAPE_PLAIN, text);
}

/* Appends text with another text for each `from`. */
static void replace(struct buf *to, struct str text, struct str from, struct str with)
{
	size_t at;

	while ((at = str_find(text, from)) < text.n) {
		buf_add(to, text.p, at);
		buf_add(to, with.p, with.n);
		text = str_from(text, at + from.n);
	}
	buf_add(to, text.p, text.n);
}

void terminal_put_unbroken(struct buf *to, struct str text)
{
	replace(to, text, STR(" "), STR(NO_BREAK));
}

/* --- lines --- */

struct str terminal_style_begin(const struct terminal *t, enum terminal_style style, struct buf *room)
{
	const enum color color = style == TERMINAL_SOFT ? COLOR_SOFT : (enum color)(style - TERMINAL_COLORS);
	char number[NUM_ROOM];

	room->n = 0;
	if (!t->colors || style == TERMINAL_PLAIN || style == terminal_style_of(COLOR_NONE))
		return STR("");
	buf_lit(room, "\033[");
	if (t->colors == 256 && style != TERMINAL_BOLD)
		buf_lit(room, "38;5;");
	if (style == TERMINAL_BOLD)
		buf_char(room, '1');
	else
		buf_add(room, number, num_str_i64(number, color_of_terminal(color, t->colors)).n);
	buf_char(room, 'm');
	return buf_str(room);
}

/* Adds text; in ASCII, a character of the same width replaces the ellipsis of a text that was cut. */
static void add_plain(struct terminal *t, struct str text)
{
	replace(&t->line, text, STR(TEXT_CUT_ELLIPSIS), t->ascii ? STR("~") : STR(TEXT_CUT_ELLIPSIS));
}

void terminal_add(struct terminal *t, enum terminal_style style, struct str text)
{
	struct buf room = {0};
	const struct str begin = text.n ? terminal_style_begin(t, style, &room) : STR("");

	t->column += text_width(text);
	buf_add(&t->line, begin.p, begin.n);
	add_plain(t, text);
	buf_add(&t->line, TERMINAL_STYLE_END, begin.n ? strlen(TERMINAL_STYLE_END) : 0);
	buf_free(&room);
}

void terminal_pad_to(struct terminal *t, size_t column)
{
	for (; t->column < column; t->column++)
		buf_char(&t->line, ' ');
}

void terminal_add_padded(struct terminal *t, struct str text, size_t width, bool right)
{
	const size_t end = t->column + width, have = text_width(text);

	if (right && have < width)
		terminal_pad_to(t, end - have);
	terminal_add(t, TERMINAL_PLAIN, text);
	terminal_pad_to(t, end);
}

void terminal_add_at_end(struct terminal *t, enum terminal_style style, struct str text, size_t end)
{
	const size_t width = text_width(text);

	if (t->column && t->column + 1 + width > end)
		terminal_end_line(t);
	terminal_pad_to(t, end > width ? end - width : 0);
	terminal_add(t, style, text);
}

void terminal_end_line(struct terminal *t)
{
	while (t->line.n && t->line.p[t->line.n - 1] == ' ')
		t->line.n--;
	buf_add(&t->out, t->line.p, t->line.n);
	buf_char(&t->out, '\n');
	t->lines++;
	t->line.n = t->column = 0;
}

void terminal_add_line(struct terminal *t, struct str line)
{
	add_plain(t, str_head(line, line.n - 1)); /* without its newline */
	terminal_end_line(t);
}

void terminal_gap(struct terminal *t)
{
	if (t->out.n)
		terminal_end_line(t);
}

void terminal_clear(struct terminal *t)
{
	t->out.n = t->line.n = t->column = t->lines = 0;
}

/* --- wrapping --- */

/* Adds text with spaces for no-break spaces. */
static void add_broken(struct terminal *t, enum terminal_style style, struct str text)
{
	struct buf b = {0};

	replace(&b, text, STR(NO_BREAK), STR(" "));
	terminal_add(t, style, buf_str(&b));
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

void terminal_wrap(
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
