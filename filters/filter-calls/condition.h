/* condition: conditions on a record as users write them: dur>10us, name=~^gemm, !corr. */
#ifndef CONDITION_H
#define CONDITION_H

#include "base/num_format.h"
#include "record/field.h"
#include "record/name_match.h"

enum condition_test {
	CONDITION_PRESENT,
	CONDITION_ABSENT,
	CONDITION_EQ,
	CONDITION_NE,
	CONDITION_LT,
	CONDITION_LE,
	CONDITION_GT,
	CONDITION_GE,
	CONDITION_LIKE,   /* =~ */
	CONDITION_UNLIKE, /* !~ */
};

struct condition {
	enum condition_test test;
	struct field field;
	char *spec;          /* field's text */
	struct str value;    /* what stands behind the operator, without its quotes; in the caller's text */
	bool number;         /* it is one */
	bool whole;          /* within int64: `wanted`, in base units */
	int64_t wanted;
	size_t unitless_n;   /* 0: it has no unit; else its text in base units is in `unitless` */
	char unitless[NUM_ROOM];
	struct name_match regex;
	struct buf text;     /* of a string with escapes, while it is compared */
};

/*
 * Compiles FIELD, !FIELD, or FIELD OP VALUE with OP one of == != < <= > >= =~ !~. The field ends at
 * the first operator; spaces round the operator do not count; VALUE may stand in quotes, which makes a
 * number a text. False with f->what and f->at.byte (from 0, into text) when it is no condition. `text`
 * must stay.
 */
bool condition_compile(struct condition *c, const char *text, struct fault *f);

/* As condition_compile(), ending the program with a message that names the option. */
void condition_option(struct condition *c, const char *option, const char *text);

/*
 * Whether it holds for a record. A comparison with an absent field does not, != and !~ included; one
 * with a field that has several values (`[]`) does when it does for any of them.
 *
 * A VALUE that is a number compares as one with numbers, exactly, whatever their length, and for < <= > >= with
 * strings that hold one, other values being neither less nor more. In all other cases texts compare, byte by byte:
 * what a string says, anything else as it stands in the record.
 */
bool condition_holds(struct condition *c, struct event *e);

void condition_free(struct condition *c);

#endif
