#include "table/alike_texts.h"

#include "table/text_cut.h"
#include "table/text_width.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST = 2 }; /* if only parts of a text are shown: minimum number of columns for its beginning */

/* Returns the offset of the first word in s that begins with `part`; s.n when not found. */
static size_t find_word(struct str s, struct str part)
{
	size_t at = 0;

	while (at < s.n && (!str_starts(str_from(s, at), part) || (at && !memchr(" *&", s.p[at - 1], 3))))
		at++;
	return at;
}

struct str alike_texts_signature(struct str whole, struct str brief)
{
	size_t at;

	while (brief.n) {
		at = find_word(whole, brief);
		if (at < whole.n)
			return str_from(whole, at);
		/*
		 * The whole name has other text between the parts of `brief`, as in a<int>::b; so drop the last part.
		 */
		do
			brief.n--;
		while (brief.n && brief.p[brief.n] != ':');
	}
	return whole;
}

/*
 * Appends the first `head` columns of a text, `window` columns around each of its places, and the last `tail` columns.
 */
static void put_pieces(struct buf *to, const struct alike_text *a, size_t head, size_t window, size_t tail)
{
	struct str s = a->text;
	size_t end = text_cut_forward(s, 0, head), place, after, from, until, i;

	buf_add(to, s.p, end);
	for (i = 0; i < a->n + (tail > 0); i++) {
		place = i < a->n ? a->places[i] : s.n;
		after = place < s.n ? place + text_cut_character(str_from(s, place)) : s.n;
		from = text_cut_backward(s, place, i < a->n ? window / 4 : tail);
		until = i < a->n ? text_cut_forward(s, from, window) : s.n;
		until = until > after ? until : after;
		/* An ellipsis takes one column, so leaving out only one column would save nothing. */
		if (from > text_cut_forward(s, end, 1))
			buf_lit(to, TEXT_CUT_ELLIPSIS);
		else
			from = end;
		if (until > from) {
			buf_add(to, s.p + from, until - from);
			end = until;
		}
	}
	if (text_cut_forward(s, end, 1) == s.n)
		buf_add(to, s.p + end, s.n - end);
	else
		buf_lit(to, TEXT_CUT_ELLIPSIS);
}

void alike_texts_put(struct buf *to, struct alike_text *a, size_t width)
{
	size_t window = width, start = to->n, have, head, tail;

	if (!a->text.n)
		return;
	for (;;) {
		head = window / 2 > LEAST ? window / 2 : LEAST;
		tail = a->more ? 0 : window / 2;
		put_pieces(to, a, head, window, tail);
		have = text_width((struct str){to->p + start, to->n - start});
		if (have <= width || !a->n)
			break;
		to->n = start;
		if (window > 1)
			window -= 1 + window / 8;
		else
			a->n--;
	}
	if (have < width) {
		to->n = start;
		put_pieces(to, a, head + width - have, window, tail);
	}
}

static int by_group(const void *x, const void *y)
{
	const struct alike_text *a = x, *b = y;

	return a->group != b->group ? (a->group > b->group) - (a->group < b->group) : str_cmp(a->text, b->text);
}

static size_t common(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n, i = 0;

	while (i < n && a.p[i] == b.p[i])
		i++;
	while (text_cut_inside(a, i) || text_cut_inside(b, i))
		i--;
	return i;
}

static void add_place(struct alike_text *a, size_t place)
{
	size_t i = a->n;

	while (i && a->places[i - 1] >= place)
		i--;
	if (i == ALIKE_TEXTS_PLACES || (i < a->n && a->places[i] == place))
		return;
	if (a->n < ALIKE_TEXTS_PLACES)
		a->n++;
	memmove(a->places + i + 1, a->places + i, (a->n - i - 1) * sizeof *a->places);
	a->places[i] = place;
}

/*
 * Finds the places where each text of a sorted group differs from the texts before it or, if `back` is set, after it.
 * Two texts differ at the end of their common prefix. This prefix is as long as the shortest of the common prefixes of
 * all pairs of neighbours from one text to the other. The stack holds these lengths for the current text, in ascending
 * order.
 */
static void find_places(struct alike_text *group, size_t n, bool back)
{
	size_t *stack = NULL, cap = 0, depth = 0, i, k, place;

	for (i = 1; i < n; i++) {
		struct alike_text *a = &group[back ? n - 1 - i : i];

		place = common(a->text, (back ? a + 1 : a - 1)->text);
		while (depth && stack[depth - 1] >= place)
			depth--;
		stack = mem_grow(stack, &cap, depth + 1, sizeof *stack);
		stack[depth++] = place;
		for (k = 0; k < depth && k < ALIKE_TEXTS_PLACES; k++)
			add_place(a, stack[k]);
	}
	free(stack);
}

void alike_texts_sort(struct alike_text *list, size_t n)
{
	qsort(list, n, sizeof *list, by_group);
}

void alike_texts_compare(struct alike_text *group, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		group[i].n = 0;
	find_places(group, n, false);
	find_places(group, n, true);
}
