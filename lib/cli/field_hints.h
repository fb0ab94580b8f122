/* field_hints: notes about fields that no record had, with the nearest name of those that records had. */
#ifndef FIELD_HINTS_H
#define FIELD_HINTS_H

#include "record/field.h"

/*
 * At the end: prints a note when no record had the field, or when it held no number where only numbers count. `all`: the
 * input was read to its end.
 */
void field_hint(const struct field *f, bool all);

#endif
