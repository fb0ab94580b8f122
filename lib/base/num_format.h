/* num_format: writes numbers as text: one form for each value, independent of the locale. */
#ifndef NUM_FORMAT_H
#define NUM_FORMAT_H

#include "base/int_math.h"
#include "base/str.h"

enum { NUM_ROOM = 48 }; /* maximum number of bytes that any num_put_*() writes */

/* Each function writes text at p, without a NUL at its end, and returns the end of the text. */
char *num_put_u64(char *p, uint64_t v);
char *num_put_i64(char *p, int64_t v);
char *num_put_i128(char *p, int128 v);

/* These two functions write the text at p, too, and return a view of it. */
static inline struct str num_str_u64(char *p, uint64_t v)
{
	return (struct str){p, (size_t)(num_put_u64(p, v) - p)};
}

static inline struct str num_str_i64(char *p, int64_t v)
{
	return (struct str){p, (size_t)(num_put_i64(p, v) - p)};
}

/* These two functions append the text. */
static inline void num_add_u64(struct buf *b, uint64_t v)
{
	b->n += num_str_u64(buf_room(b, NUM_ROOM), v).n;
}

static inline void num_add_i64(struct buf *b, int64_t v)
{
	b->n += num_str_i64(buf_room(b, NUM_ROOM), v).n;
}

/*
 * Writes v, which must be finite, with the fewest digits (at most 17) that are read back as the same value. Values from
 * 1e-5 up to, but not including, 1e17 have no exponent.
 */
char *num_put_double(char *p, double v);

/*
 * Writes a JSON number in the form that all numbers of its value have: an integer of up to 128 bits in digits, any
 * other number as the nearest double. Returns NULL, with nothing written, if that double would not be finite.
 */
char *num_put_value(char *p, struct str number);

/* Returns true only if num_put_value() writes the same text as this JSON number; false does not say that it differs. */
bool num_is_value(struct str number);

/*
 * Divides a JSON number by 10^shift exactly and writes the result: "1234500" with shift 6 is 1.2345. The result is
 * rounded to `decimals` digits after the point, where a half is rounded away from zero; if `decimals` is -1, all digits
 * are written. Returns NULL, with nothing written, when the result would need more than NUM_ROOM bytes or the number
 * has more than NUM_ROOM digits.
 */
char *num_put_scaled(char *p, struct str number, int shift, int decimals);

#endif
