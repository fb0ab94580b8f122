#include "picture/labels.h"
#include "test.h"

#include <stdlib.h>

/* Fits names into `most` columns, and joins what is shown with `|`. */
static void check_labels(const char *const *names, size_t n, double most, const char *want)
{
	struct out out = {0};
	struct canvas *c = canvas_cells_new(&out, 80, false, 0);
	struct label list[8] = {{.shown = {NULL, 0}}};
	struct map room = {0};
	struct buf got = {0};
	size_t i;

	for (i = 0; i < n; i++)
		list[i].brief = list[i].whole = str_of(names[i]);
	labels_fit(c, list, n, most, &room);
	for (i = 0; i < n; i++) {
		if (i)
			buf_char(&got, '|');
		buf_add(&got, list[i].shown.p, list[i].shown.n);
		CHECK(canvas_width(c, list[i].shown, CANVAS_PLAIN) <= most);
	}
	buf_char(&got, '\0');
	CHECK_STR(str_of(got.p), want);
	map_free(&room);
	buf_free(&got);
	free(c);
}

void unit_test(void)
{
	static const char *const two[] = {
	    "autograd::engine::evaluate_function: Addmm", "autograd::engine::evaluate_function: Mul", "short"};
	static const char *const one[] = {"a name that is too long for its place"};
	static const char *const middle[] = {"abcdefghijklmnopqrstuvwxyz", "abcdefghijklm_nopqrstuvwxyz"};

	check_labels(
	    two, 3, 50, "autograd::engine::evaluate_function: Addmm|autograd::engine::evaluate_function: Mul|short");
	check_labels(two, 3, 20, "autograd::…on: Addmm|autograd::…tion: Mul|short");
	check_labels(one, 1, 11, "a nam…place");
	check_labels(middle, 2, 10, "abcde…wxyz|abc…xyz #2");
}
