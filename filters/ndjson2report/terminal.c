#include "terminal.h"

#include "base/num_format.h"
#include "program/tty.h"
#include "table/text_cut.h"
#include "table/text_width.h"

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

/* Appends text. In ASCII, the ellipsis of a text that was cut is replaced by a character of the same width. */
void terminal_add(struct terminal *t, struct str text)
{
	size_t at;

	t->column += text_width(text);
	while (t->ascii && (at = str_find(text, STR(TEXT_CUT_ELLIPSIS))) < text.n) {
		buf_add(&t->line, text.p, at);
		buf_char(&t->line, '~');
		text = str_from(text, at + strlen(TEXT_CUT_ELLIPSIS));
	}
	buf_add(&t->line, text.p, text.n);
}

/* Begins a style: writes its SGR parameters. */
static void add_style(struct terminal *t, enum terminal_style style)
{
	char number[NUM_ROOM];
	const enum color color = style == TERMINAL_SOFT ? COLOR_SOFT : (enum color)(style - TERMINAL_COLORS);

	buf_lit(&t->line, "\033[");
	if (style == TERMINAL_BOLD) {
		buf_lit(&t->line, "1m");
		return;
	}
	if (t->colors == 256)
		buf_lit(&t->line, "38;5;");
	buf_add(&t->line, number, (size_t)(num_put_i64(number, color_of_terminal(color, t->colors)) - number));
	buf_char(&t->line, 'm');
}

void terminal_add_styled(struct terminal *t, enum terminal_style style, struct str text)
{
	const bool styled = t->colors && text.n && style != TERMINAL_PLAIN && style != terminal_style_of(COLOR_NONE);

	if (styled)
		add_style(t, style);
	terminal_add(t, text);
	if (styled)
		buf_lit(&t->line, "\033[0m");
}

void terminal_pad_to(struct terminal *t, size_t column)
{
	while (t->column < column)
		terminal_add(t, STR(" "));
}

void terminal_add_padded(struct terminal *t, struct str text, size_t width, bool right)
{
	const size_t end = t->column + width, have = text_width(text);

	if (right && have < width)
		terminal_pad_to(t, end - have);
	terminal_add(t, text);
	terminal_pad_to(t, end);
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
