#include "picture/labels.h"

#include "base/num_format.h"
#include "table/distinct_texts.h"
#include "table/text_cut.h"

#include <stdlib.h>

enum {
	LEAST_COLUMNS = 12, /* in less room, differences are not shown */
	CUT_LOOK = 1024,    /* a text of more than twice this length is always cut, without computing its width */
};

void label_cut(const struct canvas *c, struct buf *to, struct str text, double most)
{
	const struct str ellipsis = STR(TEXT_CUT_ELLIPSIS);
	double left = most - canvas_width(c, ellipsis, CANVAS_PLAIN), head_width = 0, tail_width = 0, width;
	size_t head = 0, tail = text.n, n, at;

	if (text.n <= 2 * CUT_LOOK && canvas_width(c, text, CANVAS_PLAIN) <= most) {
		buf_add(to, text.p, text.n);
		return;
	}
	while (head < tail) {
		const bool front = head_width <= tail_width;

		if (front) {
			n = text_cut_character(str_from(text, head));
			at = head;
		} else {
			for (at = tail - 1; text_cut_inside(text, at) && at > head; at--)
				;
			n = tail - at;
		}
		width = canvas_width(c, str_head(str_from(text, at), n), CANVAS_PLAIN);
		if (width > left)
			break;
		left -= width;
		*(front ? &head_width : &tail_width) += width + 0.01;
		*(front ? &head : &tail) = front ? head + n : at;
	}
	if (!head)
		return;
	buf_add(to, text.p, head);
	buf_add(to, ellipsis.p, ellipsis.n);
	buf_add(to, text.p + tail, text.n - tail);
}

void label_cut_inside(const struct canvas *c, struct buf *to, struct str text, double most)
{
	const size_t n = to->n;

	label_cut(c, to, text, most);
	if (most < (c->cells ? 8 : 60) && !str_eq((struct str){to->p + n, to->n - n}, text))
		to->n = n;
}

/* Appends a text as it is shown so far. */
static void put_shown(void *arg, struct buf *to, size_t number, struct str brief, size_t width)
{
	const struct str *shown = arg;

	(void)brief, (void)width;
	buf_add(to, shown[number].p, shown[number].n);
}

/* Shows the differences of the names that look the same, if there is room for them. */
static void show_differences(
    const struct canvas *c, struct distinct_texts *names, struct str *shown, double most, struct map *texts)
{
	const size_t columns = (size_t)(most / canvas_width(c, STR("n"), CANVAS_PLAIN));
	size_t i;

	if (columns >= LEAST_COLUMNS)
		distinct_texts_fit(names, columns, put_shown, shown);
	for (i = 0; i < names->n; i++) {
		const struct str form = distinct_texts_form(names, i);

		if (form.n && canvas_width(c, form, CANVAS_PLAIN) <= most)
			shown[i] = map_key(texts, map_put(texts, form));
	}
}

/* The last resort: numbers at the ends of names that still look like another name. */
static void number_names(const struct canvas *c, struct str *shown, size_t n, double most, struct map *texts)
{
	char end[NUM_ROOM + 2] = " #";
	struct buf numbered = {0};
	struct map looks = {0};
	uint64_t *uses = mem_zero(n + 1, sizeof *uses);
	size_t i, look;
	struct str text, suffix;

	for (i = 0; i < n; i++) {
		text = shown[i];
		look = map_find(&looks, text);
		while (look != MAP_NONE && map_find(&looks, text) != MAP_NONE) {
			suffix = (struct str){end, (size_t)(num_put_u64(end + 2, ++uses[look]) - end)};
			label_cut(c, &numbered, shown[i], most - canvas_width(c, suffix, CANVAS_PLAIN));
			buf_add(&numbered, suffix.p, suffix.n);
			text = labels_store(texts, &numbered);
		}
		shown[i] = text;
		uses[map_put(&looks, text)] = 1;
	}
	map_free(&looks);
	free(uses);
	buf_free(&numbered);
}

void labels_fit(const struct canvas *c, struct label *list, size_t n, double most, struct map *texts)
{
	size_t *number = mem_zero(n + 1, sizeof *number), i;
	struct str *shown = mem_zero(n + 1, sizeof *shown);
	struct distinct_texts names = {0};
	struct buf text = {0};

	for (i = 0; i < n; i++) {
		number[i] = distinct_texts_add(&names, list[i].brief, list[i].whole);
		label_cut(c, &text, list[i].brief, most);
		shown[number[i]] = labels_store(texts, &text);
	}
	show_differences(c, &names, shown, most, texts);
	number_names(c, shown, names.n, most, texts);
	for (i = 0; i < n; i++)
		list[i].shown = shown[number[i]];
	distinct_texts_free(&names);
	mem_free(number, shown);
	buf_free(&text);
}

struct str labels_store(struct map *texts, struct buf *text)
{
	const struct str copy = map_key(texts, map_put(texts, buf_str(text)));

	text->n = 0;
	return copy;
}

double labels_widest(const struct canvas *c, const struct label *list, size_t n)
{
	double most = 0, width;
	size_t i;

	for (i = 0; i < n; i++) {
		width = canvas_width(c, list[i].shown.p ? list[i].shown : list[i].brief, CANVAS_PLAIN);
		most = width > most ? width : most;
	}
	return most;
}
