#include "base/units.h"

#include <math.h>

#define UNITS(X)                                                                                                       \
	X("ns", "ns", false, 1)                                                                                        \
	X("us", "µs", false, 1000)                                                                                     \
	X("ms", "ms", false, 1000000)                                                                                  \
	X("s", "s", false, 1000000000)                                                                                 \
	X("B", "B", true, 1)                                                                                           \
	X("kB", "kB", true, 1000)                                                                                      \
	X("MB", "MB", true, 1000000)                                                                                   \
	X("GB", "GB", true, 1000000000)                                                                                \
	X("KiB", "KiB", true, 1 << 10)                                                                                 \
	X("MiB", "MiB", true, 1 << 20)                                                                                 \
	X("GiB", "GiB", true, 1 << 30)

#define UNIT(name, label, size, factor) {name, label, size, factor},
static const struct unit units[] = {UNITS(UNIT)};

#define UNIT_NAME(name, label, size, factor) name,
const char *const units_names[] = {UNITS(UNIT_NAME) NULL};

const struct unit *units_at(size_t i)
{
	return i < sizeof units / sizeof *units ? &units[i] : NULL;
}

const struct unit *units_find(struct str name)
{
	size_t i;

	for (i = 0; i < sizeof units / sizeof *units; i++) {
		if (str_eq(name, str_of(units[i].name)) || str_eq(name, str_of(units[i].label)))
			return &units[i];
	}
	return NULL;
}

const struct unit *units_fitting(bool size, double v)
{
	const struct unit *best = NULL;
	size_t i;

	for (i = 0; i < sizeof units / sizeof *units; i++) {
		if (units[i].size == size && units[i].factor % 1024 && (!best || fabs(v) >= (double)units[i].factor))
			best = &units[i];
	}
	return best;
}

/* Removes the units at the beginning of a name, each with the underscore before it. */
static struct str skip_units(struct str name)
{
	size_t n;

	while (name.n && *name.p == '_') {
		for (n = 1; n < name.n && name.p[n] != '_' && name.p[n] != '/'; n++)
			;
		if (!units_find(str_from(str_head(name, n), 1)))
			break;
		name = str_from(name, n);
	}
	return name;
}

bool units_same_name(struct str a, struct str b)
{
	for (;;) {
		a = skip_units(a);
		b = skip_units(b);
		if (!a.n || !b.n)
			return a.n == b.n;
		if (*a.p != *b.p)
			return false;
		a = str_from(a, 1);
		b = str_from(b, 1);
	}
}

enum num_result units_parse(struct str s, int64_t *v, const struct unit **unit)
{
	struct num_decimal d;
	const char *end = num_decimal_read(s, &d);
	int64_t factor = 1, whole;
	int digits = 0;
	int128 product;

	*unit = NULL;
	if (!end)
		return NUM_BAD;
	if (end < s.p + s.n) {
		*unit = units_find(str_from(s, (size_t)(end - s.p)));
		if (!*unit)
			return NUM_BAD;
		factor = (*unit)->factor;
	}
	/*
	 * If the factor is a power of ten, only the result is rounded. If it is a power of 1024, the number is first
	 * rounded to nine decimals, or to an integer if nine decimals do not fit in 64 bits.
	 */
	while (factor > 1 && factor % 10 == 0) {
		factor /= 10;
		digits++;
	}
	if (factor == 1)
		return num_decimal_scale(&d, digits, v);
	if (num_decimal_scale(&d, 9, &whole) == NUM_OK)
		product = ((int128)whole * factor + (d.negative ? -1 : 1) * 500000000) / 1000000000;
	else if (num_decimal_scale(&d, 0, &whole) == NUM_OK)
		product = (int128)whole * factor;
	else
		return NUM_RANGE;
	if (product > INT64_MAX || product < INT64_MIN)
		return NUM_RANGE;
	*v = (int64_t)product;
	return NUM_OK;
}
