/* terminal_names: fits the texts of a column into a width, so that different texts look different. */
#ifndef TERMINAL_NAMES_H
#define TERMINAL_NAMES_H

#include "table/distinct_texts.h"

/* A list of texts. Zero-initialise. */
struct terminal_names {
	size_t n;
	/* private */
	struct terminal_name *list;
	size_t cap, width;
	struct buf text;
	struct distinct_texts forms;
};

/*
 * Adds a text; both views are copied. `whole` is the text that `shown` is a short form of, or empty. If several texts
 * have the same short form, parts of the whole texts are shown.
 */
void terminal_names_add(struct terminal_names *names, struct str shown, struct str whole);

/* Returns the number of columns of the widest text. */
size_t terminal_names_widest(const struct terminal_names *names);

/* Fits all texts into `width` columns. */
void terminal_names_fit(struct terminal_names *names, size_t width);

/* Returns the i-th text as it is shown; it may be in *room, which is overwritten. */
struct str terminal_names_get(const struct terminal_names *names, size_t i, struct buf *room);

void terminal_names_free(struct terminal_names *names);

#endif
