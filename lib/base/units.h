/* units: the units of time and size, and quantities written with one. */
#ifndef UNITS_H
#define UNITS_H

#include "base/num_parse.h"

/*
 * A unit of time (base ns) or of size (base B). Its factor is the base units it stands for.
 */
struct num_unit {
	const char *name;
	bool size; /* of bytes, not of time */
	int64_t factor;
};
/* The unit of that name or NULL; num_units() walks them all, from 0 to NULL. */
const struct num_unit *num_unit(struct str name);
const struct num_unit *num_units(size_t i);

/* Their names in that order, NULL after the last. */
extern const char *const num_unit_names[];

/*
 * A decimal number with an optional unit at its end, in base units: "1.5ms" is 1500000, "64MiB" is
 * 67108864, "7" is 7; fractions are rounded half away from zero. *unit is NULL when there was none.
 * NUM_BAD also when text that is not a unit follows.
 */
enum num_result num_quantity(struct str s, int64_t *v, const struct num_unit **unit);

#endif
