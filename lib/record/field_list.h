/* field_list: lists of fields, as options take them: "comm,pid,tid". */
#ifndef FIELD_LIST_H
#define FIELD_LIST_H

#include "record/field.h"

/* Zero-initialise; field_list_free() or keep it. */
struct field_list {
	struct field *list;
	size_t n, cap;
	char **specs; /* the fields' texts */
	size_t specs_cap;
};

/*
 * Adds the fields of a list; a comma in a name is written as "\,". Ends the program, naming the option, at what
 * is none.
 */
void field_list_option(struct field_list *f, const char *option, const char *arg);

void field_list_free(struct field_list *f);

#endif
