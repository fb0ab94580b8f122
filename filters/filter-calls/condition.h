/* condition: conditions on a record as users write them: dur>10us, name=~^gemm, !corr. */
#ifndef CONDITION_H
#define CONDITION_H

#include "base/err.h"
#include "record/event.h"

/*
 * Compiles FIELD, !FIELD, or FIELD OP VALUE with OP one of == != < <= > >= =~ !~. The field ends at
 * the first operator; spaces round the operator do not count; VALUE may stand in quotes, which makes a
 * number a text. NULL with f->what and f->at.byte (from 0, into text) when it is no condition. `text`
 * must stay.
 */
struct condition *condition_new(const char *text, struct fault *f);
void condition_free(struct condition *c);

/* As condition_new(), ending the program with a message that names the option. */
struct condition *condition_option(const char *option, const char *text);

/*
 * Whether it holds for a record. A comparison with an absent field does not, != and !~ included; one
 * with a field that has several values (`[]`) does when it does for any of them.
 *
 * A VALUE that is a number compares as one with numbers, exactly, whatever their length, and for < <= > >= with
 * strings that hold one, other values being neither less nor more. In all other cases texts compare, byte by byte:
 * what a string says, anything else as it stands in the record.
 */
bool condition_holds(struct condition *c, struct event *e);

/* After the input: a hint on standard error when no record had the field, if the condition asks for it. */
void condition_hint(struct condition *c);

#endif
