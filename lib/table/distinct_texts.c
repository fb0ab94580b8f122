#include "table/distinct_texts.h"

#include "table/text_cut.h"
#include "table/text_width.h"

#include <stdlib.h>
#include <string.h>

enum {
	LEAST = 2,   /* if only parts of a text are shown: minimum number of columns for its beginning */
	PLACES = 16, /* maximum number of places at which a text differs from others */
	ROUNDS = 8,  /* maximum number of passes that make texts look different */
};

struct distinct_text {
	size_t number;
	size_t name;              /* number of its short form in `briefs` */
	struct str brief;         /* the short form of a name; for other texts, the whole text */
	struct str text;          /* the text whose parts are shown: at first the whole text */
	bool is_shared;           /* at least one other text has the same `brief` */
	size_t group;             /* texts that would look the same have the same group */
	size_t places[PLACES], n; /* offsets where it differs from other texts of its group, ascending */
};

struct distinct_form {
	size_t at, n; /* offset and length of the form in the text of all forms; n = 0: no form */
};

/* --- short forms --- */

/*
 * Returns a function's full name, `whole`, without its return type: the text from the short form, `brief`, to the end.
 */
static struct str signature(struct str whole, struct str brief)
{
	size_t at;

	while (brief.n) {
		for (at = 0; at < whole.n; at++) {
			if (str_starts(str_from(whole, at), brief) && (!at || memchr(" *&", whole.p[at - 1], 3)))
				return str_from(whole, at);
		}
		/*
		 * The whole name has other text between the parts of `brief`, as in a<int>::b; so drop the last part.
		 */
		do
			brief.n--;
		while (brief.n && brief.p[brief.n] != ':');
	}
	return whole;
}

/* Finds the texts that share their short form, and chooses for each the text whose parts are shown. */
static void compare_briefs(struct distinct_texts *d)
{
	size_t *uses = mem_zero(d->n ? d->n : 1, sizeof *uses), i;

	for (i = 0; i < d->n; i++)
		uses[d->list[i].name]++;
	for (i = 0; i < d->n; i++) {
		struct distinct_text *t = &d->list[i];

		t->is_shared = uses[t->name] > 1;
		t->text = t->is_shared ? signature(t->text, t->brief) : t->brief;
	}
	free(uses);
}

/* --- differences --- */

/*
 * Appends the first `head` columns of a text, `window` columns around each of its places, and the last `tail` columns.
 */
static void put_pieces(struct buf *to, const struct distinct_text *a, size_t head, size_t window, size_t tail)
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

/*
 * Appends the form of a text in `width` columns: its beginning, as much as fits around each place where it differs from
 * others, and its end unless `more` is set. If not all places fit, the last ones are not shown.
 */
static void put_form(struct buf *to, struct distinct_text *a, size_t width)
{
	size_t window = width, start = to->n, have, head, tail;

	if (!a->text.n)
		return;
	for (;;) {
		head = window / 2 > LEAST ? window / 2 : LEAST;
		tail = a->is_shared ? 0 : window / 2;
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
	const struct distinct_text *a = x, *b = y;

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

/*
 * Finds the places where each text of a sorted group differs from the texts before it or, if `back` is set, after it.
 * Two texts differ at the end of their common prefix. This prefix is as long as the shortest of the common prefixes of
 * all pairs of neighbours from one text to the other. The stack holds these lengths for the current text, in ascending
 * order.
 */
static void find_places(struct distinct_text *group, size_t n, bool back)
{
	size_t *stack = NULL, cap = 0, depth = 0, i, k, place, at;

	for (i = 1; i < n; i++) {
		struct distinct_text *a = &group[back ? n - 1 - i : i];

		place = common(a->text, (back ? a + 1 : a - 1)->text);
		while (depth && stack[depth - 1] >= place)
			depth--;
		stack = mem_grow(stack, &cap, depth + 1, sizeof *stack);
		stack[depth++] = place;
		for (k = 0; k < depth && k < PLACES; k++) {
			for (at = a->n; at && a->places[at - 1] >= stack[k]; at--)
				;
			if (at == PLACES || (at < a->n && a->places[at] == stack[k]))
				continue;
			a->n += a->n < PLACES;
			memmove(a->places + at + 1, a->places + at, (a->n - at - 1) * sizeof *a->places);
			a->places[at] = stack[k];
		}
	}
	free(stack);
}

/* --- groups --- */

struct str distinct_texts_form(const struct distinct_texts *d, size_t number)
{
	if (number == MAP_NONE || !d->forms || !d->forms[number].n)
		return STR("");
	return (struct str){d->text.p + d->forms[number].at, d->forms[number].n};
}

static size_t root(const size_t *to, size_t group)
{
	while (to[group] != group)
		group = to[group];
	return group;
}

/* Joins the groups of texts that look the same. Returns false when there was nothing to join. */
static bool join_groups(struct distinct_texts *d, size_t width, distinct_texts_cutter *cut, void *arg)
{
	size_t *to = mem_alloc(d->n * sizeof *to), *first = mem_alloc(d->n * sizeof *first), i, look, known, a, b;
	struct map looks = {0};
	struct buf room = {0};
	bool joined = false;

	for (i = 0; i < d->n; i++)
		to[i] = i;
	for (i = 0; i < d->n; i++) {
		const struct str form = distinct_texts_form(d, d->list[i].number);

		room.n = 0;
		if (!form.n)
			cut(arg, &room, d->list[i].number, d->list[i].brief, width);
		known = looks.n;
		look = map_put(&looks, form.n ? form : buf_str(&room));
		if (look == known) {
			first[look] = i;
			continue;
		}
		a = root(to, d->list[first[look]].group);
		b = root(to, d->list[i].group);
		joined |= a != b;
		to[b] = a;
	}
	for (i = 0; i < d->n; i++)
		d->list[i].group = root(to, d->list[i].group);
	mem_free(to, first);
	map_free(&looks);
	buf_free(&room);
	return joined;
}

/* Chooses how the texts are shown in each group that has more than one text. */
static void show_differences(struct distinct_texts *d, size_t width)
{
	size_t i, k, end, at;

	d->text.n = 0;
	qsort(d->list, d->n, sizeof *d->list, by_group);
	for (i = 0; i < d->n; i = end) {
		for (end = i + 1; end < d->n && d->list[end].group == d->list[i].group; end++)
			;
		if (end - i == 1)
			continue;
		for (k = i; k < end; k++)
			d->list[k].n = 0;
		find_places(d->list + i, end - i, false);
		find_places(d->list + i, end - i, true);
		for (k = i; k < end; k++) {
			at = d->text.n;
			put_form(&d->text, &d->list[k], width);
			d->forms[d->list[k].number] = (struct distinct_form){at, d->text.n - at};
		}
	}
}

/* --- the list --- */

/* Returns the key of a text: the length of its short form, the short form, the whole text. */
static struct str pair_of(struct distinct_texts *d, struct str brief, struct str whole)
{
	d->pair.n = 0;
	buf_add(&d->pair, &brief.n, sizeof brief.n);
	buf_add(&d->pair, brief.p, brief.n);
	buf_add(&d->pair, whole.p, whole.n);
	return buf_str(&d->pair);
}

size_t distinct_texts_find(struct distinct_texts *d, struct str brief, struct str whole)
{
	return map_find(&d->texts, pair_of(d, brief, whole));
}

struct str distinct_texts_brief(const struct distinct_texts *d, size_t number)
{
	const struct str pair = map_key(&d->texts, number);
	size_t n;

	memcpy(&n, pair.p, sizeof n);
	return str_head(str_from(pair, sizeof n), n);
}

size_t distinct_texts_add(struct distinct_texts *d, struct str brief, struct str whole)
{
	const size_t number = map_put(&d->texts, pair_of(d, brief, whole));

	if (number < d->n)
		return number;
	brief = distinct_texts_brief(d, number);
	d->list = mem_grow(d->list, &d->cap, d->n + 1, sizeof *d->list);
	d->list[d->n] = (struct distinct_text){.number = number,
	    .name = map_put(&d->briefs, brief),
	    .brief = brief,
	    .text = str_from(map_key(&d->texts, number), sizeof brief.n + brief.n),
	    .group = number};
	return d->n++;
}

size_t distinct_texts_widest(struct distinct_texts *d, size_t more)
{
	size_t widest = 0, width, all, i;

	compare_briefs(d);
	for (i = 0; i < d->n; i++) {
		if (!d->list[i].is_shared)
			continue;
		width = text_width(d->list[i].brief) + more;
		all = text_width(d->list[i].text);
		width = all < width ? all : width;
		widest = width > widest ? width : widest;
	}
	return widest;
}

void distinct_texts_fit(struct distinct_texts *d, size_t width, distinct_texts_cutter *cut, void *arg)
{
	size_t i;

	if (!d->n)
		return;
	compare_briefs(d);
	d->forms = mem_zero(d->n, sizeof *d->forms);
	for (i = 0; i < ROUNDS && join_groups(d, width, cut, arg); i++)
		show_differences(d, width);
}

void distinct_texts_free(struct distinct_texts *d)
{
	mem_free(d->list, d->forms);
	maps_free(&d->texts, &d->briefs);
	bufs_free(&d->pair, &d->text);
	*d = (struct distinct_texts){0};
}
