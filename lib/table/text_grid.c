#include "table/text_grid.h"

#include "table/text_cut.h"
#include "table/text_width.h"

enum { LEAST_RULE = 3 }; /* minimum width of a column of a Markdown table */

static void add_times(struct buf *to, char c, size_t n)
{
	for (; n; n--)
		buf_char(to, c);
}

static size_t width_of(const struct text_grid *g, size_t column)
{
	const size_t width = g->columns[column].width;

	return g->markdown && width < LEAST_RULE ? LEAST_RULE : width;
}

void text_grid_cell(struct text_grid *g, size_t column, struct str text)
{
	const struct text_grid_column *c = &g->columns[column];
	size_t width = width_of(g, column), pad;

	if (c->hidden)
		return;
	if (g->markdown)
		buf_add(&g->line, g->line.n ? " | " : "| ", g->line.n ? 3 : 2);
	else
		add_times(&g->line, ' ', g->line.n ? TEXT_GRID_GAP : 0);
	if (c->cut) {
		g->cut.n = 0;
		text_cut_middle(&g->cut, text, width);
		text = buf_str(&g->cut);
	}
	pad = text_width(text);
	pad = pad < width ? width - pad : 0;
	add_times(&g->line, ' ', c->right ? pad : 0);
	if (text.n) {
		buf_add(&g->line, g->before.p, g->before.n);
		buf_add(&g->line, text.p, text.n);
		buf_add(&g->line, g->after.p, g->after.n);
	}
	add_times(&g->line, ' ', c->right ? 0 : pad);
}

struct str text_grid_line(struct text_grid *g)
{
	struct str line;

	if (g->markdown)
		buf_lit(&g->line, " |");
	while (g->line.n && g->line.p[g->line.n - 1] == ' ')
		g->line.n--;
	buf_char(&g->line, '\n');
	line = buf_str(&g->line);
	g->line.n = 0;
	return line;
}

struct str text_grid_rule(struct text_grid *g)
{
	struct buf rule = {0};
	size_t i;

	for (i = 0; i < g->n; i++) {
		const bool right = g->columns[i].right;

		rule.n = 0;
		add_times(&rule, '-', width_of(g, i) - right);
		if (right)
			buf_char(&rule, ':');
		text_grid_cell(g, i, buf_str(&rule));
	}
	buf_free(&rule);
	return text_grid_line(g);
}

void text_grid_free(struct text_grid *g)
{
	bufs_free(&g->line, &g->cut);
}
