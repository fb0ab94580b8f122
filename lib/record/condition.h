/* condition: tests a record against a condition as users write it: dur>10us, name=~^gemm, !corr. */
#ifndef CONDITION_H
#define CONDITION_H

#include "record/field.h"

/* Conditions of which all must hold. Zero-initialise; conditions_free(). */
struct conditions {
	struct condition **list;
	size_t n;
	/* private */
	size_t cap;
};

/*
 * Compiles FIELD, !FIELD, or FIELD OP VALUE, where OP is one of == != < <= > >= =~ !~, and adds the condition. The
 * field ends at the first operator. Spaces around the operator are ignored. VALUE can be in quotes; a number in quotes
 * is a text. Returns false and sets f->what and f->at.byte (the offset in text, from 0) when the text is not a
 * condition. `text` must stay valid as long as the conditions.
 */
bool conditions_add(struct conditions *c, const char *text, struct fault *f);
void conditions_free(struct conditions *c);

/*
 * Returns true if all conditions hold for a record; tests no more conditions after the first one that does not hold.
 * Comparisons with an absent field, including != and !~, do not hold; a comparison with a field that has several values
 * (`[]`) holds if it holds for at least one of them.
 *
 * A VALUE that is a number is compared with numbers by value, exactly and at any length. With < <= > >=, it is compared
 * in the same way with a string whose content is a number; these comparisons do not hold for any other string. All
 * other comparisons compare texts byte by byte. The text of a string is its content; the text of any other value is its
 * JSON text in the record.
 */
bool conditions_hold(const struct conditions *c, struct event *e);

/* Returns the field that a record must have so that condition i can hold; NULL for !FIELD. */
const struct field *conditions_field(const struct conditions *c, size_t i);

#endif
