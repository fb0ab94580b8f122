#include "base/diagnostics.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void diagnostics_add_many(
    struct diagnostics *t, enum diagnostics_kind kind, const char *what, struct place at, uint64_t count)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		struct diagnostics_row *row = &t->rows[i];

		if (row->kind == kind && row->first.file == at.file && strcmp(row->what, what) == 0) {
			row->count += count;
			return;
		}
	}
	t->rows = mem_grow(t->rows, &t->cap, t->n + 1, sizeof *t->rows);
	t->rows[t->n++] = (struct diagnostics_row){kind, what, count, at};
}

void diagnostics_add(struct diagnostics *t, enum diagnostics_kind kind, const char *what, struct place at)
{
	diagnostics_add_many(t, kind, what, at, 1);
}

bool diagnostics_report(struct diagnostics *t)
{
	bool lost = false;
	char place[48], more[48];
	size_t i;

	for (i = 0; i < t->n; i++) {
		const struct diagnostics_row *row = &t->rows[i];

		if (row->first.line)
			snprintf(place, sizeof place, ":%" PRIu64, row->first.line);
		else
			snprintf(place, sizeof place, ": byte %" PRIu64, row->first.byte);
		more[0] = '\0';
		if (row->count > 1)
			snprintf(more, sizeof more, " (and %" PRIu64 " more)", row->count - 1);
		(row->kind == DIAGNOSTICS_NOTE ? note : warn)("%s%s: %s%s", row->first.file, place, row->what, more);
		lost |= row->kind == DIAGNOSTICS_LOST;
	}
	free(t->rows);
	*t = (struct diagnostics){0};
	return lost;
}
