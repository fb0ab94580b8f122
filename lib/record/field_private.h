/* field_private: declarations shared by the files of field. */
#ifndef FIELD_PRIVATE_H
#define FIELD_PRIVATE_H

#include "base/mem.h"
#include "record/field.h"

enum {
	/* number of decimals that are stored if the width of a bucket is not an integer */
	FIELD_FRACTION = 9,
	FIELD_FRACTION_ONE = 1000000000, /* 10^FIELD_FRACTION */
	FIELD_HINT_RECORDS = 64,         /* number of records whose names are collected for a hint */
};

struct field_step {
	struct str key;
	bool each; /* `key[]`: all elements, one after the other */
};

static inline struct field_step *field_add_step(struct field *f)
{
	f->steps = mem_grow(f->steps, &f->steps_cap, f->n_steps + 1, sizeof *f->steps);
	return &f->steps[f->n_steps++];
}

static inline bool field_has_steps(const struct field *f)
{
	return f->n_steps > 1 || f->each;
}

/* --- field_find.c: finds members of a record --- */

/*
 * The members that one pass over a record finds. `whole`: the member whose name is the whole name of the reference;
 * `first`: the member whose name is the first of several steps; `args`: the member args. For an absent member, p is
 * NULL.
 */
struct field_top {
	struct str whole, first, args;
};

void field_find_top(struct field *f, struct event *e, struct field_top *top);

/*
 * Returns the text of a member, the last one if it occurs several times; p is NULL when `object` does not have it or
 * is not an object.
 */
struct str field_find_member(struct field *f, struct event *e, struct str object, struct str name);

/* Adds all values that the reference finds in a record to f->all. */
void field_find_all(struct field *f, struct event *e);

/* --- field_computed.c: computes values that are not in a record, and buckets --- */

/*
 * Gets the value of `end` or `short`: from a member of that name at the top level; if the record has no such member,
 * computes it; if that is impossible, takes it from a member of args. Returns false when no value is found.
 */
bool field_get_computed(struct field *f, struct event *e, struct value *v);

/*
 * Replaces a number by the lower edge of its bucket. Returns false when v is not a number or the edge is outside int64.
 */
bool field_to_bucket(struct field *f, struct value *v);

/* Frees the short forms of names that field_get_computed() stored. */
void field_free_short_forms(struct field *f);

/* --- field_quote.c --- */

/* Returns whether a part of the reference begins with a quote. */
bool field_has_quotes(struct str text);

/*
 * Sets spec, name and steps from a reference with quotes; its /WIDTH, if any, begins at text[slash]. Returns false and
 * sets *fault when the reference is invalid.
 */
bool field_compile_quoted(struct field *f, struct str text, size_t slash, struct fault *fault);

/* --- field_names.c --- */

/*
 * Returns the offset of the '/' of a bucket; spec.n when spec is not a bucket. Names may contain a '/' ("memory
 * bandwidth (GB/s)"): only the last '/' can begin a width, and only if the beginning of a number follows it.
 */
size_t field_find_slash(struct str spec);

/* --- field_near.c --- */

/* Adds the names of the record's members to f->near, for filter_hint_field(). */
void field_note_names(struct field *f, struct event *e);

#endif
