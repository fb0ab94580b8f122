#include "terminal.h"

#include "base/num_format.h"
#include "program/tty.h"
#include "table/text_cut.h"
#include "table/text_width.h"

enum { WIDTH = 80, MOST_WIDTH = 1000 };

void terminal_init(struct terminal *t, size_t width)
{
	*t = (struct terminal){.ascii = !tty_is_utf8(), .colors = tty_colors()};
	if (!width)
		width = tty_width() ? (size_t)tty_width() : WIDTH;
	t->width = width < TERMINAL_LEAST_WIDTH ? TERMINAL_LEAST_WIDTH : width > MOST_WIDTH ? MOST_WIDTH : width;
}

void terminal_free(struct terminal *t)
{
	bufs_free(&t->out, &t->line);
}

/* --- lines --- */

struct str terminal_style_begin(const struct terminal *t, enum terminal_style style, struct buf *room)
{
	const enum color color = style == TERMINAL_SOFT ? COLOR_SOFT : (enum color)(style - TERMINAL_COLORS);
	char number[NUM_ROOM];

	room->n = 0;
	if (!t->colors || style == TERMINAL_PLAIN ||
	    (style >= TERMINAL_COLORS && (color == COLOR_NONE || color >= COLOR_MEANINGS)))
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

void terminal_add(struct terminal *t, enum terminal_style style, struct str text)
{
	struct buf room = {0};
	const struct str begin = text.n ? terminal_style_begin(t, style, &room) : STR("");

	t->column += text_width(text);
	buf_add(&t->line, begin.p, begin.n);
	buf_add(&t->line, text.p, text.n);
	buf_add(&t->line, TERMINAL_STYLE_END, begin.n ? strlen(TERMINAL_STYLE_END) : 0);
	buf_free(&room);
}

void terminal_pad_to(struct terminal *t, size_t column)
{
	for (; t->column < column; t->column++)
		buf_char(&t->line, ' ');
}

void terminal_add_right(struct terminal *t, enum terminal_style style, struct str text, size_t end)
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

void terminal_gap(struct terminal *t)
{
	if (t->out.n)
		terminal_end_line(t);
}

void terminal_clear(struct terminal *t)
{
	t->out.n = t->line.n = t->column = t->lines = 0;
}

void terminal_finish(struct terminal *t, struct buf *to)
{
	static const char *const characters[][2] = {{"\xc2\xa0", " "}, {TEXT_CUT_ELLIPSIS, "~"}, {"▁", "_"}, {"█", "#"},
	    {"▓", "="}, {"▒", "-"}, {"░", "."}, {"·", ":"}, {"▚", "+"}, {"▞", "x"}};
	const size_t n = t->ascii ? sizeof characters / sizeof *characters : 1;
	struct str rest = buf_str(&t->out);
	size_t i;

	for (; rest.n; rest = str_from(rest, 1)) {
		for (i = 0; i < n && !str_starts(rest, str_of(characters[i][0])); i++)
			;
		buf_char(to, i < n ? characters[i][1][0] : rest.p[0]);
		if (i < n)
			rest = str_from(rest, strlen(characters[i][0]) - 1);
	}
}

/* --- wrapping --- */

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
			terminal_add(t, style, buf_str(&last));
			break;
		}
		n = fitting(text, width);
		terminal_add(t, style, str_trim(str_head(text, n)));
		for (text = str_from(text, n); text.n && text.p[0] == ' ';)
			text = str_from(text, 1);
		if (text.n) {
			terminal_end_line(t);
			terminal_pad_to(t, indent);
		}
	}
	buf_free(&last);
}
