/* previous_values: the values of fields in the preceding record, or in the first record, of each group. */
#ifndef PREVIOUS_VALUES_H
#define PREVIOUS_VALUES_H

#include "record/field.h"
#include "expression/result.h"

/*
 * Zero-initialise; previous_values_free(). For each record, call previous_values_next() first and
 * previous_values_keep() last.
 */
struct previous_values {
	struct previous_value {
		struct field field;
		char *spec; /* the text of `field` */
		/* for --first: `value` is from the first record with the field, which can be the current record */
		bool first;
		/* the value in the preceding or first record of the group; valid until previous_values_keep() */
		struct result value;
		struct value current; /* the value in the current record */
	} * list;
	size_t n;
	/* private */
	size_t cap, n_groups, groups_cap;
	struct buf *texts; /* for each group, n values as JSON, for the next record of the group */
	size_t group;
};

/* Adds a field and its text; previous_values_free() frees both. Add all fields before the first record. */
void previous_values_add(struct previous_values *p, struct field field, char *spec, bool first);
void previous_values_free(struct previous_values *p);

/*
 * Sets the member `value` of each element of the list, for a record of this group. `group` is an index: 0 for the first
 * group.
 */
void previous_values_next(struct previous_values *p, struct event *e, size_t group);

/* Stores the values of the record that was passed to previous_values_next(). */
void previous_values_keep(struct previous_values *p);

#endif
