/* num_format: writes numbers as text: one form for each value, independent of the locale. */
#ifndef NUM_FORMAT_H
#define NUM_FORMAT_H

#include "base/int_math.h"
#include "base/str.h"

enum { NUM_ROOM = 48 }; /* maximum number of bytes that any num_put_*() writes */

/* Each function writes at p, without NUL, and returns the end. */
char *num_put_u64(char *p, uint64_t v);
char *num_put_i64(char *p, int64_t v);
char *num_put_i128(char *p, int128 v);
/* Writes the fewest digits (at most 17) that are read back as v; no exponent within 1e-5 .. 1e17. v must be finite. */
char *num_put_double(char *p, double v);

/*
 * Writes a JSON number divided by 10^shift, digit by digit: "1234500" with shift 6 is 1.2345. It has `decimals` digits
 * after the point, rounded half away from zero, or as many as it needs (-1). Returns NULL and writes nothing when it
 * would need more than NUM_ROOM bytes or has more digits than that.
 */
char *num_put_scaled(char *p, struct str number, int shift, int decimals);

#endif
