/* distinct_texts: chooses how to show texts in a limited width so that different texts look different. */
#ifndef DISTINCT_TEXTS_H
#define DISTINCT_TEXTS_H

#include "table/alike_texts.h"

struct distinct_form;

/* The forms of texts. Zero-initialise. */
struct distinct_texts {
	/* private */
	struct distinct_form *forms;
	struct buf text;
};

/* Appends a text cut to at most `width` columns: text_cut_middle() or text_cut_end(). */
typedef void distinct_texts_cutter(struct buf *to, struct str s, size_t width);

/*
 * Chooses the forms of n texts. The number and the group of list[i] are i; its other public members are set too. A text
 * whose `brief`, when cut, does not look like another text gets no form. The list is reordered. `d` must be empty.
 */
void distinct_texts_choose(
    struct distinct_texts *d, struct alike_text *list, size_t n, size_t width, distinct_texts_cutter *cut);

/* Returns the form of the text with this number; empty if the text is shown as usual: `brief`, cut. */
struct str distinct_texts_form(const struct distinct_texts *d, size_t number);

void distinct_texts_free(struct distinct_texts *d);

#endif
