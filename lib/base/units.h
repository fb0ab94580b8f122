/* units: the units of time and size, and quantities written with a unit. */
#ifndef UNITS_H
#define UNITS_H

#include "base/num_parse.h"

/* A unit of time (base ns) or of size (base B). `factor` is the number of base units in one such unit. */
struct unit {
	const char *name;
	const char *label; /* the name in UTF-8: µs for us */
	bool size;         /* a unit of size, not of time */
	int64_t factor;
};

/* Returns the name that people see: µs if `utf8` is set, otherwise us. Programs read and write the name. */
static inline const char *unit_label(const struct unit *unit, bool utf8)
{
	return utf8 ? unit->label : unit->name;
}

/* units_find() returns the unit with that name or label, or NULL; units_at() the i-th one, NULL after the last. */
const struct unit *units_find(struct str name);
const struct unit *units_at(size_t i);

/*
 * Returns the largest of the units of time, or of the decimal units of size, in which |v| is at least 1; the smallest
 * unit, ns or B, if |v| is less than 1.
 */
const struct unit *units_fitting(bool size, double v);

/* The names in the order of units_at(), NULL-terminated. */
extern const char *const units_names[];

/*
 * Returns whether two names of columns are equal when all units in them are ignored. A unit is ignored together with
 * the underscore before it: dur_sum, dur_us_sum and dur_ms_sum are equal.
 */
bool units_same_name(struct str a, struct str b);

/*
 * Parses a decimal number with an optional unit at its end, and converts it to the base unit: "1.5ms" is 1500000,
 * "64MiB" is 67108864, "7" is 7. The result is rounded to the nearest integer; a half is rounded away from zero. *unit
 * is NULL if there was no unit. NUM_BAD is also returned if the text after the number is not a unit.
 */
enum num_result units_parse(struct str s, int64_t *v, const struct unit **unit);

#endif
