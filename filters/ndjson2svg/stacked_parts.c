/*
 * stacked_parts: chooses the parts that have colours: in turns, each bar chooses its largest part, then its second
 * largest part, and so on, so that no bar is grey because its parts are small in other bars.
 */
#include "stacked_private.h"

#include "base/order.h"

#include <stdlib.h>

enum {
	PARTS = 8,       /* default number of parts */
	PARTS_MOST = 16, /* default number of parts if further parts are large in their bars */
	PARTS_CELLS = 6, /* both for a terminal, which has few characters */
	PARTS_CELLS_MOST = 15,
	LARGE = 20, /* a part is large if it is at least 1 / LARGE of its bar */
};

/* A part of a bar. */
struct stacked_piece {
	size_t row, part;
	long double value;
};

struct pieces {
	struct stacked *s;
	struct stacked_piece *list; /* sorted by bar; in a bar, the largest part first */
	size_t n, *order;           /* the order of the list */
};

static int compare_pieces(const void *arg, size_t a, size_t b)
{
	const struct pieces *p = arg;
	const struct stacked_piece *x = &p->list[a], *y = &p->list[b];

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return x->part < y->part ? -1 : x->part > y->part;
}

static int compare_rows(const void *arg, size_t a, size_t b)
{
	const struct stacked_row *rows = arg;

	if (rows[a].value != rows[b].value)
		return rows[a].value < rows[b].value ? 1 : -1;
	return a < b ? -1 : a > b;
}

/* Sums the cells by bar and part, because a bar can stand for several groups, and sets the sums of the bars. */
static struct pieces add_pieces(struct stacked *s)
{
	struct pieces p = {.s = s, .list = mem_alloc(s->cells.keys.n * sizeof *p.list)};
	struct map seen = {0};
	size_t k;

	for (k = 0; k < s->cells.keys.n; k++) {
		const struct str key = map_key(&s->cells.keys, k);
		const size_t pair[] = {
		    s->row_of[map_find(&s->groups.keys, sums_first(key))], map_find(&s->parts.keys, sums_last(key))};
		const size_t i = map_put(&seen, (struct str){(const char *)pair, sizeof pair});

		if (i == p.n)
			p.list[p.n++] = (struct stacked_piece){pair[0], pair[1], 0};
		p.list[i].value += s->cells.list[k].value;
		s->rows[pair[0]].value += s->cells.list[k].value;
	}
	map_free(&seen);
	p.order = order_sort(p.n, compare_pieces, &p);
	return p;
}

/* Marks the parts that have colours in `chosen`, and returns their number. */
static size_t choose(const struct pieces *p, size_t few, size_t most, bool *chosen)
{
	const struct stacked_row *rows = p->s->rows;
	size_t *begin = mem_zero(p->s->n_rows + 1, sizeof *begin), n_chosen = 0, turn, i;
	size_t *order = order_sort(p->s->n_rows, compare_rows, rows);
	bool more = true;

	for (i = 0; i < p->n; i++)
		begin[p->list[i].row + 1]++;
	for (i = 0; i < p->s->n_rows; i++)
		begin[i + 1] += begin[i];
	for (turn = 0; more && n_chosen < most; turn++) {
		more = false;
		for (i = 0; i < p->s->n_rows && n_chosen < most; i++) {
			const struct stacked_piece *piece;

			if (begin[order[i]] + turn >= begin[order[i] + 1])
				continue;
			more = true;
			piece = &p->list[p->order[begin[order[i]] + turn]];
			if (chosen[piece->part] || (n_chosen >= few && piece->value * LARGE < rows[order[i]].value))
				continue;
			chosen[piece->part] = true;
			n_chosen++;
		}
	}
	free(begin);
	free(order);
	return n_chosen;
}

/* Gives each part its rank: the largest part first, and one rank for all parts without a colour. */
static void rank_parts(struct stacked *s, const bool *chosen, size_t n_chosen)
{
	size_t *order = sums_rank(&s->parts), n = s->parts.keys.n, rank = 0, i;
	struct colours_use use = {{0}, 0};
	struct buf text = {0};

	s->n_ranks = n_chosen + (n > n_chosen);
	s->legend = mem_zero(s->n_ranks, sizeof *s->legend);
	s->colours = mem_zero(s->n_ranks, sizeof *s->colours);
	for (i = 0; i < n; i++) {
		const struct str name = map_key(&s->parts.keys, order[i]);

		s->rank_of[order[i]] = n_chosen;
		if (!chosen[order[i]])
			continue;
		s->rank_of[order[i]] = rank;
		s->legend[rank] = (struct label){.brief = name, .whole = sums_whole(&s->parts, order[i], name)};
		s->colours[rank++] = colours_of_part(&use, name);
	}
	if (n > n_chosen) {
		chart_others(&text, n - n_chosen);
		s->legend[rank].brief = s->legend[rank].whole = labels_store(&s->texts, &text);
		s->colours[rank] = COLOUR_NONE;
	}
	buf_free(&text);
	free(order);
}

void stacked_choose_parts(struct stacked *s)
{
	const bool cells = s->chart->canvas->cells;
	const uint64_t top = s->chart->options.top;
	const size_t n = s->parts.keys.n, limit = top < SIZE_MAX ? (size_t)top : SIZE_MAX;
	bool *chosen = mem_zero(n, sizeof *chosen);
	struct pieces p = add_pieces(s);
	size_t n_chosen, i;

	n_chosen = choose(&p,
	    top     ? limit
	    : cells ? PARTS_CELLS
		    : PARTS,
	    top     ? limit
	    : cells ? PARTS_CELLS_MOST
		    : PARTS_MOST,
	    chosen);
	if (n_chosen + 1 == n) { /* one part is not summed up */
		for (i = 0; i < n; i++)
			chosen[i] = true;
		n_chosen = n;
	}
	s->rank_of = mem_alloc(n * sizeof *s->rank_of);
	rank_parts(s, chosen, n_chosen);
	for (i = 0; i < s->n_rows; i++)
		s->rows[i].by_rank = mem_zero(s->n_ranks, sizeof *s->rows[i].by_rank);
	for (i = 0; i < p.n; i++) {
		struct stacked_row *row = &s->rows[p.list[i].row];

		row->by_rank[s->rank_of[p.list[i].part]] += p.list[i].value;
		if (!chosen[p.list[i].part]) {
			row->grey++;
			row->grey_part = p.list[i].part;
		}
	}
	free(chosen);
	free(p.list);
	free(p.order);
}
