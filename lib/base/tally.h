/* tally: trouble, counted by class while it happens and told once at the end, with the first place. */
#ifndef TALLY_H
#define TALLY_H

#include "base/err.h"

#include <stdbool.h>

enum tally_kind {
	TALLY_NOTE,     /* worth a line, nothing was changed: not printed with --quiet */
	TALLY_REPAIRED, /* mended: leaves STATUS_OK */
	TALLY_LOST,     /* gone: STATUS_LOST */
};

/* A place: `line` counts from 1; where there are no lines it is 0 and `byte` is an offset from 0. */
struct place {
	const char *file; /* the operand; must stay */
	uint64_t line, byte;
};

struct tally {
	struct tally_row {
		enum tally_kind kind;
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
void tally_add(struct tally *t, enum tally_kind kind, const char *what, struct place at);
void tally_add_many(struct tally *t, enum tally_kind kind, const char *what, struct place at, uint64_t count);

/* Tells all rows on stderr, in the order they first came, and forgets them. True when anything was lost. */
bool tally_tell(struct tally *t);

#endif
