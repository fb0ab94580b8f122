#include "picture/labels.h"

#include "base/char_class.h"
#include "base/num_format.h"
#include "base/order.h"
#include "table/distinct_texts.h"
#include "table/text_cut.h"

#include <stdlib.h>

enum {
	LEAST_COLUMNS = 12, /* in less room, differences are not shown */
	PREFIX_LEAST = 6,   /* a shorter common beginning is not removed */
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

static bool is_long(const struct canvas *c, struct str brief, double most)
{
	return brief.n > CUT_LOOK || canvas_width(c, brief, CANVAS_PLAIN) > most;
}

static int compare_briefs(const void *arg, size_t a, size_t b)
{
	const struct label *list = arg;

	return str_cmp(list[a].brief, list[b].brief);
}

/* Returns the length of the beginning that two names have in common, cut after a word; 0 if it is short. */
static size_t common_beginning(struct str a, struct str b)
{
	size_t cut = 0, i;

	for (i = 0; i < a.n && i < b.n && a.p[i] == b.p[i]; i++) {
		if (!is_alphanumeric(a.p[i]) && (unsigned char)a.p[i] < 0x80)
			cut = i + 1;
	}
	return cut >= PREFIX_LEAST && i < a.n && i < b.n ? cut : 0;
}

/*
 * Returns a list with the length of the beginning that each name may lose: what it has in common with another name that
 * is too long.
 */
static size_t *find_beginnings(const struct canvas *c, const struct label *list, size_t n, double most)
{
	size_t *order = order_sort(n, compare_briefs, list), *common = mem_zero(n ? n : 1, sizeof *common);
	size_t last = SIZE_MAX, i, k;

	for (i = 0; i < n; i++) {
		if (!is_long(c, list[order[i]].brief, most))
			continue;
		if (last != SIZE_MAX && !str_eq(list[last].brief, list[order[i]].brief)) {
			k = common_beginning(list[last].brief, list[order[i]].brief);
			common[last] = k > common[last] ? k : common[last];
			common[order[i]] = k;
			last = order[i];
		} else if (last == SIZE_MAX) {
			last = order[i];
		}
	}
	/* Equal names lose the same. */
	for (i = 1; i < n; i++) {
		if (str_eq(list[order[i - 1]].brief, list[order[i]].brief))
			common[order[i]] = common[order[i - 1]];
	}
	free(order);
	return common;
}

/*
 * Returns the offset from which a text fits in `most`: at most `common`, which is the beginning that may be removed,
 * and as small as possible.
 */
static size_t beginning_to_remove(const struct canvas *c, struct str text, size_t common, double most)
{
	double width = canvas_width(c, str_head(str_from(text, common), 2 * CUT_LOOK), CANVAS_PLAIN);
	size_t at = common, before;

	while (at) {
		before = at - 1;
		while (text_cut_inside(text, before))
			before--;
		width += canvas_width(c, str_head(str_from(text, before), at - before), CANVAS_PLAIN);
		if (width > most)
			break;
		at = before;
	}
	return at;
}

/* Returns a name cut to `most`, without the beginning that it may lose if it is too long. */
static struct str shorten(const struct canvas *c, struct map *texts, struct str brief, size_t common, double most)
{
	const struct str ellipsis = STR(TEXT_CUT_ELLIPSIS);
	struct buf text = {0};
	struct str shown;

	if (is_long(c, brief, most) && common) {
		most -= canvas_width(c, ellipsis, CANVAS_PLAIN);
		buf_add(&text, ellipsis.p, ellipsis.n);
		brief = str_from(brief, beginning_to_remove(c, brief, common, most));
	}
	label_cut(c, &text, brief, most);
	shown = labels_store(texts, &text);
	buf_free(&text);
	return shown;
}

/* Returns for each label the index of the first one with the same whole name. */
static size_t *find_first(const struct label *list, size_t n)
{
	size_t *first = mem_alloc((n ? n : 1) * sizeof *first), *index = mem_alloc((n ? n : 1) * sizeof *index);
	size_t i, name, known;
	struct map names = {0};

	for (i = 0; i < n; i++) {
		known = names.n;
		name = map_put(&names, list[i].whole);
		if (name == known)
			index[name] = i;
		first[i] = index[name];
	}
	map_free(&names);
	free(index);
	return first;
}

/* The labels that differ, for put_shown(). */
struct different_labels {
	const struct label *list;
	size_t *index; /* of each of them */
};

/* Appends a label as it is shown so far. */
static void put_shown(void *arg, struct buf *to, size_t number, struct str brief, size_t width)
{
	const struct different_labels *labels = arg;
	const struct str text = labels->list[labels->index[number]].shown;

	(void)brief, (void)width;
	buf_add(to, text.p, text.n);
}

/* Shows the differences of the names that look the same, if there is room for them. */
static void show_differences(
    const struct canvas *c, struct label *list, size_t n, const size_t *first, double most, struct map *room)
{
	const size_t columns = (size_t)(most / canvas_width(c, STR("n"), CANVAS_PLAIN));
	struct different_labels labels = {list, mem_alloc((n ? n : 1) * sizeof *labels.index)};
	struct distinct_texts texts = {0};
	size_t i;

	for (i = 0; i < n; i++) {
		if (first[i] != i)
			continue;
		labels.index[texts.n] = i;
		distinct_texts_add(&texts, list[i].brief, list[i].whole);
	}
	if (columns >= LEAST_COLUMNS)
		distinct_texts_fit(&texts, columns, put_shown, &labels);
	for (i = 0; i < texts.n; i++) {
		const struct str form = distinct_texts_form(&texts, i);

		if (form.n && canvas_width(c, form, CANVAS_PLAIN) <= most)
			list[labels.index[i]].shown = map_key(room, map_put(room, form));
	}
	distinct_texts_free(&texts);
	free(labels.index);
}

/* The last resort: numbers at the ends of names that still look like another name. Equal names get equal texts. */
static void number_labels(
    const struct canvas *c, struct label *list, size_t n, const size_t *first, double most, struct map *texts)
{
	char end[NUM_ROOM + 2] = " #";
	struct buf numbered = {0};
	struct map looks = {0};
	uint64_t *uses = NULL;
	size_t cap = 0, i, look;
	struct str shown, suffix;

	for (i = 0; i < n; i++) {
		shown = list[first[i]].shown;
		look = first[i] == i ? map_find(&looks, shown) : MAP_NONE;
		while (look != MAP_NONE && map_find(&looks, shown) != MAP_NONE) {
			suffix = (struct str){end, (size_t)(num_put_u64(end + 2, ++uses[look]) - end)};
			label_cut(c, &numbered, list[i].shown, most - canvas_width(c, suffix, CANVAS_PLAIN));
			buf_add(&numbered, suffix.p, suffix.n);
			shown = labels_store(texts, &numbered);
		}
		list[i].shown = shown;
		look = map_put(&looks, shown);
		uses = mem_grow_zero(uses, &cap, look + 1, sizeof *uses);
		uses[look] = uses[look] ? uses[look] : 1;
	}
	map_free(&looks);
	free(uses);
	buf_free(&numbered);
}

void labels_fit(const struct canvas *c, struct label *list, size_t n, double most, struct map *texts)
{
	size_t *common = find_beginnings(c, list, n, most), *first = find_first(list, n), i;

	for (i = 0; i < n; i++)
		list[i].shown = shorten(c, texts, list[i].brief, common[i], most);
	show_differences(c, list, n, first, most, texts);
	number_labels(c, list, n, first, most, texts);
	free(common);
	free(first);
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
