/*
 * carried_fields: the option --take NAME=FIELD,...: values that a record gets from another record, such as the range
 * that encloses it, the call that launched it, or the record of a file with the same keys.
 */
#ifndef CARRIED_FIELDS_H
#define CARRIED_FIELDS_H

#include "record/input.h"

/* The row of --take in a table of options; `from` names the other record: "the innermost range". */
#define CARRIED_FIELDS_OPTION(letter, from)                                                                            \
	{                                                                                                              \
		letter, "take", OPT_TEXT("NAME=FIELD,..."), OPT_TAKE, "set each NAME to the FIELD of " from            \
	}

/* Zero-initialise. Free with carried_fields_free(), or keep it until the program exits. */
struct carried_fields {
	struct carried_field {
		struct field field; /* has one value in a record */
		char *name;         /* the name of the new member */
		struct buf key;     /* the name as it is written: ,"name": */
		bool put;           /* the last carried_fields_put() wrote the member */
	} * list;
	size_t n;
	/* private */
	size_t cap;
};

/*
 * Adds the items of a list NAME=FIELD,...; FIELD alone stands for FIELD=FIELD. Ends the program if an item is invalid
 * or if a name was added before.
 */
void carried_fields_add(struct carried_fields *c, const char *option, const char *list);

/*
 * Ends the program if one of the names is a standard member or is in `taken` (NULL-terminated), or cannot be written
 * by carried_fields_put(). Call it after the last carried_fields_add().
 */
void carried_fields_check(const struct carried_fields *c, const char *option, const char *const *taken);

/* Returns whether the last carried_fields_put() wrote a member of this name. */
bool carried_fields_have_put(const struct carried_fields *c, struct str name);

/*
 * Appends the members that another record gets from `e`, each preceded by a comma, for event_attach_write(). A field
 * that `e` lacks adds nothing: the other record keeps its member. After that, call input_valid().
 */
void carried_fields_put(struct carried_fields *c, struct buf *to, struct event *e);

/* Prints a hint for each field that no record had. */
void carried_fields_hint(const struct carried_fields *c);

void carried_fields_free(struct carried_fields *c);

#endif
