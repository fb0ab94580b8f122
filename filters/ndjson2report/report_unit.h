/* report_unit: the units of a report, and numbers rounded and written in them. */
#ifndef REPORT_UNIT_H
#define REPORT_UNIT_H

#include "base/num_format.h"
#include "json/value.h"

enum report_value_kind {
	REPORT_VALUE_NONE, /* "number", or no unit: integers as count, other numbers with up to 3 decimals */
	REPORT_VALUE_TEXT, /* a text of the report */
	REPORT_VALUE_NAME, /* a name from the trace */
	REPORT_VALUE_INT,  /* without thousands separators: the number of a step */
	REPORT_VALUE_COUNT,
	REPORT_VALUE_SHARE,   /* a fraction, printed in percent */
	REPORT_VALUE_PERCENT, /* in percent already */
	REPORT_VALUE_TIME,    /* ns */
	REPORT_VALUE_BYTES,
	REPORT_VALUE_RATE, /* bytes per ns */
	REPORT_VALUE_SAME, /* in the unit and with the decimals of the preceding number; the unit is not printed */
	REPORT_VALUE_KINDS
};

/* One step of the scale of a kind of values: a unit. */
struct report_scale {
	const char *name; /* as printed: "µs" */
	const char *word; /* as written in a report: "us" */
	int shift;        /* the printed number is the value / 10^shift */
	int decimals;     /* if the printed number has at most `digits` digits before the point; otherwise 0 */
	size_t digits;
};

/* The unit of a column or placeholder. */
struct report_unit {
	enum report_value_kind kind;
	const struct report_scale *fixed; /* the unit, if it is given; NULL: a unit that fits the number */
	int decimals;                     /* -1: as usual for the unit */
	bool sign;                        /* positive numbers have a plus sign */
};

/*
 * Reads a unit: "time", "share.1", "+ms". Returns false, with the unit REPORT_VALUE_NONE, if the text is not a unit.
 */
bool report_unit_read(struct report_unit *u, struct str text);

static inline bool report_unit_is_text(const struct report_unit *u)
{
	return u->kind >= REPORT_VALUE_TEXT && u->kind <= REPORT_VALUE_NAME;
}

/*
 * Returns whether the title of a column has the unit, as in "Total (ms)", so that its cells have numbers only. This is
 * so for times, sizes and rates with a fixed unit.
 */
static inline bool report_unit_in_title(const struct report_unit *u)
{
	return u->fixed && u->kind >= REPORT_VALUE_TIME && u->kind <= REPORT_VALUE_RATE;
}

/* The unit `time` of report(5). */
extern const struct report_unit report_time;

/* A number as it is printed. */
struct report_number {
	char text[NUM_ROOM + NUM_ROOM / 3 + 2]; /* the digits, with thousands separators; without a NUL at the end */
	size_t n;
	const char *unit; /* "ms", "%"; "" if the number has no unit */
	bool zero;        /* all digits are 0 */
	/* for REPORT_VALUE_SAME, and for the caller to store with the next number */
	const struct report_scale *scale; /* NULL: the number has no scale */
	int decimals;
	enum report_value_kind kind;
};

/*
 * Rounds a number, which must be of type VALUE_INT or VALUE_REAL, and writes it. A half is rounded away from zero. If
 * the unit is not fixed, it is the smallest one in which the rounded number has at most three digits before the point,
 * or the largest one. `before` is the preceding number of the same text, or NULL; a number in its unit has more
 * decimals than it if it would be rounded to 0.
 */
void report_number_put(
    struct report_number *to, const struct report_unit *u, const struct value *v, const struct report_number *before);

static inline struct str report_number_text(const struct report_number *n) /* the digits, without the unit */
{
	return (struct str){n->text, n->n};
}

#endif
