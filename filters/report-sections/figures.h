/* figures: values with names, expressions that compute them, and texts that name them in braces. */
#ifndef FIGURES_H
#define FIGURES_H

#include "expression/expression.h"

/* Zero-initialise; figures_free(). */
struct figures {
	struct expression_scope scope;
	const char *place; /* the section file, for messages about expressions that are invalid */
};

/* Copies all figures with a value, for a scope of its own. */
void figures_copy(struct figures *f, const struct figures *from);
void figures_free(struct figures *f);

/* Stores a copy of a value. A value that FAILED becomes ABSENT. */
void figures_set(struct figures *f, struct str name, struct result value);

/* Sets a figure for each member of a record. */
void figures_set_members(struct figures *f, struct str record);

/* Returns a value, which is valid until it is set again. */
struct result figures_get(struct figures *f, struct str name);

/* Returns the value of an expression about figures. Valid until the next call. */
struct result figures_value(struct figures *f, struct str expression);

/* The same as a number. Returns false if the expression has no value. */
bool figures_number(struct figures *f, struct str expression, long double *number);

/* Returns whether an expression is a number other than 0; an empty text is true. */
bool figures_hold(struct figures *f, struct str expression);

/* Compiles an expression in a scope; exits when it is invalid. The caller frees it. */
struct expression *figures_compile(const struct figures *f, struct expression_scope *s, struct str text);

/* Splits "NAME = EXPR"; exits when the text has another form. */
struct str figures_split(const struct figures *f, struct str text, struct str *expression);

enum figures_form {
	FIGURES_PLAIN,
	FIGURES_SHELL,      /* each value is quoted, as one word of a shell, except {name:words} */
	FIGURES_EXPRESSION, /* a value is written as a constant; one that is absent becomes if(0,0) */
	/*
	 * A text of a report (report(5)), which keeps its braces: only {name:words} is replaced by the text of the
	 * figure, and {name:unit one|many} by {name:unit} and the word for this number.
	 */
	FIGURES_TEXT,
};

/*
 * Appends the text with values in place of {name}. For a TEXT, appends the figures that it names to the members of a
 * record, unless they are there. Returns false if a figure is absent.
 */
bool figures_expand(struct figures *f, struct buf *b, struct str text, enum figures_form form, struct buf *members);

/* Returns the expanded text as a C string, which the caller frees. */
char *figures_text(struct figures *f, struct str text, enum figures_form form);

#endif
