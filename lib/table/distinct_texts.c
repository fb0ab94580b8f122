#include "table/distinct_texts.h"

#include "base/map.h"

#include <stdlib.h>

enum { ROUNDS = 8 }; /* maximum number of passes that make texts look different */

struct distinct_form {
	size_t at, n; /* offset and length of the form in the text of all forms; n = 0: no form */
};

struct str distinct_texts_form(const struct distinct_texts *d, size_t number)
{
	if (!d->forms || !d->forms[number].n)
		return STR("");
	return (struct str){d->text.p + d->forms[number].at, d->forms[number].n};
}

static size_t root(const size_t *to, size_t group)
{
	while (to[group] != group)
		group = to[group];
	return group;
}

/* Returns the text as it is shown, in *room if it has no form. */
static struct str looks(const struct distinct_texts *d, const struct alike_text *a, size_t width,
    distinct_texts_cutter *cut, struct buf *room)
{
	const struct str form = distinct_texts_form(d, a->number);

	if (form.n)
		return form;
	room->n = 0;
	cut(room, a->brief, width);
	return (struct str){room->p, room->n};
}

/* Joins the groups of texts that look the same. Returns false when there was nothing to join. */
static bool join(
    const struct distinct_texts *d, struct alike_text *list, size_t n, size_t width, distinct_texts_cutter *cut)
{
	size_t *to = mem_alloc(n * sizeof *to), *first = mem_alloc(n * sizeof *first);
	size_t i, look, known, a, b;
	struct map looked = {0};
	struct buf room = {0};
	bool joined = false;

	for (i = 0; i < n; i++)
		to[i] = i;
	for (i = 0; i < n; i++) {
		known = looked.n;
		look = map_put(&looked, looks(d, &list[i], width, cut, &room));
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
	buf_free(&room);
	return joined;
}

/* Chooses how the texts are shown in each group that has more than one text. */
static void show_differences(struct distinct_texts *d, struct alike_text *list, size_t n, size_t width)
{
	size_t i, k, end, at;

	d->text.n = 0;
	alike_texts_sort(list, n);
	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n && list[end].group == list[i].group; end++)
			;
		if (end - i == 1)
			continue;
		alike_texts_compare(list + i, end - i);
		for (k = i; k < end; k++) {
			at = d->text.n;
			alike_texts_put(&d->text, &list[k], width);
			d->forms[list[k].number] = (struct distinct_form){at, d->text.n - at};
		}
	}
}

void distinct_texts_choose(
    struct distinct_texts *d, struct alike_text *list, size_t n, size_t width, distinct_texts_cutter *cut)
{
	size_t i;

	d->forms = mem_zero(n, sizeof *d->forms);
	for (i = 0; i < ROUNDS && join(d, list, n, width, cut); i++)
		show_differences(d, list, n, width);
}

void distinct_texts_free(struct distinct_texts *d)
{
	free(d->forms);
	buf_free(&d->text);
	*d = (struct distinct_texts){0};
}
