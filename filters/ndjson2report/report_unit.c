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

/* The words of kinds of values. A kind without `scales` has at most one unit. */
static const struct {
	const char *word;
	const struct report_scale *scales, *fixed;
} value_kinds[REPORT_VALUE_KINDS] = {
    [REPORT_VALUE_NONE] = {"number", NULL, NULL},
    [REPORT_VALUE_TEXT] = {"text", NULL, NULL},
    [REPORT_VALUE_NAME] = {"name", NULL, NULL},
    [REPORT_VALUE_INT] = {"int", NULL, NULL},
    [REPORT_VALUE_COUNT] = {"count", NULL, NULL},
    [REPORT_VALUE_SHARE] = {"share", NULL, &percent},
    [REPORT_VALUE_PERCENT] = {"percent", NULL, &percent_already},
    [REPORT_VALUE_TIME] = {"time", times, NULL},
    [REPORT_VALUE_BYTES] = {"bytes", sizes, NULL},
    [REPORT_VALUE_RATE] = {"rate", rates, NULL},
    [REPORT_VALUE_SAME] = {"same", NULL, NULL},
};

const struct report_unit report_time = {.kind = REPORT_VALUE_TIME, .decimals = -1};

static bool find_word(struct report_unit *u, struct str word)
{
	const struct report_scale *scale;
	int i;

	for (i = 0; i < REPORT_VALUE_KINDS; i++) {
		u->kind = (enum report_value_kind)i;
		u->fixed = value_kinds[i].fixed;
		if (str_eq(word, str_of(value_kinds[i].word)))
			return true;
		for (scale = value_kinds[i].scales; scale && scale->name; scale++) {
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

/* Rounds a number and writes it. Returns the number of its digits before the point. */
static size_t put_rounded(struct report_number *to, const struct value *v, int shift, bool separators, bool sign)
{
	char digits[NUM_ROOM], *q = to->text;
	char *end = num_put_scaled(digits, v->text, shift, to->decimals);
	bool negative;
	struct str s;
	size_t whole, i;

	if (!end)
		end = num_put_double(digits, v->d); /* too many digits: the value as it is, in the smallest unit */
	negative = digits[0] == '-';
	s = str_from((struct str){digits, (size_t)(end - digits)}, negative);
	whole = str_first(s, is_digit).n;
	for (i = 0; i < s.n && (s.p[i] == '0' || s.p[i] == '.'); i++)
		;
	to->zero = i == s.n;
	if (!to->zero && (negative || sign))
		*q++ = negative ? '-' : '+';
	for (i = 0; i < s.n; i++) {
		*q++ = s.p[i];
		if (separators && i + 1 < whole && (whole - i - 1) % 3 == 0)
			*q++ = ',';
	}
	to->n = (size_t)(q - to->text);
	return whole;
}

/* Writes the number in one unit. Returns the number of digits before the point. */
static size_t put_scaled(
    struct report_number *to, const struct report_unit *u, const struct value *v, const struct report_scale *scale)
{
	size_t whole;

	to->scale = scale;
	to->unit = scale->name;
	to->decimals = u->decimals >= 0 ? u->decimals : scale->decimals;
	whole = put_rounded(to, v, scale->shift, true, u->sign);
	if (u->decimals >= 0 || u->fixed || whole <= scale->digits)
		return whole;
	to->decimals = 0;
	return put_rounded(to, v, scale->shift, true, u->sign);
}

/* Writes a number without a unit. */
static void put_bare(struct report_number *to, const struct report_unit *u, const struct value *v)
{
	const bool plain = u->decimals < 0 && u->kind == REPORT_VALUE_NONE && v->type == VALUE_REAL;

	to->decimals = u->decimals >= 0 ? u->decimals : plain ? 3 : 0;
	put_rounded(to, v, 0, u->kind != REPORT_VALUE_INT, u->sign);
	if (!plain || !memchr(to->text, '.', to->n))
		return;
	while (to->text[to->n - 1] == '0')
		to->n--;
	to->n -= to->text[to->n - 1] == '.';
}

/* Writes a number in the unit of the preceding one. A number that is not 0 does not look like 0. */
static void put_same(
    struct report_number *to, struct report_unit u, const struct value *v, const struct report_number *before)
{
	to->kind = u.kind = before->kind;
	u.fixed = before->scale;
	for (u.decimals = u.decimals >= 0 ? u.decimals : before->decimals;; u.decimals++) {
		if (u.fixed)
			put_scaled(to, &u, v, u.fixed);
		else
			put_bare(to, &u, v);
		if (!to->zero || (v->d <= 0 && v->d >= 0) || u.decimals == MOST_DECIMALS)
			break;
	}
	to->unit = "";
}

void report_number_put(
    struct report_number *to, const struct report_unit *u, const struct value *v, const struct report_number *before)
{
	static const struct report_number count = {.kind = REPORT_VALUE_COUNT};
	const struct report_scale *scale = u->fixed ? u->fixed : value_kinds[u->kind].scales;

	*to = (struct report_number){.unit = "", .kind = u->kind};
	if (u->kind == REPORT_VALUE_SAME)
		put_same(to, *u, v, before ? before : &count);
	else if (!scale)
		put_bare(to, u, v);
	else
		while (put_scaled(to, u, v, scale) > 3 && !u->fixed && scale[1].name)
			scale++;
}
