/* field: references to values of a record, as users write them, and the values that they find. */
#ifndef FIELD_H
#define FIELD_H

#include "base/map.h"
#include "json/value.h"
#include "record/event.h"

enum field_base { FIELD_PLAIN, FIELD_TIME /* ns */, FIELD_SIZE /* bytes */ };

struct field_step;
struct field_short_form;

/*
 * A compiled reference. It names a member of the record or, if the record has no member of that name, a member of
 * args. `a.b` is the member with the name "a.b" if there is one, otherwise the member b of the member a. `end` and
 * `short` are computed when the record has no such member.
 *
 * `FIELD/WIDTH`, where the width may have a unit, is a bucket: its value is the lower edge of the bucket that contains
 * the number. In a record without FIELD, its value is the unchanged value of the member named "FIELD/WIDTH". Only the
 * last '/' can begin a width, and only if the beginning of a number follows it. Otherwise, the '/' is part of the name.
 *
 * A part in double quotes, written as a JSON string, is one name, whatever characters it contains. labels."app/name".x
 * is the member x of the member app/name of labels if there is one, otherwise the member whose name is the reference
 * without quotes. In quotes, `end` and `short` are never computed.
 *
 * No initialisation is needed: field_compile() sets all members.
 */
struct field {
	const char *spec;         /* the reference without quotes, used as the name of columns */
	struct str name;          /* spec without the /WIDTH */
	struct str asked;         /* the name as the user wrote it, with quotes */
	enum event_member member; /* EVENT_N when it is not a standard member */
	enum field_base base;     /* FIELD_PLAIN for all but standard members, `end` and members of `api` */
	int64_t width;            /* width of the bucket, times 10^9 if `fraction` is set; 0: not a bucket */
	bool each;                /* at least one step has `each` set */
	bool quoted;              /* a part is in quotes */
	bool null;                /* a record has the member, but its value is null */
	bool numeric;             /* set by callers that use only numbers; filter_hint_field() reads it */
	uint64_t found, records;  /* found: number of records that have the field; records: number of all records */
	uint64_t numbers;         /* number of the field's values that are numbers */
	struct map near;          /* names of members of records without the field, for filter_hint_field() */
	/* private */
	enum { FIELD_MEMBER, FIELD_END, FIELD_SHORT } computed;
	struct str *all; /* the values in the current record, found by field_get() with i = 0 */
	size_t n_all, cap_all;
	bool edge;                /* `all` is the value of the member named "FIELD/WIDTH" */
	bool fraction;            /* the width is not an integer */
	struct field_step *steps; /* the name split at its dots */
	size_t n_steps, steps_cap;
	struct str of_args;       /* for `NAME` and `args.NAME` of at least 3 bytes: NAME; otherwise n is 0 */
	struct buf plain;         /* the texts of spec and of asked */
	struct buf text, scratch; /* texts of computed values; valid until the next field_get() */
	const char *ahead;        /* the record that field_ahead() read, for the next field_get() */
	struct field_short_form *short_forms; /* short forms of names seen before */
};

/* --- references --- */

/*
 * Returns false and sets fault->what and fault->at.byte (an offset in spec) when spec is not a reference: it is empty,
 * or it has an empty step, a quoted part that is not a JSON string, a width that is not a positive number, or an
 * unknown unit. The field keeps a copy of spec.
 */
bool field_compile(struct field *f, struct str spec, struct fault *fault);

/* The fields that the user declares as times (--time) or sizes (--size). Zero-initialise; field_units_free(). */
struct field_units {
	struct map times, sizes;
};

void field_units_free(struct field_units *u);

/* --- parts of references in double quotes --- */

/* Returns the length of the quoted part at the beginning of text, including its quotes; 0 if text has no such part. */
size_t field_quoted(struct str text);

/* Returns the offset of the first byte of text that is one of `ends` and outside quoted parts; text.n if not found. */
size_t field_span(struct str text, const char *ends);

/* Appends a reference to the top-level member `name`, in quotes if it needs them. */
void field_quote(struct buf *b, struct str name);

/* Appends `name` as a part that follows a dot in a reference, in quotes if it needs them. */
void field_quote_part(struct buf *b, struct str name);

/* --- the values in a record --- */

void field_free(struct field *f);

/*
 * Gets the i-th value of a reference from a record. Returns false when the value is absent (v->type is VALUE_NONE). A
 * reference with `[]` may have several values, with i = 0, 1, 2 ...; any other reference has only one, with i = 0. For
 * each record, the first call must have i = 0, and all later calls must have a larger i. In a bucket, values that are
 * not numbers are treated as absent.
 */
bool field_get(struct field *f, struct event *e, size_t i, struct value *v);

/* The same for a caller that needs only the text of the value; it does not count the numbers among the values. */
bool field_get_text(struct field *f, struct event *e, size_t i, struct str *text);

/* Finds and checks the values for the next field_get() with i = 0. input_next() does this for registered fields. */
void field_look_ahead(struct field *f, struct event *e);
static inline void field_ahead(struct field *f, struct event *e)
{
	/* All members that were read are checked, except the contents of args and src. */
	if (f->member >= EVENT_ARGS || !event_has(e, f->member))
		field_look_ahead(f, e);
}

#endif
