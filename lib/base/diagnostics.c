#include "base/diagnostics.h"

#include <stdlib.h>

void diagnostics_add_many(
    struct diagnostics *d, enum diagnostics_kind kind, const char *what, struct fault_location at, uint64_t count)
{
	size_t i;

	d->lost |= kind >= DIAGNOSTICS_LOST;
	for (i = 0; i < d->n; i++) {
		struct diagnostics_row *row = &d->rows[i];

		if (row->kind == kind && (row->first.file == at.file || kind == DIAGNOSTICS_REPAIRED) &&
		    strcmp(row->what, what) == 0) {
			row->count += count;
			return;
		}
	}
	d->rows = mem_grow(d->rows, &d->cap, d->n + 1, sizeof *d->rows);
	d->rows[d->n++] = (struct diagnostics_row){kind, what, count, at};
}

void diagnostics_add(struct diagnostics *d, enum diagnostics_kind kind, const char *what, struct fault_location at)
{
	diagnostics_add_many(d, kind, what, at, 1);
}

void diagnostics_merge(struct diagnostics *d, const struct diagnostics *more)
{
	const struct diagnostics_row *row;

	for (row = more->rows; row < more->rows + more->n; row++)
		diagnostics_add_many(d, row->kind, diagnostics_text(d, str_of(row->what)), row->first, row->count);
	d->lost |= more->lost;
}

const char *diagnostics_text(struct diagnostics *d, struct str text)
{
	struct buf with_nul = {0};
	size_t i;

	buf_add(&with_nul, text.p, text.n);
	buf_char(&with_nul, '\0');
	i = map_put(&d->texts, buf_str(&with_nul));
	buf_free(&with_nul);
	return map_key(&d->texts, i).p;
}

void diagnostics_free(struct diagnostics *d)
{
	map_free(&d->texts);
	free(d->rows);
	*d = (struct diagnostics){0};
}
