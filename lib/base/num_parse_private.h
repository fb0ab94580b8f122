/* num_parse_private: decimal text taken apart, for num_parse, num_format and units. */
#ifndef NUM_PARSE_PRIVATE_H
#define NUM_PARSE_PRIVATE_H

#include "base/char_class.h"
#include "base/num_parse.h"

/* JSON's number taken apart: sign, all digits up to 19 as one integer, and the power of ten. */
struct num_decimal {
	bool negative, whole; /* whole: neither fraction nor exponent was written */
	uint64_t digits;
	int used;             /* how many digits `digits` holds, without leading zeros */
	int64_t exponent;     /* value = digits * 10^exponent, when nothing was cut */
	unsigned next;        /* the first digit that had no room */
	bool more;            /* a digit that had no room was not 0 */
};

enum { NUM_DECIMAL_ROOM = 19, NUM_EXPONENT_MOST = 100000 }; /* 19 digits always fit 64 bits */

static inline bool num_is_digit(const char *p, const char *end)
{
	return p < end && is_digit(*p);
}

extern const uint64_t num_ten[20]; /* the powers of ten */

/* The end of the number at the start of s, or NULL when there is none. */
const char *num_decimal_read(struct str s, struct num_decimal *d);

/* d times 10^digits as an integer, rounded half away from zero: NUM_OK, or NUM_RANGE beyond int64. */
enum num_result num_decimal_scale(const struct num_decimal *d, int digits, int64_t *v);

/* Whether all of s is a number; an absent text, whose end is NULL too, is none. */
static inline bool num_decimal_read_all(struct str s, struct num_decimal *d)
{
	const char *end = num_decimal_read(s, d);

	return end && end == s.p + s.n;
}

#endif
