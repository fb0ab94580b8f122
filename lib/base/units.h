/* units: the units of time and size, and quantities written with one. */
#ifndef UNITS_H
#define UNITS_H

#include "base/num_parse.h"

/*
 * A unit of time (base ns) or of size (base B). Its factor is the base units it stands for.
 */
struct unit {
	const char *name;
	bool size; /* of bytes, not of time */
	int64_t factor;
};
/* The unit of that name or NULL; units_at() walks them all, from 0 to NULL. */
const struct unit *units_find(struct str name);
const struct unit *units_at(size_t i);

/* Their names in that order, NULL after the last. */
extern const char *const units_names[];

/*
 * A decimal number with an optional unit at its end, in base units: "1.5ms" is 1500000, "64MiB" is
 * 67108864, "7" is 7; fractions are rounded half away from zero. *unit is NULL when there was none.
 * NUM_BAD also when text that is not a unit follows.
 */
enum num_result units_parse(struct str s, int64_t *v, const struct unit **unit);

#endif
