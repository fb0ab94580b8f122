/* fields: lists of fields, as options take them: "comm,pid,tid". */
#ifndef FIELDS_H
#define FIELDS_H

#include "record/field.h"

/* Zero-initialise; fields_free() or keep it. */
struct fields {
	struct field *list;
	size_t n, cap;
	char **specs; /* the fields' texts */
	size_t specs_cap;
};

/*
 * Adds the fields of a list; a comma in a name is written as "\,". Ends the program, naming the option, at what
 * is none.
 */
void fields_option(struct fields *f, const char *option, const char *arg);

void fields_free(struct fields *f);

#endif
