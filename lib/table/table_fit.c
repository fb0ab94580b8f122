/* Columns made narrow enough for a terminal, and names that stay different in them. */
#include "table/table_private.h"

#include <stdlib.h>

enum {
	NARROW = 20, /* columns of text are cut to no less than this where that makes a line fit, ... */
	LONG = 32,   /* ... and where none would fit, to no less than this */
	MORE = 24,   /* a name is shown so much longer than its short form where others have the same one */
	LEAST = 2,   /* that is seen of the beginning of a text of which only parts are */
	PLACES = 16, /* in a text where it is told from others */
	ROUNDS = 8,  /* of telling texts apart */
};

#define ELLIPSIS "\xe2\x80\xa6"

/* A text of a column. */
struct alike {
	size_t number;            /* of column->texts */
	struct str brief;         /* the short form of a name, or the text */
	struct str text;          /* what parts may be shown of: brief, or where others have the same, `more` */
	bool more;
	size_t group;             /* those that would look the same */
	size_t places[PLACES], n; /* where it differs from others of its group, rising */
};

/* --- parts of a text --- */

static size_t one_character(struct str s)
{
	uint32_t code;
	size_t n = utf8_decode(s, &code);

	return n ? n : 1;
}

/* The offset at which `width` columns from `at` on are full. */
static size_t forward(struct str s, size_t at, size_t width)
{
	size_t used = 0, n;

	while (at < s.n) {
		n = one_character(str_from(s, at));
		used += utf8_width(str_head(str_from(s, at), n));
		if (used > width)
			break;
		at += n;
	}
	return at;
}

static bool inside_character(struct str s, size_t at)
{
	return at && at < s.n && ((unsigned char)s.p[at] & 0xc0) == 0x80;
}

/* The offset from which on up to `width` columns are before `at`. */
static size_t backward(struct str s, size_t at, size_t width)
{
	size_t used = 0, before;

	for (; at; at = before) {
		before = at - 1;
		while (inside_character(s, before))
			before--;
		used += utf8_width(str_head(str_from(s, before), at - before));
		if (used > width)
			break;
	}
	return at;
}

void table_cut(struct buf *to, struct str s, size_t width)
{
	size_t head, tail;

	if (!width || utf8_width(s) <= width) {
		buf_add(to, s.p, s.n);
		return;
	}
	head = forward(s, 0, width / 2);
	tail = backward(s, s.n, width - utf8_width(str_head(s, head)) - 1);
	buf_add(to, s.p, head);
	buf_lit(to, ELLIPSIS);
	buf_add(to, s.p + tail, s.n - tail);
}

/* --- texts that are alike when they are short or cut --- */

/* Where a word of the text begins with `part`; s.n when none does. */
static size_t find_word(struct str s, struct str part)
{
	size_t at = 0;

	while (at < s.n && (!str_starts(str_from(s, at), part) || (at && !memchr(" *&", s.p[at - 1], 3))))
		at++;
	return at;
}

/* A function's name with all that its short form lacks, but no return type. */
static struct str signature(struct str whole, struct str brief)
{
	size_t at;

	while (brief.n) {
		at = find_word(whole, brief);
		if (at < whole.n)
			return str_from(whole, at);
		/* Something stands inside of it: a<int>::b. */
		do
			brief.n--;
		while (brief.n && brief.p[brief.n] != ':');
	}
	return whole;
}

/* Appends the first `head` columns of a text, `window` columns round each of its places, and the last `tail`. */
static void put_pieces(struct buf *to, const struct alike *a, size_t head, size_t window, size_t tail)
{
	struct str s = a->text;
	size_t end = forward(s, 0, head), place, behind, from, until, i;

	buf_add(to, s.p, end);
	for (i = 0; i < a->n + (tail > 0); i++) {
		place = i < a->n ? a->places[i] : s.n;
		behind = place < s.n ? place + one_character(str_from(s, place)) : s.n;
		from = backward(s, place, i < a->n ? window / 4 : tail);
		until = i < a->n ? forward(s, from, window) : s.n;
		until = until > behind ? until : behind;
		/* To leave one column out would save nothing. */
		if (from > forward(s, end, 1))
			buf_lit(to, ELLIPSIS);
		else
			from = end;
		if (until > from) {
			buf_add(to, s.p + from, until - from);
			end = until;
		}
	}
	if (forward(s, end, 1) == s.n)
		buf_add(to, s.p + end, s.n - end);
	else
		buf_lit(to, ELLIPSIS);
}

/*
 * Appends what is shown of a text in `width` columns: its beginning, its places with as much round them as has room,
 * and its end unless what counts is inside; without its last places if all have no room.
 */
static void put_alike(struct buf *to, struct alike *a, size_t width)
{
	size_t window = width, start = to->n, have, head, tail;

	for (;;) {
		head = window / 2 > LEAST ? window / 2 : LEAST;
		tail = a->more ? 0 : window / 2;
		put_pieces(to, a, head, window, tail);
		have = utf8_width((struct str){to->p + start, to->n - start});
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
	const struct alike *a = x, *b = y;

	return a->group != b->group ? (a->group > b->group) - (a->group < b->group) : str_cmp(a->text, b->text);
}

static size_t common(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n, i = 0;

	while (i < n && a.p[i] == b.p[i])
		i++;
	while (inside_character(a, i) || inside_character(b, i))
		i--;
	return i;
}

static void add_place(struct alike *a, size_t place)
{
	size_t i = a->n;

	while (i && a->places[i - 1] >= place)
		i--;
	if (i == PLACES || (i < a->n && a->places[i] == place))
		return;
	if (a->n < PLACES)
		a->n++;
	memmove(a->places + i + 1, a->places + i, (a->n - i - 1) * sizeof *a->places);
	a->places[i] = place;
}

/*
 * Where each of a sorted group differs from one before it, or with `back` behind it. What it has in common with
 * such a one is the least of what neighbours have from there to it; these lengths are on the stack, rising.
 */
static void find_places(struct alike *group, size_t n, bool back)
{
	size_t *stack = NULL, cap = 0, depth = 0, i, k, place;

	for (i = 1; i < n; i++) {
		struct alike *a = &group[back ? n - 1 - i : i];

		place = common(a->text, (back ? a + 1 : a - 1)->text);
		while (depth && stack[depth - 1] >= place)
			depth--;
		stack = mem_grow(stack, &cap, depth + 1, sizeof *stack);
		stack[depth++] = place;
		for (k = 0; k < depth && k < PLACES; k++)
			add_place(a, stack[k]);
	}
	free(stack);
}

/* --- a column --- */

/* Names and lists of names. */
static void gather(struct table *t)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		enum value_type type = t->row[i].type;

		if (type == VALUE_STRING || (type == VALUE_OTHER && *table_cell(t, i).p == '['))
			map_put(&t->columns[i].texts, table_display_cell(t, i, true));
	}
}

/* All texts of a column, their short forms in *briefs. */
static struct alike *list_texts(struct table *t, const struct column *c, struct map *briefs)
{
	struct alike *list = mem_alloc(c->texts.n * sizeof *list);
	size_t *uses = mem_zero(c->texts.n, sizeof *uses), i;
	bool name = c->kind == COLUMN_NAME && !t->options.wide;

	for (i = 0; i < c->texts.n; i++) {
		struct alike *a = &list[i];

		*a = (struct alike){.number = i, .text = map_key(&c->texts, i)};
		a->group = map_put(briefs, name ? field_short_name(a->text, &t->brief) : a->text);
		a->brief = map_key(briefs, a->group);
		uses[a->group]++;
	}
	for (i = 0; i < c->texts.n; i++) {
		list[i].more = uses[list[i].group] > 1;
		list[i].text = list[i].more ? signature(list[i].text, list[i].brief) : list[i].brief;
	}
	free(uses);
	return list;
}

/* How wide a column would be: wider than short names where several of them are the same. */
static size_t wish(struct table *t, const struct column *c)
{
	struct map briefs = {0};
	struct alike *list = list_texts(t, c, &briefs);
	size_t most = c->width, width, all, i;

	for (i = 0; i < c->texts.n; i++) {
		if (!list[i].more)
			continue;
		width = utf8_width(list[i].brief) + MORE;
		all = utf8_width(list[i].text);
		width = all < width ? all : width;
		most = width > most ? width : most;
	}
	free(list);
	map_free(&briefs);
	return most;
}

/* What is shown of a text in the column's width. */
static struct str looks(struct table *t, const struct column *c, const struct alike *a)
{
	if (c->forms[a->number].n)
		return (struct str){c->form_text.p + c->forms[a->number].at, c->forms[a->number].n};
	t->one.n = 0;
	table_cut(&t->one, a->brief, c->width);
	return (struct str){t->one.p, t->one.n};
}

static size_t root(const size_t *to, size_t group)
{
	while (to[group] != group)
		group = to[group];
	return group;
}

/* Makes one group of those that look the same; false when all of them were. */
static bool join(struct table *t, const struct column *c, struct alike *list)
{
	size_t n = c->texts.n, *to = mem_alloc(n * sizeof *to), *first = mem_alloc(n * sizeof *first);
	size_t i, look, known, a, b;
	struct map looked = {0};
	bool joined = false;

	for (i = 0; i < n; i++)
		to[i] = i;
	for (i = 0; i < n; i++) {
		known = looked.n;
		look = map_put(&looked, looks(t, c, &list[i]));
		if (look == known) {
			first[look] = i;
			continue;
		}
		a = root(to, list[first[look]].group);
		b = root(to, list[i].group);
		joined |= a != b;
		to[b] = a;
	}
	for (i = 0; i < n; i++)
		list[i].group = root(to, list[i].group);
	free(to);
	free(first);
	map_free(&looked);
	return joined;
}

/* Chooses what is shown of the texts in groups. */
static void show_differences(struct column *c, struct alike *list)
{
	size_t n = c->texts.n, i, k, end, at;

	c->form_text.n = 0;
	qsort(list, n, sizeof *list, by_group);
	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n && list[end].group == list[i].group; end++)
			;
		if (end - i == 1)
			continue;
		for (k = i; k < end; k++)
			list[k].n = 0;
		find_places(list + i, end - i, false);
		find_places(list + i, end - i, true);
		for (k = i; k < end; k++) {
			at = c->form_text.n;
			put_alike(&c->form_text, &list[k], c->width);
			c->forms[list[k].number] = (struct form){at, c->form_text.n - at};
		}
	}
}

/* Decides what is shown of texts that would look the same in the column's width. */
static void tell_apart(struct table *t, struct column *c)
{
	struct map briefs = {0};
	struct alike *list = list_texts(t, c, &briefs);
	size_t i;

	c->forms = mem_zero(c->texts.n, sizeof *c->forms);
	for (i = 0; i < c->texts.n; i++)
		list[i].group = i;
	for (i = 0; i < ROUNDS && join(t, c, list); i++)
		show_differences(c, list);
	free(list);
	map_free(&briefs);
}

struct str table_form(struct table *t, size_t i)
{
	const struct column *c = &t->columns[i];
	size_t number;

	if (!c->forms || t->row[i].type == VALUE_NONE)
		return STR("");
	number = map_find(&c->texts, table_display_cell(t, i, true));
	if (number == MAP_NONE)
		return STR("");
	return (struct str){c->form_text.p + c->forms[number].at, c->forms[number].n};
}

/* --- all columns --- */

static size_t total_width(const struct table *t)
{
	size_t total = t->n ? GAP * (t->n - 1) : 0, i;

	for (i = 0; i < t->n; i++)
		total += t->columns[i].width;
	return total;
}

/* Sets units under the names of their columns where this makes the line shorter. */
static void stack_heads(struct table *t)
{
	size_t i, name, unit;

	for (i = 0; i < t->n; i++) {
		struct column *c = &t->columns[i];

		if (c->head_name == c->head.n)
			continue;
		name = utf8_width((struct str){c->head.p, c->head_name});
		unit = c->head.n - c->head_name - 1; /* ASCII, a space before it */
		name = name > unit ? name : unit;
		name = name > c->cells ? name : c->cells;
		t->stacked |= name < c->width;
		c->width = name;
	}
}

/* How narrow columns of text may become in lines of `room` columns. */
static size_t least_width(const struct table *t, size_t room)
{
	size_t total = total_width(t), i;

	for (i = 0; i < t->n; i++) {
		const struct column *c = &t->columns[i];

		if (!table_at_right(c) && c->width > NARROW)
			total -= c->width - NARROW;
	}
	return total <= room ? NARROW : LONG;
}

/* Narrows the widest columns of text until the line fits, or nothing is left to narrow. */
static void narrow(struct table *t, size_t room)
{
	size_t least = least_width(t, room), total, i, next, step;
	struct column *widest;

	for (total = total_width(t); total > room; total -= step) {
		widest = NULL;
		next = least;
		for (i = 0; i < t->n; i++) {
			struct column *c = &t->columns[i];

			if (table_at_right(c) || c->width <= least)
				continue;
			if (!widest || c->width > widest->width) {
				next = widest ? widest->width : next;
				widest = c;
			} else if (c->width > next) {
				next = c->width;
			}
		}
		if (!widest)
			return;
		step = widest->width > next ? widest->width - next : 1;
		step = step < total - room ? step : total - room;
		widest->width -= step;
	}
}

void table_fit(struct table *t)
{
	size_t width = (size_t)t->options.width, i;

	if (total_width(t) > width)
		stack_heads(t);
	table_measure_each(t, gather);
	for (i = 0; i < t->n; i++) {
		if (t->columns[i].texts.n)
			t->columns[i].width = wish(t, &t->columns[i]);
	}
	narrow(t, width);
	for (i = 0; i < t->n; i++) {
		if (t->columns[i].texts.n)
			tell_apart(t, &t->columns[i]);
	}
}
