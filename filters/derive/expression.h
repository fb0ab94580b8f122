/* expression: arithmetic on the fields of a record; compiled once to a list of instructions. */
#ifndef EXPRESSION_H
#define EXPRESSION_H

#include "record/field.h"
#include "result.h"

struct expression;

/* A field that expressions read. It is read at most once a record. */
struct expression_field {
	struct field field;
	char *spec;      /* the text of `field` */
	bool late;       /* it is computed from members that were assigned before: cannot be read ahead */
	bool needed;     /* it is read in every record, so that its absence from all of them is worth a hint */
	uint64_t record; /* the record that `value` is from */
	struct result value;
	struct buf room; /* of a late field */
};

/*
 * What the expressions of a program refer to: fields of the record, and the names that have been assigned. Zero-
 * initialise; expression_scope_free().
 */
struct expression_scope {
	struct expression_field *fields;
	size_t n_fields;
	/* By name: its text and its value in this record. The caller sets them. */
	struct expression_name {
		struct str name;
		enum event_member member; /* EVENT_N when it is not a standard member */
		bool visible;             /* it was assigned before the expression that is being compiled */
		uint64_t record;          /* the record in which `value` was assigned */
		struct result value;
	} *names;
	size_t n_names;
	uint64_t record; /* number of the current record, from 1 */
	/* private */
	size_t fields_cap, names_cap;
};

/* Returns the number of a name, which is added when it is new; the text is copied. */
size_t expression_scope_name(struct expression_scope *s, struct str name);
void expression_scope_free(struct expression_scope *s);

/*
 * Returns the expression that begins at text[at]; NULL, with f->what and f->at.byte (from 0, in text), when it is
 * invalid.
 */
struct expression *expression_new(struct expression_scope *s, struct str text, size_t at, struct fault *f);
void expression_free(struct expression *x); /* x may be NULL */

/* Returns the value for a record. A part that is ABSENT or FAILED makes the value ABSENT or FAILED. */
struct result expression_value(struct expression *x, struct expression_scope *s, struct event *e);

#endif
