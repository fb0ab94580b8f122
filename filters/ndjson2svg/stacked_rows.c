/* stacked_rows: chooses the parts and the groups that are drawn. */
#include "stacked_private.h"

#include <stdlib.h>

enum { DEFAULT_PARTS = 8, DEFAULT_PARTS_CELLS = 6, DEFAULT_BARS = 20 };

void stacked_rank_parts(struct stacked *s)
{
	const bool cells = s->chart->canvas->cells;
	const uint64_t top = s->chart->options.top;
	const size_t most = top     ? (size_t)(top < SIZE_MAX / 2 ? top : SIZE_MAX / 2)
			    : cells ? DEFAULT_PARTS_CELLS
				    : DEFAULT_PARTS;
	size_t *order = sums_rank(&s->parts), n = s->parts.keys.n, i;
	struct colours_use use = {{0}, 0};
	struct buf text = {0};

	s->n_others = n > most + 1 ? n - most : 0;
	s->n_ranks = s->n_others ? most + 1 : n;
	s->rank_of = mem_alloc((n ? n : 1) * sizeof *s->rank_of);
	s->legend = mem_zero(s->n_ranks ? s->n_ranks : 1, sizeof *s->legend);
	s->colours = mem_zero(s->n_ranks ? s->n_ranks : 1, sizeof *s->colours);
	for (i = 0; i < n; i++) {
		const struct str name = map_key(&s->parts.keys, order[i]);
		const size_t rank = s->n_others && i >= most ? most : i;

		s->rank_of[order[i]] = rank;
		s->legend[rank] = (struct label){.brief = name, .whole = sums_whole(&s->parts, order[i], name)};
		if (i < most || !s->n_others)
			s->colours[rank] = colours_of_part(&use, name);
	}
	if (s->n_others) {
		chart_others(&text, s->n_others);
		s->legend[most].brief = s->legend[most].whole = labels_store(&s->texts, &text);
		s->colours[most] = COLOUR_NONE;
	}
	buf_free(&text);
	free(order);
}

static struct stacked_row *add_row(struct stacked *s, struct str brief, struct str whole)
{
	struct stacked_row *row;

	s->rows = mem_grow(s->rows, &s->cap_rows, s->n_rows + 1, sizeof *s->rows);
	row = &s->rows[s->n_rows++];
	*row = (struct stacked_row){.label = {.brief = brief, .whole = whole}};
	return row;
}

/* Adds the bars of a panel: the largest groups, and one for all others. */
static void add_bars(struct stacked *s, const size_t *order, struct str panel)
{
	const uint64_t most = s->chart->options.bars ? s->chart->options.bars : DEFAULT_BARS;
	struct stacked_row *others = NULL;
	uint64_t bars = 0;
	size_t i;

	for (i = 0; i < s->groups.keys.n; i++) {
		const struct str key = map_key(&s->groups.keys, order[i]), name = sums_last(key);

		if (!str_eq(sums_first(key), panel))
			continue;
		if (bars++ < most)
			add_row(s, name, sums_whole(&s->groups, order[i], name));
		else if (!others)
			others = add_row(s, STR("(others)"), STR("(others)"));
		if (others)
			others->others++;
		s->row_of[order[i]] = s->n_rows - 1;
	}
}

void stacked_add_rows(struct stacked *s)
{
	size_t *panels = sums_rank(&s->panels), *groups = sums_rank(&s->groups), i, k;
	struct buf text = {0};

	s->row_of = mem_alloc((s->groups.keys.n ? s->groups.keys.n : 1) * sizeof *s->row_of);
	for (i = 0; i < s->panels.keys.n; i++) {
		const struct str panel = map_key(&s->panels.keys, panels[i]);

		if (s->chart->options.facet.n) {
			chart_key_words(s->chart, &s->chart->options.facet, 0, &text);
			buf_char(&text, ' ');
			buf_add(&text, panel.p, panel.n);
			add_row(s, labels_store(&s->texts, &text), panel)->heading = true;
		}
		add_bars(s, groups, panel);
	}
	for (i = 0; i < s->n_rows; i++) {
		if (s->rows[i].others) {
			chart_others(&text, s->rows[i].others);
			s->rows[i].label.brief = s->rows[i].label.whole = labels_store(&s->texts, &text);
		}
		s->rows[i].by_rank = mem_zero(s->n_ranks, sizeof *s->rows[i].by_rank);
	}
	for (k = 0; k < s->cells.keys.n; k++) {
		const struct str key = map_key(&s->cells.keys, k);
		struct stacked_row *row = &s->rows[s->row_of[map_find(&s->groups.keys, sums_first(key))]];

		row->value += s->cells.list[k].value;
		row->by_rank[s->rank_of[map_find(&s->parts.keys, sums_last(key))]] += s->cells.list[k].value;
	}
	free(panels);
	free(groups);
	buf_free(&text);
}
