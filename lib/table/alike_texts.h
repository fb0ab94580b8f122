/* alike_texts: finds and shows the different parts of texts that would look the same when shortened or cut. */
#ifndef ALIKE_TEXTS_H
#define ALIKE_TEXTS_H

#include "base/mem.h"
#include "base/str.h"

#include <stdbool.h>

enum { ALIKE_TEXTS_PLACES = 16 }; /* maximum number of places at which a text differs from others */

/* A text that may look like others. */
struct alike_text {
	size_t number;    /* set by the caller */
	struct str brief; /* the short form of a name; for other texts, the whole text */
	struct str text;  /* the text whose parts are shown: `brief`, or the signature if `more` is set */
	bool more;        /* at least one other text has the same `brief` */
	size_t group;     /* texts that would look the same have the same group */
	/* private */
	size_t places[ALIKE_TEXTS_PLACES], n; /* offsets where it differs from other texts of its group, ascending */
};

/*
 * Returns a function's full name, `whole`, without its return type: the text from the short form, `brief`, to the end.
 */
struct str alike_texts_signature(struct str whole, struct str brief);

/* Sorts texts by group, and by text within a group. */
void alike_texts_sort(struct alike_text *list, size_t n);

/* Finds the places where the n texts of a sorted group differ. */
void alike_texts_compare(struct alike_text *group, size_t n);

/*
 * Appends the display form of a text in `width` columns: its beginning, as much as fits around each place where it
 * differs from others, and its end unless `more` is set. If not all places fit, the last ones are not shown.
 */
void alike_texts_put(struct buf *to, struct alike_text *a, size_t width);

#endif
