/* field: references to what a record holds, as users write them, and the values they give. */
#ifndef FIELD_H
#define FIELD_H

#include "base/map.h"
#include "json/value.h"
#include "record/event.h"

enum field_base { FIELD_PLAIN, FIELD_TIME /* ns */, FIELD_SIZE /* bytes */ };

struct field_step;
struct field_short_form;

/*
 * A compiled reference: a member, else one of args; `a.b` goes deeper; the whole text is tried as a
 * member's name first; `end` and `short` are computed where the record has no such member;
 * `FIELD/WIDTH` with an optional unit is a bucket (its lower edge, numbers only), or, in a record without
 * the field, a member of that whole name as it is. A '/' belongs to the name unless what begins as a
 * number stands behind the last one. Zero-initialise nothing:
 * field_compile() fills it.
 */
struct field {
	const char *spec;         /* as the user wrote it; the caller's, and the name of columns */
	struct str name;          /* spec without the /WIDTH */
	enum event_member member; /* EVENT_N when it is no standard one */
	enum field_base base;
	int64_t width;            /* of the bucket, 0 for none; times 10^9 with `fraction` */
	bool each;                /* any step is */
	bool numeric;             /* set by those who look at numbers only, for filter_hint_field() */
	uint64_t found, records;  /* in how many records of how many it was present */
	uint64_t numbers;         /* how many of the values were numbers */
	struct map near;          /* names that records without the field had, for filter_hint_field() */
	struct str *all;          /* the values in the record field_get() was last asked of with i = 0 */
	size_t n_all;
	/* private */
	enum { FIELD_MEMBER, FIELD_END, FIELD_SHORT } computed;
	size_t cap_all;
	bool fraction;            /* the width is no whole number */
	struct field_step *steps; /* the name at its dots */
	size_t n_steps;
	struct buf text, scratch; /* of computed values; until the next field_get() */
	const char *ahead;        /* the record in which field_ahead() found them, for the next field_get() */
	struct value computed_ahead;
	struct field_short_form *short_forms; /* short forms of names seen before */
};

/* --- field_names.c: parsing references --- */

/*
 * False, with f->what and f->at.byte (from 0, into spec), when it is not a reference: empty, an empty
 * step, a width that is not a positive number, a unit that is none. `spec` must stay.
 */
bool field_compile(struct field *f, const char *spec, struct fault *fault);

/* Fields that the user says are times (--time) or sizes (--size), by name. Zero-initialise; field_units_free(). */
struct field_units {
	struct map times, sizes;
};

void field_units_free(struct field_units *u);

/*
 * What a field or column of that name measures: a time when it is ts, dur, end, delay ... or one of given->times, a size
 * when it is bytes or one of given->sizes; with an aggregate after the name too (dur_sum). `given` may be NULL.
 */
enum field_base field_base(struct str name, const struct field_units *given);

/* --- field.c: the values in a record --- */

void field_free(struct field *f);

/*
 * The value in a record; false when absent (v->type is VALUE_NONE). A reference with `[]` has several:
 * `i` counts them from 0, and false comes after the last; others have one, i = 0. Ask for i = 0 first,
 * once a record. In a bucket, what is no number is absent.
 */
bool field_get(struct field *f, struct event *e, size_t i, struct value *v);

/*
 * Looks for the values that field_get() will give, and checks them and what has to be passed to find them: e->broken
 * when any of it is not JSON. For input.reads; the next field_get() with i = 0 must be of the same record.
 */
void field_look_ahead(struct field *f, struct event *e);
static inline void field_ahead(struct field *f, struct event *e)
{
	/* What has been read is checked, except what is in args and src. */
	if (f->member >= EVENT_ARGS || !event_has(e, f->member))
		field_look_ahead(f, e);
}

#endif
