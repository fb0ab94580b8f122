/* num_format: writes numbers as text: one form for each value, no locale. */
#ifndef NUM_FORMAT_H
#define NUM_FORMAT_H

#include "base/int_math.h"
#include "base/str.h"

enum { NUM_ROOM = 48 }; /* bytes that any num_put_*() may write */

/* Each writes at p, without NUL, and returns the end. */
char *num_put_u64(char *p, uint64_t v);
char *num_put_i64(char *p, int64_t v);
char *num_put_i128(char *p, int128 v);
/* The fewest digits (at most 17) that read back as v; no exponent within 1e-5 .. 1e17. v is finite. */
char *num_put_double(char *p, double v);

/*
 * JSON's number divided by 10^shift, digit by digit: "1234500" with shift 6 is 1.2345. `decimals`
 * digits after the point, rounded half away from zero, or as many as there are (-1). NULL, with
 * nothing written, when it would need more than NUM_ROOM bytes or has more digits than that.
 */
char *num_put_scaled(char *p, struct str number, int shift, int decimals);

#endif
