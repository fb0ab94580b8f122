/* diagnostics: trouble, counted by class while it happens and told once at the end, with the first place. */
#ifndef DIAGNOSTICS_H
#define DIAGNOSTICS_H

#include "base/err.h"

#include <stdbool.h>

enum diagnostics_kind {
	DIAGNOSTICS_NOTE,     /* worth a line, the answer is right: not printed with --quiet */
	DIAGNOSTICS_WARNING,  /* the answer may be wrong or incomplete by it, and nothing in the input was lost: STATUS_OK */
	DIAGNOSTICS_REPAIRED, /* mended: leaves STATUS_OK */
	DIAGNOSTICS_LOST,     /* gone: STATUS_LOST */
};

/* A place: `line` counts from 1; where there are no lines it is 0 and `byte` is an offset from 0. */
struct place {
	const char *file; /* the operand; must stay */
	uint64_t line, byte;
};

struct diagnostics {
	struct diagnostics_row {
		enum diagnostics_kind kind;
		const char *what;
		uint64_t count;
		struct place first;
	} *rows;
	size_t n, cap;
};

/*
 * One more of a class. `what` is static text, compared as text: "record cut short, skipped". One line
 * a class and file comes of it: "PROG: FILE:LINE: WHAT", and " (and N more)".
 */
void diagnostics_add(struct diagnostics *t, enum diagnostics_kind kind, const char *what, struct place at);
void diagnostics_add_many(
    struct diagnostics *t, enum diagnostics_kind kind, const char *what, struct place at, uint64_t count);

/* Tells all rows on stderr, in the order they first came, and forgets them. True when anything was lost. */
bool diagnostics_report(struct diagnostics *t);

#endif
