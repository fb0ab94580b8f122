#include "base/tally.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tally_add_many(struct tally *t, enum tally_kind kind, const char *what, struct place at, uint64_t count)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		struct tally_row *row = &t->rows[i];

		if (row->kind == kind && row->first.file == at.file && strcmp(row->what, what) == 0) {
			row->count += count;
			return;
		}
	}
	t->rows = mem_grow(t->rows, &t->cap, t->n + 1, sizeof *t->rows);
	t->rows[t->n++] = (struct tally_row){kind, what, count, at};
}

void tally_add(struct tally *t, enum tally_kind kind, const char *what, struct place at)
{
	tally_add_many(t, kind, what, at, 1);
}

bool tally_tell(struct tally *t)
{
	bool lost = false;
	char place[48], more[48];
	size_t i;

	for (i = 0; i < t->n; i++) {
		const struct tally_row *row = &t->rows[i];

		if (row->first.line)
			snprintf(place, sizeof place, ":%" PRIu64, row->first.line);
		else
			snprintf(place, sizeof place, ": byte %" PRIu64, row->first.byte);
		more[0] = '\0';
		if (row->count > 1)
			snprintf(more, sizeof more, " (and %" PRIu64 " more)", row->count - 1);
		(row->kind == TALLY_NOTE ? note : warn)("%s%s: %s%s", row->first.file, place, row->what, more);
		lost |= row->kind == TALLY_LOST;
	}
	free(t->rows);
	*t = (struct tally){0};
	return lost;
}
