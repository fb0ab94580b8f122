#include "op-overheads/nested_calls.h"

#include "test.h"

/* Intervals in order, and the expected parent of each; -1 for a root. */
struct want {
	int64_t start, end;
	int parent;
	size_t until;
};

static void check(const struct want *want, size_t n)
{
	struct nested_call nodes[16];
	size_t i;

	/* Store the intervals in reverse order, so that they must be sorted. */
	for (i = 0; i < n; i++)
		nodes[n - 1 - i] = (struct nested_call){.start = want[i].start, .end = want[i].end, .seq = i + 7};
	nested_calls_sort(nodes, n);
	nested_calls_set_positions(nodes, n);
	for (i = 0; i < n; i++) {
		CHECK_INT(nodes[i].start, want[i].start);
		CHECK_INT(nodes[i].parent == NESTED_CALLS_ROOT ? -1 : (int)nodes[i].parent, want[i].parent);
		CHECK_INT(nodes[i].until, want[i].until);
	}
}

void unit_test(void)
{
	/* clang-format off */
	static const struct want nested[] = {
	    {0, 10, -1, 6}, {0, 10, 0, 6}, {1, 4, 1, 4}, {4, 4, 2, 4}, {4, 9, 1, 5}, {9, 10, 1, 6},
	    {10, 10, -1, 7}, {10, 10, -1, 8}, {12, 13, -1, 9},
	};
	/* clang-format on */
	static const struct want alone[] = {{5, 5, -1, 1}};
	/* clang-format off */
	static const struct want crossing[] = {
	    {0, 100, -1, 5}, {10, 30, 0, 2}, {20, 40, 0, 4}, {21, 40, 2, 4}, {25, 50, 0, 5},
	    {90, 110, -1, 7}, {95, 100, 5, 7},
	};
	/* clang-format on */

	check(nested, sizeof nested / sizeof *nested);
	check(crossing, sizeof crossing / sizeof *crossing);
	check(alone, 1);
	nested_calls_set_positions(NULL, 0);
}
