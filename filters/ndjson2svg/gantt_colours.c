/* gantt_colours: the colours of the boxes of a timeline, and their legend. */
#include "gantt_private.h"

#include <stdlib.h>

enum { PARTS = 8, PARTS_CELLS = 6 };

void gantt_choose_colours(struct gantt *g)
{
	const size_t n = g->parts.keys.n, most = n <= COLOURS_SERIES       ? n
						 : g->chart->canvas->cells ? PARTS_CELLS
									   : PARTS;
	size_t *order = sums_rank(&g->parts), i;
	struct colours_use use = {{0}, 0};
	struct buf text = {0};

	g->colours = mem_alloc((n ? n : 1) * sizeof *g->colours);
	g->legend = mem_zero(most + 1, sizeof *g->legend);
	for (i = 0; i < n; i++) {
		const struct str name = map_key(&g->parts.keys, order[i]);
		const bool shown = i < most || n == most + 1;

		g->colours[order[i]] = shown ? colours_of_part(&use, name) : COLOUR_NONE;
		if (shown) {
			g->legend_colours[g->n_legend] = g->colours[order[i]];
			g->legend[g->n_legend].whole = sums_whole(&g->parts, order[i], name);
			g->legend[g->n_legend++].brief = name;
		}
	}
	if (n > most + 1) {
		chart_others(&text, n - most);
		g->legend_colours[g->n_legend] = COLOUR_NONE;
		g->legend[g->n_legend].brief = g->legend[g->n_legend].whole = labels_store(&g->texts, &text);
		g->n_legend++;
	}
	buf_free(&text);
	free(order);
}
