/* diagnostics: counts losses, repairs and notes by class, and stores the location where each class first occurred. */
#ifndef DIAGNOSTICS_H
#define DIAGNOSTICS_H

#include "base/fault.h"
#include "base/map.h"

enum diagnostics_kind {
	DIAGNOSTICS_NOTE,     /* the result is correct; the note is not printed with --quiet */
	DIAGNOSTICS_WARNING,  /* no input was lost, but the result may be wrong or incomplete: exit status STATUS_OK */
	DIAGNOSTICS_REPAIRED, /* damaged input was repaired: exit status STATUS_OK */
	DIAGNOSTICS_LOST,     /* input was lost: exit status STATUS_LOST */
	DIAGNOSTICS_CUT,      /* the same, and nobody knows how much: the input ends too early */
};

struct diagnostics_row {
	enum diagnostics_kind kind;
	const char *what;
	uint64_t count;
	struct fault_location first;
};

/*
 * Zero-initialise it. There is one row for each class of repairs, and for each other class that occurred in a file, in
 * the order of first occurrence; program/filter prints the rows at the end.
 */
struct diagnostics {
	struct diagnostics_row *rows;
	size_t n;
	bool lost; /* something was lost; also set by a program that reports a loss itself */
	/* private */
	size_t cap;
	struct map texts;
};

/*
 * Adds 1 to the count of a class (`kind` and `what`) in a file. `what` is static text, such as "record cut short;
 * skipped", or from diagnostics_text(); texts with equal contents are the same class.
 */
void diagnostics_add(struct diagnostics *d, enum diagnostics_kind kind, const char *what, struct fault_location at);
void diagnostics_add_many(
    struct diagnostics *d, enum diagnostics_kind kind, const char *what, struct fault_location at, uint64_t count);

/* Adds the rows of `more`, which has counted later: the result is the same as if *d had counted everything. */
void diagnostics_merge(struct diagnostics *d, const struct diagnostics *more);

/*
 * Returns a copy of the text with a NUL at its end, for messages and names that are not static. It is valid until
 * diagnostics_free(). The same text is stored only once.
 */
const char *diagnostics_text(struct diagnostics *d, struct str text);
void diagnostics_free(struct diagnostics *d);

#endif
