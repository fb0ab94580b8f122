/* expression: arithmetic on the fields of a record; compiled once to a list of instructions. */
#ifndef EXPRESSION_H
#define EXPRESSION_H

#include "record/field.h"
#include "expression/result.h"

struct expression;

/* A field that expressions read. It is read at most once per record. */
struct expression_field {
	struct field field;
	bool late;       /* computed from members that earlier assignments set, so it cannot be read ahead */
	bool needed;     /* every record needs it, so a hint is printed if no record has it */
	uint64_t record; /* number of the record that `value` belongs to */
	struct result value;
	struct buf room; /* scratch space of a late field */
};

/* Fields of the record and assigned names, for expressions. Zero-initialise; expression_scope_free(). */
struct expression_scope {
	struct expression_field *fields;
	size_t n_fields;
	/* Assigned names. The caller sets `visible`, `record` and `value`. */
	struct expression_name {
		struct str name;
		enum event_member member; /* EVENT_N when it is not a standard member */
		bool visible;             /* set by an assignment that precedes the expression being compiled */
		uint64_t record;          /* number of the record in which `value` was assigned */
		struct result value;
	} * names;
	size_t n_names;
	uint64_t record; /* number of the current record, from 1 */
	/* private */
	size_t fields_cap, names_cap;
};

/* Returns the index of a name. A new name is copied and added. */
size_t expression_scope_name(struct expression_scope *s, struct str name);
void expression_scope_free(struct expression_scope *s);

/*
 * Compiles the expression that begins at text[at]. Returns NULL and sets f->what and f->at.byte (an offset in text)
 * when it is invalid.
 */
struct expression *expression_new(struct expression_scope *s, struct str text, size_t at, struct fault *f);
void expression_free(struct expression *x); /* x may be NULL */

/*
 * Returns the value for a record. If a part is ABSENT or FAILED, so is the value; default() can replace an ABSENT part.
 */
struct result expression_value(struct expression *x, struct expression_scope *s, struct event *e);

#endif
