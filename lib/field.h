/* field: references to what a record holds, as users write them, and the values they give. */
#ifndef FIELD_H
#define FIELD_H

#include "event.h"
#include "map.h"
#include "num.h"

enum value_type {
	VALUE_NONE,   /* absent */
	VALUE_INT,    /* a whole number within int64: i, and d the nearest double */
	VALUE_REAL,   /* any other finite number: d */
	VALUE_STRING, /* text has its quotes */
	VALUE_OTHER,  /* true, false, null, an object, an array */
};

/* A value, and its JSON text in the record, in field->text, or static. */
struct value {
	enum value_type type;
	int64_t i;
	double d;
	struct str text;
};

enum field_base { FIELD_PLAIN, FIELD_TIME /* ns */, FIELD_SIZE /* bytes */ };

struct field_step {
	struct str key;
	bool each; /* `key[]`: every element in turn */
};

/*
 * A compiled reference: a member, else one of args; `a.b` goes deeper; the whole text is tried as a
 * member's name first; `end` and `short` are computed; `FIELD/WIDTH` with an optional unit is a bucket
 * (its lower edge). Zero-initialise nothing: field_compile() fills it.
 */
struct field {
	const char *spec;         /* as the user wrote it; the caller's, and the name of columns */
	struct str name;          /* spec without the /WIDTH */
	enum event_member member; /* EVENT_N when it is no standard one */
	enum { FIELD_MEMBER, FIELD_END, FIELD_SHORT } computed;
	enum field_base base;
	int64_t width;            /* of the bucket, 0 for none */
	struct field_step *steps; /* the name at its dots */
	size_t n_steps;
	bool each;                /* any step is */
	uint64_t found, records;  /* in how many records of how many it was present */
	struct map near;          /* names that absent-minded records had, for field_hints() */
	struct buf text;          /* of computed values; until the next field_get() */
};

/*
 * False, with f->what and f->byte (from 0, into spec), when it is not a reference: empty, an empty
 * step, a width that is not a positive number, a unit that is none. `spec` must stay.
 */
bool field_compile(struct field *f, const char *spec, struct fault *fault);

/* As field_compile(), ending the program with a message that names the option. */
void field_option(struct field *f, const char *option, const char *spec);

/*
 * The value in a record; false when absent (v->type is VALUE_NONE). A reference with `[]` has several:
 * `i` counts them from 0, and false comes after the last; others have one, i = 0.
 */
bool field_get(struct field *f, struct event *e, size_t i, struct value *v);

/* What JSON text says as a value. */
void value_of(struct value *v, struct str json);

/*
 * A kernel's or function's name without return type, arguments and template arguments:
 * "void at::native::foo<float, 4>(int)" gives "at::native::foo". A view into the name.
 */
struct str field_short_name(struct str name, struct buf *scratch);

/* At the end: one line on stderr for each field that no record had, naming the nearest one seen. */
void field_hints(struct field *const *fields, size_t n);

#endif
