/* display_unit: the unit in which the values of a picture are written, and values as text. */
#ifndef DISPLAY_UNIT_H
#define DISPLAY_UNIT_H

#include "base/mem.h"
#include "table/table_format.h"

/* A value v in ns or bytes, or a plain number, is written as v / per and the unit. */
struct display_unit {
	const char *unit; /* "ms", "µs", "MB", "%", "thousands"; "" for no unit */
	bool word;        /* the unit is a word: it is written on axes, but not after a value */
	double per;
};

/*
 * Returns the unit for values of a kind up to `most`: the unit of that kind in *options, if options is not NULL and has
 * one, or the largest unit in which `most` is at least 1. Plain numbers from 100000 on are written in thousands or
 * more.
 */
struct display_unit display_unit_of(enum column_kind kind, const struct table_options *options, double most);

/*
 * Appends text of the program, in which each directive is replaced by an argument:
 *   %s  struct str
 *   %t  const char *: text of the program
 *   %i  double: a number without decimals
 *   %v  const struct display_unit *, double: a value with three significant digits and its unit
 *   %e  const struct display_unit *, long double: a value with all its digits and its unit
 *   %p  double, double: a share of a whole in percent, with one decimal
 *   %%  a percent sign
 */
void display_put(struct buf *to, const char *format, ...);

/* Appends a number with a fixed number of decimals, at most 9. */
void display_unit_put_decimals(struct buf *to, double v, int decimals);

/*
 * Appends a range of values, each limit in the unit that fits it: "500 us to 2 ms"; "below 500 us" or "from 2 ms" if
 * the other limit is infinite.
 */
void display_unit_put_range(
    struct buf *to, enum column_kind kind, const struct table_options *options, double low, double high);

#endif
