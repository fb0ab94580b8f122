#include "base/diagnostics.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void diagnostics_add_many(
    struct diagnostics *t, enum diagnostics_kind kind, const char *what, struct fault_place at, uint64_t count)
{
	size_t i;

	t->lost |= kind == DIAGNOSTICS_LOST;
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

void diagnostics_add(struct diagnostics *t, enum diagnostics_kind kind, const char *what, struct fault_place at)
{
	diagnostics_add_many(t, kind, what, at, 1);
}

void diagnostics_free(struct diagnostics *t)
{
	free(t->rows);
	*t = (struct diagnostics){0};
}
