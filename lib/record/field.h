/* field: references to the values of a record, as users write them, and the values found. */
#ifndef FIELD_H
#define FIELD_H

#include "base/map.h"
#include "json/value.h"
#include "record/event.h"

enum field_base { FIELD_PLAIN, FIELD_TIME /* ns */, FIELD_SIZE /* bytes */ };

struct field_step;
struct field_short_form;

/*
 * A compiled reference. It names a member of the record, else a member of args; `a.b` names a member of a member. The
 * whole text is tried as one member's name first. `end` and `short` are computed when the record has no such member.
 * `FIELD/WIDTH`, where the width may have a unit, is a bucket: the value is the lower edge, for numbers only; in a
 * record without the field, it is the member with that whole name, unchanged. A '/' is part of the name unless the
 * last one is followed by the beginning of a number. No initialisation is needed: field_compile() sets all members.
 */
struct field {
	/* The reference as the user wrote it, used as the name of columns; owned by the caller. */
	const char *spec;
	struct str name;          /* spec without the /WIDTH */
	enum event_member member; /* EVENT_N when it is not a standard member */
	enum field_base base;
	int64_t width;           /* of the bucket, 0 if it is not one; times 10^9 if `fraction` is set */
	bool each;               /* any step has `each` set */
	bool numeric;            /* set by callers that use numbers only, for filter_hint_field() */
	uint64_t found, records; /* number of records with the field, and of all records */
	uint64_t numbers;        /* number of values that were numbers */
	struct map near;         /* names of members of records without the field, for filter_hint_field() */
	struct str *all;         /* the values in the record of the last field_get() with i = 0 */
	size_t n_all;
	/* private */
	enum { FIELD_MEMBER, FIELD_END, FIELD_SHORT } computed;
	size_t cap_all;
	bool fraction;            /* the width is not an integer */
	struct field_step *steps; /* the name split at its dots */
	size_t n_steps;
	struct buf text, scratch; /* of computed values; valid until the next field_get() */
	const char *ahead;        /* the record that field_ahead() read, for the next field_get() */
	struct value computed_ahead;
	struct field_short_form *short_forms; /* short forms of names seen before */
};

/* --- field_names.c: parses references --- */

/*
 * Returns false and sets f->what and f->at.byte (from 0, in spec) when spec is not a reference: it is empty, has an
 * empty step, a width that is not a positive number, or an unknown unit. `spec` must remain valid.
 */
bool field_compile(struct field *f, const char *spec, struct fault *fault);

/*
 * Names of the fields that the user declares as times (--time) or sizes (--size). Zero-initialise; field_units_free().
 */
struct field_units {
	struct map times, sizes;
};

void field_units_free(struct field_units *u);

/*
 * Returns the measure of a field or column of that name: a time for ts, dur, end, delay ... or a name in given->times,
 * a size for bytes or a name in given->sizes; also when an aggregate follows the name (dur_sum). `given` may be NULL.
 */
enum field_base field_base(struct str name, const struct field_units *given);

/* --- field.c: gets the values from a record --- */

void field_free(struct field *f);

/*
 * Gets a value from a record; false when it is absent (v->type is VALUE_NONE). A reference with `[]` has several
 * values: `i` counts them from 0, and false is returned after the last. Other references have one value, i = 0. Call
 * it with i = 0 first, once per record. In a bucket, values that are not numbers count as absent.
 */
bool field_get(struct field *f, struct event *e, size_t i, struct value *v);

/*
 * Finds the values that field_get() will return. Checks them and the text that is read to find them: sets e->broken
 * when any of it is not JSON. For input.reads; the next field_get() with i = 0 must be for the same record.
 */
void field_look_ahead(struct field *f, struct event *e);
static inline void field_ahead(struct field *f, struct event *e)
{
	/* All members that were read are checked, except the contents of args and src. */
	if (f->member >= EVENT_ARGS || !event_has(e, f->member))
		field_look_ahead(f, e);
}

#endif
