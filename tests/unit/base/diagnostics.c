/*
 * diagnostics: each class and file has one row with the place of its first occurrence, but the repairs of a class in
 * all files have one row; the rows are in the order of these occurrences.
 */
#include "test.h"

#include "base/diagnostics.h"

static void check_row(
    const struct diagnostics *t, size_t i, const char *what, uint64_t count, struct fault_location first)
{
	const struct diagnostics_row *row = &t->rows[i];

	CHECK(i < t->n);
	CHECK_STR(str_of(row->what), what);
	CHECK_INT(row->count, count);
	CHECK(row->first.file == first.file);
	CHECK_INT(row->first.line, first.line);
	CHECK_INT(row->first.byte, first.byte);
}

void unit_test(void)
{
	static const char a[] = "a.json", b[] = "b.json";
	char same[] = "cut";
	struct diagnostics t = {0}, merged = {0};

	diagnostics_add(&t, DIAGNOSTICS_REPAIRED, "repaired", (struct fault_location){a, 7, 0});
	diagnostics_add(&t, DIAGNOSTICS_NOTE, "cut", (struct fault_location){a, 8, 0});
	CHECK(!t.lost);
	diagnostics_add(&t, DIAGNOSTICS_LOST, "cut", (struct fault_location){a, 3, 9});
	diagnostics_add(&t, DIAGNOSTICS_LOST, same, (struct fault_location){a, 5, 0});
	diagnostics_add(&t, DIAGNOSTICS_LOST, "cut", (struct fault_location){b, 0, 12});
	diagnostics_add_many(&t, DIAGNOSTICS_LOST, "cut", (struct fault_location){a, 6, 0}, 40);
	diagnostics_add_many(&t, DIAGNOSTICS_REPAIRED, "repaired", (struct fault_location){b, 9, 0}, 2);
	CHECK(t.lost);
	CHECK_INT(t.n, 4);
	check_row(&t, 0, "repaired", 3, (struct fault_location){a, 7, 0});
	check_row(&t, 1, "cut", 1, (struct fault_location){a, 8, 0});
	check_row(&t, 2, "cut", 42, (struct fault_location){a, 3, 9});
	check_row(&t, 3, "cut", 1, (struct fault_location){b, 0, 12});
	CHECK_STR(str_of(diagnostics_text(&t, str_head(STR("table T"), 5))), "table");
	CHECK(diagnostics_text(&t, STR("table")) == diagnostics_text(&t, STR("table")));
	diagnostics_add(&merged, DIAGNOSTICS_LOST, "cut", (struct fault_location){a, 1, 0});
	diagnostics_merge(&merged, &t);
	CHECK_INT(merged.n, 4);
	check_row(&merged, 0, "cut", 43, (struct fault_location){a, 1, 0});
	check_row(&merged, 1, "repaired", 3, (struct fault_location){a, 7, 0});
	check_row(&merged, 3, "cut", 1, (struct fault_location){b, 0, 12});
	CHECK(merged.lost);
	diagnostics_free(&t);
	check_row(&merged, 1, "repaired", 3, (struct fault_location){a, 7, 0});
	diagnostics_free(&merged);
	CHECK_INT(t.n, 0);
	CHECK(!t.lost);
}
