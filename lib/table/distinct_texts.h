/* distinct_texts: shows texts in a limited width so that different texts look different. */
#ifndef DISTINCT_TEXTS_H
#define DISTINCT_TEXTS_H

#include "base/map.h"
#include "base/mem.h"

/* Different texts, numbered in the order in which they were added. Zero-initialise. */
struct distinct_texts {
	size_t n;
	/* private */
	struct distinct_text *list;
	size_t cap;
	struct distinct_form *forms; /* by number */
	struct map texts, briefs;    /* texts: pairs of a short form and a whole text */
	struct buf pair, text;       /* scratch for a pair; the text of all forms */
};

/*
 * Adds a copy of a text unless it was added before, and returns its number. `brief` is a short form of `whole`, or
 * equal to it; texts with different short forms are different.
 */
size_t distinct_texts_add(struct distinct_texts *d, struct str brief, struct str whole);

/* Returns the number of a text, or MAP_NONE if it was not added. */
size_t distinct_texts_find(struct distinct_texts *d, struct str brief, struct str whole);

/* Returns the short form of a text, valid until distinct_texts_free(). */
struct str distinct_texts_brief(const struct distinct_texts *d, size_t number);

/*
 * Returns the number of columns of the widest text that shares its short form with another text: at most `more` columns
 * are for the parts in which they differ. Returns 0 if there is no such text.
 */
size_t distinct_texts_widest(struct distinct_texts *d, size_t more);

/* Appends the text of a number, cut to at most `width` columns. `brief` is its short form. */
typedef void distinct_texts_cutter(void *arg, struct buf *to, size_t number, struct str brief, size_t width);

/*
 * Chooses the forms of all texts, once. A text that, when cut, does not look like another text gets no form. Other
 * forms show the beginning, as much as fits around each place where similar texts differ, and the end.
 */
void distinct_texts_fit(struct distinct_texts *d, size_t width, distinct_texts_cutter *cut, void *arg);

/* Returns the form of the text with this number; empty if it is shown as usual, cut, or if the number is MAP_NONE. */
struct str distinct_texts_form(const struct distinct_texts *d, size_t number);

void distinct_texts_free(struct distinct_texts *d);

#endif
