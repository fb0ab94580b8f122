/* argument_names: the names that the option --name gives to the arguments of kernels. */
#ifndef ARGUMENT_NAMES_H
#define ARGUMENT_NAMES_H

#include "base/mem.h"
#include "base/num_format.h"
#include "base/str.h"

/* Zero-initialise it. */
struct argument_names {
	/* private */
	struct argument_name *list;
	size_t n, cap;
};

/*
 * Adds the names of a list: "0=kSizeM,1=kSizeN". Ends the program with a message that names the option if the syntax is
 * wrong, if an argument gets two names, or if two arguments get the same name.
 */
void argument_names_add(struct argument_names *names, const char *option, const char *list);

/*
 * Returns the key of an argument in kargs, as JSON text without quotes: its name, or else its index, which is written
 * to `digits`. The name is valid until names are added.
 */
struct str argument_names_key(const struct argument_names *names, uint32_t index, char digits[NUM_ROOM]);

void argument_names_free(struct argument_names *names);

#endif
