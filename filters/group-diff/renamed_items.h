/* renamed_items: finds the items of one run that are those of another run under another name. */
#ifndef RENAMED_ITEMS_H
#define RENAMED_ITEMS_H

#include "base/str.h"

#include <stdbool.h>

/* An item that only one of two runs has. */
struct renamed_item {
	struct str name;
	size_t kind, parent; /* numbers: an item and its new name have the same; parent 0: unknown */
	double calls;        /* in a step, multiplied by the same number in both runs */
	double total;        /* of its values */
	bool gone;           /* only the first run has it */
	/* found */
	size_t with;     /* the index of the other item, or SIZE_MAX */
	const char *how; /* "renamed" or "replaced" */
};

/*
 * Pairs items that are gone with items that are new, of the same kind, parent and number of calls, each item once. The
 * most similar names come first, then the larger totals. Similarity is the share of the words of both names that are in
 * both; words are runs of letters, in lower case, split before a capital after a small letter. Two items are "renamed"
 * if it is at least 1/2; otherwise they are "replaced" if they are the only ones under a parent that is known. Items
 * that have more than 100,000 possible pairs with the same parent and calls are left alone.
 */
void renamed_items_find(struct renamed_item *items, size_t n);

#endif
