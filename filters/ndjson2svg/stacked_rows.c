/* stacked_rows: the bars that are drawn: the largest groups of each panel. */
#include "stacked_private.h"

#include <stdlib.h>

enum { DEFAULT_BARS = 20 };

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
	size_t *panels = sums_rank(&s->panels), *groups = sums_rank(&s->groups), i;
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
	}
	free(panels);
	free(groups);
	buf_free(&text);
}
