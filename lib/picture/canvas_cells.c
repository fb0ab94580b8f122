/*
 * canvas_cells: draws marks with the characters of a terminal. Each color of a picture has its own character, so that
 * the picture can be read without colors. Faint lines and sectors are not drawn.
 */
#include "picture/canvas.h"

#include "base/num_format.h"
#include "table/text_width.h"

#include <math.h>
#include <stdlib.h>

enum {
	MOST_ROWS = 100000,
	ELLIPSIS = 0x2026,
	SECOND = 255,
};

/* --- the characters --- */

struct cell {
	char bytes[7]; /* a character, with combining marks as far as they fit */
	uint8_t n;     /* 0: a space; SECOND: the second column of a wide character */
	uint8_t color;
};

struct cells {
	struct canvas canvas;
	struct out *out;
	bool ascii;
	int colors; /* of the terminal; 0: no colors are written */
	size_t columns, rows;
	struct cell *cells;   /* rows * columns, which are spaces at first */
	enum color color;     /* of the next character */
	int mark_of[COLOR_N]; /* index of a color's character; -1: the color was not used yet */
	int n_marks;
	enum color pen;      /* of the curve */
	double pen_x, pen_y; /* the last point of the curve */
	bool pen_down;
};

static struct cells *cells_of(struct canvas *c)
{
	return (struct cells *)c;
}

/* Returns the cell at a place, or NULL if it is outside of the page. */
static struct cell *cell_at(struct cells *s, int64_t x, int64_t y)
{
	if (x < 0 || y < 0 || x >= (int64_t)s->columns || y >= (int64_t)s->rows)
		return NULL;
	return &s->cells[(size_t)y * s->columns + (size_t)x];
}

/* Draws a character in the current color; does nothing outside of the page. A long character is written as "?". */
static void draw_character(struct cells *s, int64_t x, int64_t y, struct str character)
{
	struct cell *cell = cell_at(s, x, y);

	if (!cell)
		return;
	cell->n = (uint8_t)(character.n <= sizeof cell->bytes ? character.n : 1);
	memcpy(cell->bytes, character.n <= sizeof cell->bytes ? character.p : "?", cell->n);
	cell->color = (uint8_t)s->color;
}

/* Returns the number of columns of a row without the spaces at its end. */
static size_t row_length(const struct cells *s, size_t y)
{
	const struct cell *row = s->cells + y * s->columns;
	size_t n;

	for (n = s->columns; n && (!row[n - 1].n || (row[n - 1].n == 1 && row[n - 1].bytes[0] == ' ')); n--)
		;
	return n;
}

/* Changes the color of the terminal from *now to that of a cell. */
static void set_color(struct out *out, int colors, enum color *now, enum color c)
{
	char number[NUM_ROOM];

	if (!colors || *now == c)
		return;
	*now = c;
	if (c == COLOR_N || c == COLOR_INK) {
		out_z(out, c == COLOR_INK ? "\033[0;1m" : "\033[0m");
		return;
	}
	out_z(out, colors == 256 ? "\033[0;38;5;" : "\033[0;");
	out_add(out, number, (size_t)(num_put_i64(number, color_of_terminal(c, colors)) - number));
	out_char(out, 'm');
}

/* Writes the rows without spaces at their ends, and without empty rows at the end of the picture. */
static void write_rows(const struct cells *s)
{
	const struct cell *row;
	enum color now;
	size_t rows = s->rows, x, y, n;

	while (rows && !row_length(s, rows - 1))
		rows--;
	for (y = 0; y < rows; y++) {
		row = s->cells + y * s->columns;
		n = row_length(s, y);
		now = COLOR_N;
		for (x = 0; x < n; x++) {
			if (row[x].n && row[x].n != SECOND) {
				set_color(s->out, s->colors, &now, (enum color)row[x].color);
				out_add(s->out, row[x].bytes, row[x].n);
			} else if (!row[x].n) {
				out_char(s->out, ' ');
			}
		}
		set_color(s->out, s->colors, &now, COLOR_N);
		out_char(s->out, '\n');
	}
}

/* Returns the column or row at a coordinate, at most one outside of the page. */
static int64_t cell_number(double v, size_t most)
{
	return !(v >= 0) ? -1 : v >= (double)most ? (int64_t)most : (int64_t)v;
}

/* --- boxes --- */

/* Returns the character of a color; the characters are assigned in the order of use. */
static struct str character_of(struct cells *s, enum color c)
{
	static const char *const blocks[] = {
	    "█", "▓", "▒", "░", "▚", "▤", "▥", "◆", "▦", "●", "▧", "▲", "▨", "■", "▩", "○"};
	static const char *const ascii[] = {
	    "#", "=", "+", ":", "*", "o", "%", "x", "~", "@", "&", "s", "$", "z", "w", "v"};
	static const char *const heat[] = {"·", "▁", "▂", "▃", "▅", "▆", "█"};
	static const char *const ascii_heat[] = {".", ":", "-", "=", "+", "*", "#"};
	const int most = (int)(sizeof ascii / sizeof *ascii);

	if (c >= COLOR_HEAT_0 && c < COLOR_HEAT_0 + COLORS_HEAT)
		return str_of((s->ascii ? ascii_heat : heat)[c - COLOR_HEAT_0]);
	if (c == COLOR_NONE)
		return s->ascii ? STR(".") : STR("·");
	if (s->mark_of[c] < 0)
		s->mark_of[c] = s->n_marks++ % most;
	return str_of((s->ascii ? ascii : blocks)[s->mark_of[c]]);
}

/* A bar's end is drawn to an eighth of a column, if the bar has the first character, which is a full block. */
static void box(struct canvas *c, struct canvas_box b, enum color color, struct str tip)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	struct cells *s = cells_of(c);
	const struct str full = character_of(s, color);
	const int64_t from = cell_number(b.x + 0.5, s->columns), top = cell_number(b.y + 0.25, s->rows);
	int64_t bottom = cell_number(b.y + b.h + 0.25, s->rows), to = cell_number(b.x + b.w + 0.5, s->columns), x, y;
	int rest = 0;

	(void)tip;
	/* Characters show the steps of heat. */
	s->color = color >= COLOR_HEAT_0 && color < COLOR_HEAT_0 + COLORS_HEAT ? COLOR_COMPUTING : color;
	bottom = bottom > top ? bottom : top + 1;
	if (s->color == color && str_eq(full, STR("█"))) {
		to = cell_number(b.x + b.w, s->columns);
		rest = (int)((b.x + b.w - floor(b.x + b.w)) * 8);
	}
	for (y = top; y < bottom; y++) {
		for (x = from; x < to; x++)
			draw_character(s, x, y, full);
		if (rest && to >= from)
			draw_character(s, to, y, str_of(eighths[rest]));
		else if (to <= from && b.w > 0)
			draw_character(s, from, y, s->ascii ? STR("|") : STR("▏"));
	}
}

static void sector(struct canvas *c, struct canvas_sector sector, enum color color, struct str tip)
{
	(void)c, (void)sector, (void)color, (void)tip;
}

/* --- texts and lines --- */

static void text(struct canvas *c, struct canvas_point at, enum canvas_style style, enum color on, struct str text)
{
	struct cells *s = cells_of(c);
	const double wide = (double)text_width(text);
	const double x = at.anchor == CANVAS_MIDDLE ? at.x - wide / 2 : at.anchor == CANVAS_END ? at.x - wide : at.x;
	int64_t column = cell_number(x + 0.5, s->columns), row = cell_number(at.y, s->rows);
	struct cell *second;
	size_t n, first, columns;
	uint32_t code;

	s->color = style == CANVAS_INSIDE  ? on
		   : style == CANVAS_SOFT  ? COLOR_SOFT
		   : style == CANVAS_TITLE ? COLOR_INK
					   : COLOR_N;
	column = column < 0 ? 0 : column;
	for (; text.n; text = str_from(text, n), column += (int64_t)columns) {
		n = text_width_first(text, &columns);
		first = utf8_decode(text, &code);
		first = first ? first : 1; /* a cell has no room for marks and joined emoji */
		if (!columns)
			continue;
		draw_character(s, column, row,
		    s->ascii && (first > 1 || *text.p < ' ') ? (code == ELLIPSIS ? STR("~") : STR("?"))
							     : str_head(text, first));
		second = columns == 2 ? cell_at(s, column + 1, row) : NULL;
		if (second) /* of a wide character: a space if a narrow one was drawn */
			second->n = s->ascii || text_width(str_head(text, first)) < columns ? 0 : SECOND;
	}
}

static void rule(struct canvas *c, double x0, double y0, double x1, double y1, bool faint)
{
	struct cells *s = cells_of(c);
	const int64_t right = cell_number(x1 + 0.5, s->columns), bottom = cell_number(y1, s->rows);
	int64_t x = cell_number(x0 + 0.5, s->columns), y = cell_number(y0, s->rows);

	if (faint)
		return;
	s->color = COLOR_SOFT;
	if (y0 == y1) {
		for (; x < right; x++)
			draw_character(s, x, y, s->ascii ? STR("-") : STR("─"));
	} else {
		for (; y < bottom; y++)
			draw_character(s, x, y, s->ascii ? STR("|") : STR("│"));
	}
}

/* --- curves --- */

static void curve(struct canvas *c, enum color color, struct str tip)
{
	(void)tip;
	cells_of(c)->pen = color;
	cells_of(c)->pen_down = false;
}

static void point(struct canvas *c, double x, double y)
{
	static const char *const marks[] = {
	    "•", "○", "▪", "▫", "▴", "▵", "◆", "◇", "+", "x", "*", "▾", "▿", "◂", "◃", "~"};
	struct cells *s = cells_of(c);
	struct str mark = character_of(s, s->pen); /* assigns a character */
	double length = 0;
	int steps, i;

	if (!s->ascii && s->mark_of[s->pen] >= 0)
		mark = str_of(marks[s->mark_of[s->pen]]);
	if (s->pen_down)
		length = ceil(fmax(fabs(x - s->pen_x), fabs(y - s->pen_y)));
	steps = length < 4096 ? (int)length : 4096;
	s->color = s->pen;
	for (i = 1; i < steps; i++)
		draw_character(s, cell_number(s->pen_x + (x - s->pen_x) * i / steps, s->columns),
		    cell_number(s->pen_y + (y - s->pen_y) * i / steps, s->rows), mark);
	draw_character(s, cell_number(x, s->columns), cell_number(y, s->rows), mark);
	s->pen_x = x;
	s->pen_y = y;
	s->pen_down = true;
}

static void curve_end(struct canvas *c)
{
	cells_of(c)->pen_down = false;
}

/* --- the page --- */

static void begin_page(struct canvas *c, double height, struct str title)
{
	struct cells *s = cells_of(c);
	size_t i;

	(void)title;
	s->columns = (size_t)c->width;
	s->rows = height < MOST_ROWS ? (size_t)ceil(height) : MOST_ROWS;
	s->cells = mem_zero(s->rows ? s->rows : 1, s->columns * sizeof *s->cells);
	for (i = 0; i < COLOR_N; i++)
		s->mark_of[i] = -1;
}

static void raw(struct canvas *c, struct str constant)
{
	(void)c, (void)constant;
}

static void end_page(struct canvas *c)
{
	write_rows(cells_of(c));
	free(cells_of(c)->cells);
}

static double width(struct str text, enum canvas_style style)
{
	(void)style;
	return (double)text_width(text);
}

static const struct canvas_ops cells_ops = {
    width, begin_page, box, sector, text, rule, curve, point, curve_end, raw, end_page};

struct canvas *canvas_cells_new(struct out *out, double page_width, bool ascii, int colors)
{
	struct cells *s = mem_zero(1, sizeof *s);

	s->canvas =
	    (struct canvas){.cells = true, .width = page_width, .line = 1, .space = 1, .margin = 1, .ops = &cells_ops};
	s->out = out;
	s->ascii = ascii;
	s->colors = colors;
	return &s->canvas;
}
