/* cond: conditions on a record as users write them: dur>10us, name=~^gemm, !corr. */
#ifndef COND_H
#define COND_H

#include "record/field.h"
#include "record/match.h"

enum cond_test {
	COND_PRESENT,
	COND_ABSENT,
	COND_EQ,
	COND_NE,
	COND_LT,
	COND_LE,
	COND_GT,
	COND_GE,
	COND_LIKE,   /* =~ */
	COND_UNLIKE, /* !~ */
};

struct cond {
	enum cond_test test;
	struct field field;
	char *spec;          /* field's text */
	struct str value;    /* what stands behind the operator, without its quotes; in the caller's text */
	bool number;         /* it is one */
	bool whole;          /* within int64: `wanted`, in base units */
	int64_t wanted;
	size_t unitless_n;   /* 0: it has no unit; else its text in base units is in `unitless` */
	char unitless[NUM_ROOM];
	struct match regex;
	struct buf text;     /* of a string with escapes, while it is compared */
};

/*
 * Compiles FIELD, !FIELD, or FIELD OP VALUE with OP one of == != < <= > >= =~ !~. The field ends at
 * the first operator; spaces round the operator do not count; VALUE may stand in quotes, which makes a
 * number a text. False with f->what and f->byte (from 0, into text) when it is no condition. `text`
 * must stay.
 */
bool cond_compile(struct cond *c, const char *text, struct fault *f);

/* As cond_compile(), ending the program with a message that names the option. */
void cond_option(struct cond *c, const char *option, const char *text);

/*
 * Whether it holds for a record. A comparison with an absent field does not, != and !~ included; one
 * with a field that has several values (`[]`) does when it does for any of them.
 *
 * A VALUE that is a number compares as one with numbers, exactly, whatever their length, and for < <= > >= with strings that hold one,
 * other values being neither less nor more. In all other cases texts compare, byte by byte: what a
 * string says, anything else as it stands in the record.
 */
bool cond_holds(struct cond *c, struct event *e);

void cond_free(struct cond *c);

#endif
