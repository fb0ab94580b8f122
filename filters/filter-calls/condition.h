/* condition: tests a record against a condition as users write it: dur>10us, name=~^gemm, !corr. */
#ifndef CONDITION_H
#define CONDITION_H

#include "base/err.h"
#include "record/event.h"

/*
 * Compiles FIELD, !FIELD, or FIELD OP VALUE with OP one of == != < <= > >= =~ !~. The field ends at the first operator;
 * spaces around the operator are ignored; VALUE may be in quotes, which make a number a text. Returns NULL and sets
 * f->what and f->at.byte (from 0, in text) when the text is not a condition. `text` must stay valid as long as the
 * condition.
 */
struct condition *condition_new(const char *text, struct fault *f);
void condition_free(struct condition *c);

/*
 * Does the same as condition_new(), but ends the program with a message that names the option when the text is not
 * valid.
 */
struct condition *condition_option(const char *option, const char *text);

/*
 * Returns true if the condition holds for a record. A comparison with an absent field does not hold, including != and
 * !~; a comparison with a field that has several values (`[]`) holds if it holds for any of them.
 *
 * A VALUE that is a number is compared as a number with numbers, exactly and at any length, and for < <= > >= also with
 * strings that hold a number; other values are neither less nor greater. All other comparisons compare texts byte by
 * byte: the content of a string, and the text in the record of any other value.
 */
bool condition_holds(struct condition *c, struct event *e);

/*
 * Call it after the input: prints a hint on standard error when no record had the field, if the condition needs the
 * field.
 */
void condition_hint(struct condition *c);

#endif
