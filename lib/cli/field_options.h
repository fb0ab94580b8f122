/* field_options: references to fields and lists of them, as options take them: "comm,pid,tid". */
#ifndef FIELD_OPTIONS_H
#define FIELD_OPTIONS_H

#include "cli/opt.h"
#include "record/field.h"

/* --time and --size, which set struct field_units. */
#define UNIT_OPTIONS(units) {unit_option_rows, units, unit_options_take}
extern const struct opt unit_option_rows[];
void unit_options_take(void *units, const struct opt_value *v);

/* Zero-initialise; field_list_free() or keep it. */
struct field_list {
	struct field *list;
	size_t n, cap;
	char **specs; /* the fields' texts */
	size_t specs_cap;
};

/* As field_compile(), ending the program with a message that names the option. */
void field_option(struct field *f, const char *option, const char *spec);

/* The message for `spec` that field_compile() refused; ends the program. */
_Noreturn void field_refused(const char *option, struct str spec, const struct fault *f);

/*
 * Adds the fields of a list; a comma in a name is written as "\,". Ends the program, naming the option, at the first
 * item that is not a field.
 */
void field_list_option(struct field_list *f, const char *option, const char *list);

void field_list_free(struct field_list *f);

#endif
