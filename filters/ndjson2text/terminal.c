#include "terminal.h"

#include "cli/tty.h"
#include "table/text_cut.h"
#include "table/text_width.h"

enum { WIDTH = 80, MOST_WIDTH = 1000 };

/* SGR parameters. The 256 colors contrast with black and with white; they are near those of the HTML page. */
static const struct {
	const char *of_16, *of_256;
} styles[TERMINAL_STYLES] = {
    [TERMINAL_COLORS + REPORT_COLOR_COMPUTING] = {"94", "38;5;32"},
    [TERMINAL_COLORS + REPORT_COLOR_COMMUNICATION] = {"33", "38;5;166"},
    [TERMINAL_COLORS + REPORT_COLOR_COPIES] = {"36", "38;5;37"},
    [TERMINAL_COLORS + REPORT_COLOR_HOST] = {"95", "38;5;204"},
    [TERMINAL_COLORS + REPORT_COLOR_PAUSE] = {"90", "38;5;244"},
    [TERMINAL_COLORS + REPORT_COLOR_ANNOTATION] = {"32", "38;5;98"},
    [TERMINAL_COLORS + REPORT_COLOR_OPERATOR] = {"31", "38;5;67"},
    [TERMINAL_BOLD] = {"1", "1"},
    [TERMINAL_SOFT] = {"90", "38;5;244"},
};

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

void terminal_add_styled(struct terminal *t, enum terminal_style style, struct str text)
{
	const char *code = t->colors == 256 ? styles[style].of_256 : t->colors ? styles[style].of_16 : NULL;

	if (code && text.n) {
		buf_lit(&t->line, "\033[");
		buf_add(&t->line, code, strlen(code));
		buf_char(&t->line, 'm');
		terminal_add(t, text);
		buf_lit(&t->line, "\033[0m");
	} else {
		terminal_add(t, text);
	}
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
