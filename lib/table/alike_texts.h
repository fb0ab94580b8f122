/* alike_texts: texts that would look the same when they are short or cut, shown by the parts that differ. */
#ifndef ALIKE_TEXTS_H
#define ALIKE_TEXTS_H

#include "base/mem.h"
#include "base/str.h"

#include <stdbool.h>

enum { ALIKE_TEXTS_PLACES = 16 }; /* in a text where it is told from others, at most */

/* One of the texts. */
struct alike_text {
	size_t number;            /* the caller's */
	struct str brief;         /* the short form of a name, or the text */
	struct str text;          /* its parts are shown: `brief`, or the signature where `more` */
	bool more;                /* others have the same `brief` */
	size_t group;             /* the same for texts that would look the same */
	/* private */
	size_t places[ALIKE_TEXTS_PLACES], n; /* where it differs from others of its group, ascending */
};

/* A function's name with all that its short form lacks, but no return type. */
struct str alike_texts_signature(struct str whole, struct str brief);

/* Sorts texts by group, and by text within a group. */
void alike_texts_sort(struct alike_text *list, size_t n);

/* Finds the places of the n texts of a group, which are sorted. */
void alike_texts_compare(struct alike_text *group, size_t n);

/*
 * Appends what is shown of a text in `width` columns: its beginning, as much around each of its places as fits, and its
 * end unless `more`. Drops its last places when they do not all fit.
 */
void alike_texts_put(struct buf *to, struct alike_text *a, size_t width);

#endif
