/*
 * fuzz target: the texts of pictures (fuzz.h explains how to run it). The first byte is the room for names; each line
 * is a name and a folded stack.
 */
#include "fuzz.h"

#include "ndjson2svg/chart.h"
#include "ndjson2svg/flame_tree.h"
#include "base/escape.h"

enum { NAMES = 64 };

/* Names fit in their room, and names that differ look different. */
static void fit(struct canvas *c, struct label *list, size_t n, double most)
{
	struct map room = {0};
	size_t i, k;

	labels_fit(c, list, n, most, &room);
	for (i = 0; i < n; i++) {
		HOLD(canvas_width(c, list[i].shown, CANVAS_PLAIN) <= most);
		for (k = 0; k < i; k++)
			HOLD(most < 100 || !str_eq(list[i].shown, list[k].shown) ||
			     str_eq(list[i].whole, list[k].whole));
	}
	map_free(&room);
	free(c);
}

/* The text contains no character that ends an element or an attribute, and is UTF-8. */
static void escape(struct str text)
{
	struct buf o = {0};
	struct str rest;
	uint32_t code;

	escape_text(&o, ESCAPE_XML, text);
	for (rest = (struct str){o.p, o.n}; rest.n; rest = str_from(rest, utf8_decode(rest, &code)))
		HOLD(utf8_decode(rest, &code) && !strchr("<>\"'", (int)(code && code < 128 ? code : 'x')) &&
		     (code >= ' ' || code == '\n'));
	buf_free(&o);
}

/* A frame is as heavy as its callees and itself; weights are positive. */
static void check_tree(struct flame_tree *t, double sum)
{
	size_t i;

	flame_tree_link(t);
	HOLD(t->nodes[0].total == sum);
	for (i = 1; i < t->n; i++)
		HOLD(t->nodes[i].parent < i && t->nodes[i].total <= t->nodes[t->nodes[i].parent].total);
	flame_tree_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = {(const char *)data, size}, line;
	struct label list[NAMES] = {{.shown = {NULL, 0}}};
	struct flame_tree tree = {0};
	struct buf names = {0};
	struct map texts = {0};
	struct out out = {0};
	const double most = size ? 60 + data[0] : 60;
	size_t n = 0;
	double sum = 0;

	rest = str_from(rest, 1);
	while (n < NAMES && str_split(&rest, '\n', &line)) {
		escape(line);
		flame_tree_add(&tree, line, (double)(n + 1), n % 5 == 4);
		sum += n % 5 == 4 ? 0 : (double)(n + 1);
		names.n = 0;
		escape_text(&names, ESCAPE_PLAIN, line);
		escape((struct str){names.p, names.n});
		buf_char(&names, 'x'); /* a name is never empty */
		list[n].brief = list[n].whole = labels_store(&texts, &names);
		n++;
	}
	fit(canvas_svg_new(&out, 900), list, n, most);
	fit(canvas_cells_new(&out, 80, false, 0), list, n, 12 + (double)(size ? data[0] % 32 : 0));
	check_tree(&tree, sum);
	buf_free(&names);
	map_free(&texts);
	return 0;
}
