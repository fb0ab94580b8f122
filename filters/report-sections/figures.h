/* figures: values with names, expressions that compute them, and texts that name them in braces. */
#ifndef FIGURES_H
#define FIGURES_H

#include "expression/expression.h"

/* Zero-initialise; figures_free(). */
struct section_figures {
	struct expression_scope scope;
	const char *place; /* the file, for messages about expressions that are invalid */
};

/* Copies all figures with a value, for a scope of its own. */
void figures_copy(struct section_figures *to, const struct section_figures *from);
void figures_free(struct section_figures *f);

/* Stores a copy of a value. A value that FAILED becomes ABSENT. */
void figures_set(struct section_figures *f, struct str name, const struct result *value);

/* Compiles an expression; exits when it is invalid. The caller frees it. */
struct expression *figures_compile(struct section_figures *f, struct str text);

/* Returns the value of an expression that reads the fields of a record; e may be NULL. Valid until the next call. */
struct result figures_value(struct section_figures *f, struct str text, struct event *e);

/* Returns whether an expression is a number other than 0; an empty text is true. */
bool figures_hold(struct section_figures *f, struct str text);

/* Splits "NAME = EXPR"; exits when the text has another form. */
struct str figures_split(const struct section_figures *f, struct str text, struct str *expression);

enum figures_form {
	FIGURES_PLAIN,
	FIGURES_SHELL,      /* each value is quoted, as one word of a shell */
	FIGURES_EXPRESSION, /* a value is written as in an expression; one that is absent becomes if(0,0) */
};

/* Appends the text with values in place of {name}; the value of {name:words} is never quoted. */
void figures_expand(struct section_figures *f, struct buf *b, struct str text, enum figures_form form);

/*
 * For a text of a report (report(5)): appends it to `b` with {name:unit one|many} replaced by {name:unit} and the word
 * for this number, and appends the members that it names to `members`, unless they are there. Returns false if a figure
 * is absent.
 */
bool figures_fill(struct section_figures *f, struct buf *b, struct str text, struct buf *members);

#endif
