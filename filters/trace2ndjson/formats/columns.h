/*
 * columns: the columns of a table, or the members of an object, that become the fields of a row. A format has one list
 * with a row for each field; its readers find the field of a column in it.
 */
#ifndef COLUMNS_H
#define COLUMNS_H

#include "base/str.h"

/* The maximum number of sets of names, and of all names in a list. */
enum { COLUMN_NAME_SETS = 3, COLUMN_NAMES = 192, COLUMN_CHAINS = 256 };

/* The row of a field: the columns that have its value. */
struct columns_row {
	/*
	 * By set, since the outputs of a tool, or nested objects, have different names for a field: names separated by
	 * spaces, preferred ones first; or NULL.
	 */
	const char *names[COLUMN_NAME_SETS];
	unsigned char type; /* how the format checks and stores a value; a number of the format */
};

/* Define it as static, with the first two members set. */
struct columns {
	const struct columns_row *list; /* indexed by field */
	size_t n;                       /* less than 256 */
	/* private */
	struct columns_name {
		struct str name;
		unsigned char set, field, next;
	} names[COLUMN_NAMES];
	unsigned char names_n, first[COLUMN_CHAINS];
};

/* Private: makes the chains of names. */
void columns_prepare(struct columns *c);

/* Private: most names of a chain have the same first character and length. */
static inline size_t columns_chain(struct str name)
{
	return ((unsigned char)name.p[0] * 13u + name.n) % COLUMN_CHAINS;
}

/* Returns the field of the column with a name of that set; c->n if the column has none. */
static inline size_t columns_find(struct columns *c, unsigned set, struct str name)
{
	const struct columns_name *known;
	size_t i;

	if (!c->names_n)
		columns_prepare(c);
	for (i = name.n ? c->first[columns_chain(name)] : 0; i; i = known->next) {
		known = &c->names[i - 1];
		if (known->name.n == name.n && known->set == set && memcmp(known->name.p, name.p, name.n) == 0)
			return known->field;
	}
	return c->n;
}

#endif
