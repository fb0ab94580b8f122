/* text_lookup: finds texts in a table by one or two numbers. The most recent ones are in memory, up to 8 MiB. */
#ifndef TEXT_LOOKUP_H
#define TEXT_LOOKUP_H

#include "database.h"

enum { TEXT_LOOKUP_SLOTS = 4096 };

struct text_lookup_slot {
	int64_t a, b;
	struct buf text; /* n == 0: the slot is free */
};

/* Zero-initialise. */
struct text_lookup {
	struct reader *reader;
	struct query *query; /* NULL when the table does not exist */
	struct text_lookup_slot *slots;
	size_t bytes; /* size of all texts that were stored since the slots were emptied */
};

/* `sql` selects the text by the parameter ?1, or by ?1 and ?2. */
void text_lookup_open(struct text_lookup *t, struct database *db, struct reader *r, struct str sql);

/*
 * Returns the text for the numbers a and b (0 if the query has only ?1) as JSON, valid until the next call. p is NULL
 * if the text is absent, or if it cannot be read, which is counted as lost at r->line of r->file.
 */
struct str text_lookup_get(struct text_lookup *t, int64_t a, int64_t b);

void text_lookup_close(struct text_lookup *t);

#endif
