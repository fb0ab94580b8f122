/* slow_num: makes random numbers as text and gets their digits one at a time, for the tests of num_*. */
#ifndef SLOW_NUM_H
#define SLOW_NUM_H

#include "samples.h"
#include "slow_json.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

static inline struct str random_number(char *room)
{
	static const char *const usual[] = {"0", "-", "00", "1", "9", "5", "99", "4999", "5000", "922337203685477580"};
	size_t i, n = 1 + random_below(26);
	char *p = room;

	if (random_below(4) == 0)
		*p++ = '-';
	if (random_below(3) == 0)
		p = stpcpy(p, usual[random_below(sizeof usual / sizeof *usual)]);
	for (i = 0; i < n; i++)
		*p++ = random_below(8) ? (char)('0' + random_below(10)) : "09.5"[random_below(4)];
	if (random_below(3) == 0)
		p += sprintf(
		    p, "%c%s%zu", "eE" [random_below(2)], (const char *[]) { "", "+", "-" }[random_below(3)],
		    random_below(random_below(4) ? 30 : 400));
	if (random_below(40) == 0)
		room[random_below((size_t)(p - room))] = random_byte();
	return (struct str){room, (size_t)(p - room)};
}

static inline bool is_number(struct str s)
{
	return s.n && (*s.p == '-' || (*s.p >= '0' && *s.p <= '9')) && s.p[s.n - 1] > ' ' && slow_json(s);
}

/* The digits of the absolute value of s * 10^shift, and the position of the point. s is a JSON number. */
struct decimal {
	char digits[128];
	long n, point;
	bool negative, whole;
};

static inline struct decimal slow_decimal(struct str s, long shift)
{
	struct decimal d = {.whole = true, .negative = *s.p == '-'};
	char *exponent;
	long e = 0;
	size_t i;

	d.point = LONG_MIN;
	for (i = d.negative; i < s.n && s.p[i] != 'e' && s.p[i] != 'E'; i++) {
		if (s.p[i] == '.')
			d.point = d.n;
		else
			d.digits[d.n++] = s.p[i];
	}
	d.whole = d.point == LONG_MIN && i == s.n;
	if (d.point == LONG_MIN)
		d.point = d.n;
	if (i < s.n) {
		exponent = str_dup(str_from(s, i + 1));
		e = strtol(exponent, NULL, 10);
		free(exponent);
	}
	d.point += shift + (e > 1000000 ? 1000000 : e < -1000000 ? -1000000 : e);
	return d;
}

static inline int digit_at(const struct decimal *d, long i)
{
	return i >= 0 && i < d->n ? d->digits[i] - '0' : 0;
}

/* Counts the digits of a number, given as text, from the first that is not 0 to the last that is not 0. */
static inline int significant(const char *z)
{
	int n = 0, zeros = 0;

	for (; *z && *z != 'e'; z++) {
		if (*z < '0' || *z > '9' || (!n && *z == '0'))
			continue;
		zeros = *z == '0' ? zeros + 1 : 0;
		n++;
	}
	return n - zeros;
}

static inline double random_double(void)
{
	uint64_t bits;
	double v;

	do {
		bits = (uint64_t)random_below((size_t)1 << 31) << 33 ^ (uint64_t)random_below((size_t)1 << 31) << 11 ^
		       random_below(2048);
		if (random_below(2)) /* a typical exponent */
			bits = (bits & 0x800fffffffffffff) | (uint64_t)(1023 - 40 + random_below(110)) << 52;
		memcpy(&v, &bits, sizeof v);
	} while (!isfinite(v));
	return v;
}

#endif
