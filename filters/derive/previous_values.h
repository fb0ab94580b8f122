/* previous_values: the values of fields in the preceding record of each group. */
#ifndef PREVIOUS_VALUES_H
#define PREVIOUS_VALUES_H

#include "record/field.h"
#include "result.h"

/* Zero-initialise; previous_values_free(). Use for each record: previous_values_next(), previous_values_keep(). */
struct previous_values {
	struct previous_value {
		struct field field;
		char *spec;           /* the text of `field` */
		struct result value;  /* in the preceding record; valid until previous_values_keep() */
		struct value current; /* in this record */
	} *list;
	size_t n;
	/* private */
	size_t cap, n_groups, groups_cap;
	struct buf *texts; /* n for each group */
	size_t group;
};

/* Adds a field and its text, which previous_values_free() frees. All fields are added before the first record. */
void previous_values_add(struct previous_values *p, struct field field, char *spec);
void previous_values_free(struct previous_values *p);

/* Sets the values of the preceding record of a group. Groups are numbered from 0. */
void previous_values_next(struct previous_values *p, struct event *e, size_t group);

/* Stores the values of the record that previous_values_next() was called with. */
void previous_values_keep(struct previous_values *p);

#endif
