/* field_private: what the files of field share. */
#ifndef FIELD_PRIVATE_H
#define FIELD_PRIVATE_H

#include "record/field.h"

enum {
	FIELD_FRACTION = 9,              /* decimals of a bucket's width that is not whole */
	FIELD_FRACTION_ONE = 1000000000, /* 10^FIELD_FRACTION */
	FIELD_HINT_RECORDS = 64,         /* records whose names are gathered for a hint */
};

struct field_step {
	struct str key;
	bool each; /* `key[]`: every element in turn */
};

static inline bool field_has_steps(const struct field *f)
{
	return f->n_steps > 1 || f->each;
}

/* --- field_find.c: members that a record holds --- */

/*
 * The members that one pass over a record finds: the one with the whole name of the reference, the one with the name
 * of the first of several steps, and args. p is NULL where there is none.
 */
struct field_top {
	struct str whole, first, args;
};

void field_find_top(struct field *f, struct event *e, struct field_top *top);

/* Returns the text of a member, the last of several; p is NULL when `object` has none or is not an object. */
struct str field_find_member(struct field *f, struct event *e, struct str object, struct str name);

/* Adds all values of the reference in a record to f->all. */
void field_find_all(struct field *f, struct event *e);

/* --- field_computed.c: values that it does not hold, and buckets --- */

/*
 * Gets the value of `end` or `short`: from a member of that name at the top level, else computed, else from a member
 * of args. False when there is none.
 */
bool field_get_computed(struct field *f, struct event *e, struct value *v);

/* Replaces a number by the lower edge of its bucket; false when v is not a number or the edge is beyond int64. */
bool field_to_bucket(struct field *f, struct value *v);

/* Frees the short forms of names that field_get_computed() stored. */
void field_free_short_forms(struct field *f);

/* --- field_near.c --- */

/* Adds the names of the record's members to f->near, for filter_hint_field(). */
void field_note_names(struct field *f, struct event *e);

#endif
