#include "report_unit.h"

#include "base/char_class.h"

#include <math.h>

static const struct report_scale times[] = {
    {"ns", "ns", 0, 0, 0},
    {"µs", "us", 3, 1, 10},
    {"ms", "ms", 6, 1, 1000},
    {"s", "s", 9, 2, 1000},
    {0},
};

static const struct report_scale sizes[] = {
    {"B", "B", 0, 0, 0},
    {"kB", "kB", 3, 1, 100},
    {"MB", "MB", 6, 1, 100},
    {"GB", "GB", 9, 1, 100},
    {"TB", "TB", 12, 1, 100},
    {0},
};

static const struct report_scale rates[] = {
    {"B/s", "B/s", -9, 0, 0},
    {"kB/s", "kB/s", -6, 1, 100},
    {"MB/s", "MB/s", -3, 1, 100},
    {"GB/s", "GB/s", 0, 1, 100},
    {"TB/s", "TB/s", 3, 1, 100},
    {0},
};

static const struct report_scale percent = {"%", "share", -2, 0, 0}, percent_already = {"%", "percent", 0, 0, 0};

/* The words for measures. A measure without `scales` has at most one unit. */
static const struct {
	const char *word;
	enum report_measure measure;
	const struct report_scale *scales, *fixed;
} measures[] = {
    {"text", REPORT_MEASURE_TEXT, NULL, NULL},
    {"name", REPORT_MEASURE_NAME, NULL, NULL},
    {"path", REPORT_MEASURE_PATH, NULL, NULL},
    {"number", REPORT_MEASURE_NONE, NULL, NULL},
    {"int", REPORT_MEASURE_INT, NULL, NULL},
    {"count", REPORT_MEASURE_COUNT, NULL, NULL},
    {"share", REPORT_MEASURE_SHARE, NULL, &percent},
    {"percent", REPORT_MEASURE_PERCENT, NULL, &percent_already},
    {"time", REPORT_MEASURE_TIME, times, NULL},
    {"bytes", REPORT_MEASURE_BYTES, sizes, NULL},
    {"rate", REPORT_MEASURE_RATE, rates, NULL},
    {"same", REPORT_MEASURE_SAME, NULL, NULL},
};

enum { MEASURES = sizeof measures / sizeof *measures };

static bool find_word(struct report_unit *u, struct str word)
{
	const struct report_scale *scale;
	size_t i;

	for (i = 0; i < MEASURES; i++) {
		u->measure = measures[i].measure;
		u->fixed = measures[i].fixed;
		if (str_eq(word, str_of(measures[i].word)))
			return true;
		for (scale = measures[i].scales; scale && scale->name; scale++) {
			u->fixed = scale;
			if (str_eq(word, str_of(scale->word)))
				return true;
		}
	}
	return false;
}

bool report_unit_read(struct report_unit *u, struct str text)
{
	*u = (struct report_unit){.decimals = -1};
	if (str_starts(text, STR("+"))) {
		u->sign = true;
		text = str_from(text, 1);
	}
	if (text.n > 2 && text.p[text.n - 2] == '.' && is_digit(text.p[text.n - 1])) {
		u->decimals = text.p[text.n - 1] - '0';
		text.n -= 2;
	}
	if (find_word(u, text))
		return true;
	*u = (struct report_unit){.decimals = -1};
	return false;
}

/* --- numbers --- */

/* Writes the number divided by 10^shift without separators; *whole is the number of digits before the point. */
static size_t put_plain(char *p, const struct value *v, int shift, int decimals, size_t *whole)
{
	char *end = num_put_scaled(p, v->text, shift, decimals), *digits;

	if (!end)
		end = num_put_double(p, v->d); /* too many digits: the value as it is, in the smallest unit */
	digits = p + (*p == '-');
	for (*whole = 0; digits + *whole < end && is_digit(digits[*whole]); ++*whole)
		;
	return (size_t)(end - p);
}

/* Returns the number before the point, at most 9999. */
static int whole_part(const char *p, size_t digits)
{
	int v = 0;

	p += *p == '-';
	if (digits > 4)
		return 9999;
	for (; digits; digits--)
		v = v * 10 + (*p++ - '0');
	return v;
}

static bool is_zero(const char *p, const char *end)
{
	for (; p < end; p++) {
		if (is_digit(*p) && *p != '0')
			return false;
	}
	return true;
}

/* Copies the number with a sign and thousands separators. */
static void write_number(struct report_number *to, const char *p, size_t n, size_t whole, bool separators, bool sign)
{
	const char *end = p + n;
	const bool zero = is_zero(p, end);
	char *q = to->text;

	if (*p == '-') {
		p++;
		if (!zero)
			*q++ = '-';
	} else if (sign && !zero) {
		*q++ = '+';
	}
	for (; p < end; p++) {
		*q++ = *p;
		if (separators && whole > 1 && --whole % 3 == 0)
			*q++ = ',';
	}
	to->n = (size_t)(q - to->text);
}

/* Writes the number in one unit. Returns the number of digits before the point. */
static size_t put_scaled(
    struct report_number *to, const struct report_unit *u, const struct value *v, const struct report_scale *scale)
{
	char text[NUM_ROOM];
	size_t whole, n;

	to->scale = scale;
	to->unit = scale->name;
	to->decimals = u->decimals >= 0 ? u->decimals : scale->decimals;
	n = put_plain(text, v, scale->shift, to->decimals, &whole);
	if (u->decimals < 0 && !u->fixed && whole_part(text, whole) >= scale->below) {
		to->decimals = 0;
		n = put_plain(text, v, scale->shift, 0, &whole);
	}
	write_number(to, text, n, whole, true, u->sign);
	return whole;
}

/* Writes a number without a unit. */
static void put_bare(struct report_number *to, const struct report_unit *u, const struct value *v)
{
	char text[NUM_ROOM];
	size_t whole, n;

	to->decimals = u->decimals >= 0                                            ? u->decimals
		       : v->type == VALUE_INT || u->measure != REPORT_MEASURE_NONE ? 0
										   : 3;
	n = put_plain(text, v, 0, to->decimals, &whole);
	if (u->decimals < 0 && u->measure == REPORT_MEASURE_NONE && v->type == VALUE_REAL && n > whole) {
		while (n && text[n - 1] == '0')
			n--;
		n -= n && text[n - 1] == '.';
	}
	write_number(to, text, n, whole, u->measure != REPORT_MEASURE_INT, u->sign);
}

/* Returns the units of an adaptive measure, NULL for other measures. */
static const struct report_scale *scales_of(enum report_measure measure)
{
	size_t i;

	for (i = 0; i < MEASURES && measures[i].measure != measure; i++)
		;
	return i < MEASURES ? measures[i].scales : NULL;
}

void report_number_put(
    struct report_number *to, const struct report_unit *u, const struct value *v, const struct report_number *before)
{
	const struct report_scale *scale = u->fixed ? u->fixed : scales_of(u->measure);
	struct report_unit same = *u;

	*to = (struct report_number){.unit = "", .measure = u->measure};
	if (u->measure == REPORT_MEASURE_SAME) {
		to->measure = same.measure = before ? before->measure : REPORT_MEASURE_COUNT;
		scale = same.fixed = before ? before->scale : NULL;
		same.decimals = u->decimals >= 0 || !before ? u->decimals : before->decimals;
		u = &same;
	}
	if (!scale) {
		put_bare(to, u, v);
		return;
	}
	while (put_scaled(to, u, v, scale) > 3 && !u->fixed && scale[1].name)
		scale++;
	if (u == &same)
		to->unit = "";
}
