#include "report_unit.h"

#include "base/char_class.h"

enum { MOST_DECIMALS = 9 };

static const struct report_scale times[] = {
    {"ns", "ns", 0, 0, 0}, {"µs", "us", 3, 1, 1}, {"ms", "ms", 6, 1, 3}, {"s", "s", 9, 2, 3}, {0}};
static const struct report_scale sizes[] = {{"B", "B", 0, 0, 0}, {"kB", "kB", 3, 1, 2}, {"MB", "MB", 6, 1, 2},
    {"GB", "GB", 9, 1, 2}, {"TB", "TB", 12, 1, 2}, {0}};
static const struct report_scale rates[] = {{"B/s", "B/s", -9, 0, 0}, {"kB/s", "kB/s", -6, 1, 2},
    {"MB/s", "MB/s", -3, 1, 2}, {"GB/s", "GB/s", 0, 1, 2}, {"TB/s", "TB/s", 3, 1, 2}, {0}};
static const struct report_scale percent = {"%", "", -2, 0, 0}, percent_already = {"%", "", 0, 0, 0};

/* The words of measures. A measure without `scales` has at most one unit. */
static const struct {
	const char *word;
	const struct report_scale *scales, *fixed;
} measures[REPORT_MEASURES] = {
    [REPORT_MEASURE_NONE] = {"number", NULL, NULL},
    [REPORT_MEASURE_TEXT] = {"text", NULL, NULL},
    [REPORT_MEASURE_NAME] = {"name", NULL, NULL},
    [REPORT_MEASURE_PATH] = {"path", NULL, NULL},
    [REPORT_MEASURE_INT] = {"int", NULL, NULL},
    [REPORT_MEASURE_COUNT] = {"count", NULL, NULL},
    [REPORT_MEASURE_SHARE] = {"share", NULL, &percent},
    [REPORT_MEASURE_PERCENT] = {"percent", NULL, &percent_already},
    [REPORT_MEASURE_TIME] = {"time", times, NULL},
    [REPORT_MEASURE_BYTES] = {"bytes", sizes, NULL},
    [REPORT_MEASURE_RATE] = {"rate", rates, NULL},
    [REPORT_MEASURE_SAME] = {"same", NULL, NULL},
};

const struct report_unit report_time = {.measure = REPORT_MEASURE_TIME, .decimals = -1};

static bool find_word(struct report_unit *u, struct str word)
{
	const struct report_scale *scale;
	int i;

	for (i = 0; i < REPORT_MEASURES; i++) {
		u->measure = (enum report_measure)i;
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
	*u = (struct report_unit){.decimals = -1, .sign = str_starts(text, STR("+"))};
	text = str_from(text, u->sign);
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

/* The digits of a rounded number, without separators. */
struct rounded_digits {
	char text[NUM_ROOM];
	size_t n, whole; /* whole: number of digits before the point */
	bool negative, zero;
};

static void round_number(struct rounded_digits *d, const struct value *v, int shift, int decimals)
{
	char *p = d->text, *end = num_put_scaled(p, v->text, shift, decimals);

	if (!end)
		end = num_put_double(p, v->d); /* too many digits: the value as it is, in the smallest unit */
	d->negative = *p == '-';
	d->n = (size_t)(end - p) - d->negative;
	memmove(p, p + d->negative, d->n);
	for (d->whole = 0; d->whole < d->n && is_digit(p[d->whole]); d->whole++)
		;
	d->zero = true;
	for (end = p + d->n; p < end; p++)
		d->zero &= !is_digit(*p) || *p == '0';
}

/* Writes the digits with a sign and, if `separators` is set, thousands separators. */
static void write_digits(struct report_number *to, const struct rounded_digits *d, bool separators, bool sign)
{
	size_t left = d->whole, i;
	char *q = to->text;

	if (!d->zero && (d->negative || sign))
		*q++ = d->negative ? '-' : '+';
	for (i = 0; i < d->n; i++) {
		*q++ = d->text[i];
		if (separators && left > 1 && --left % 3 == 0)
			*q++ = ',';
	}
	to->n = (size_t)(q - to->text);
}

/* Writes the number in one unit. Returns the number of digits before the point. */
static size_t put_scaled(
    struct report_number *to, const struct report_unit *u, const struct value *v, const struct report_scale *scale)
{
	struct rounded_digits d;

	to->scale = scale;
	to->unit = scale->name;
	to->decimals = u->decimals >= 0 ? u->decimals : scale->decimals;
	round_number(&d, v, scale->shift, to->decimals);
	if (u->decimals < 0 && !u->fixed && d.whole > scale->digits) {
		to->decimals = 0;
		round_number(&d, v, scale->shift, 0);
	}
	write_digits(to, &d, true, u->sign);
	return d.whole;
}

/* Writes a number without a unit. */
static void put_bare(struct report_number *to, const struct report_unit *u, const struct value *v)
{
	const bool plain = u->decimals < 0 && u->measure == REPORT_MEASURE_NONE && v->type == VALUE_REAL;
	struct rounded_digits d;

	to->decimals = u->decimals >= 0 ? u->decimals : plain ? 3 : 0;
	round_number(&d, v, 0, to->decimals);
	if (plain && d.n > d.whole && d.text[d.whole] == '.') {
		while (d.text[d.n - 1] == '0')
			d.n--;
		d.n -= d.n == d.whole + 1;
	}
	write_digits(to, &d, u->measure != REPORT_MEASURE_INT, u->sign);
}

/* Writes a number in the unit of the preceding one. A number that is not 0 does not look like 0. */
static void put_same(
    struct report_number *to, struct report_unit u, const struct value *v, const struct report_number *before)
{
	struct rounded_digits d;

	to->measure = u.measure = before ? before->measure : REPORT_MEASURE_COUNT;
	u.fixed = before ? before->scale : NULL;
	u.decimals = u.decimals >= 0 || !before ? u.decimals : before->decimals;
	if (!u.fixed) {
		put_bare(to, &u, v);
		return;
	}
	for (round_number(&d, v, u.fixed->shift, u.decimals); d.zero && v->d != 0 && u.decimals < MOST_DECIMALS;)
		round_number(&d, v, u.fixed->shift, ++u.decimals);
	put_scaled(to, &u, v, u.fixed);
	to->unit = "";
}

void report_number_put(
    struct report_number *to, const struct report_unit *u, const struct value *v, const struct report_number *before)
{
	const struct report_scale *scale = u->fixed ? u->fixed : measures[u->measure].scales;

	*to = (struct report_number){.unit = "", .measure = u->measure};
	if (u->measure == REPORT_MEASURE_SAME) {
		put_same(to, *u, v, before);
		return;
	}
	if (!scale) {
		put_bare(to, u, v);
		return;
	}
	while (put_scaled(to, u, v, scale) > 3 && !u->fixed && scale[1].name)
		scale++;
}
