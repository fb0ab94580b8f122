/* The widths of texts in SVG, in which labels are fitted. */
#include "ndjson2svg/chart.h"
#include "test.h"

#include <stdlib.h>

/* Names that differ only in their middle, at random places, look different. */
static void test_different(void)
{
	struct out out = {0};
	struct canvas *c = canvas_svg_new(&out, 900);
	struct label list[40] = {{.shown = {NULL, 0}}};
	char text[40][400];
	struct map room = {0};
	unsigned seed = 7;
	size_t i, k;

	for (i = 0; i < 40; i++) {
		memset(text[i], 'x', sizeof text[i]);
		for (k = 0; k < 3; k++) {
			seed = seed * 1103515245 + 12345;
			text[i][(seed >> 16) % sizeof text[i]] = (char)('a' + i % 20);
		}
		list[i].brief = list[i].whole = (struct str){text[i], sizeof text[i]};
	}
	labels_fit(c, list, 40, 200, &room);
	for (i = 0; i < 40; i++) {
		CHECK(canvas_width(c, list[i].shown, CANVAS_PLAIN) <= 200);
		for (k = 0; k < i; k++)
			CHECK(!str_eq(list[i].shown, list[k].shown) || str_eq(list[i].whole, list[k].whole));
	}
	map_free(&room);
	free(c);
}

void unit_test(void)
{
	test_different();
}
