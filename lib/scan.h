/*
 * scan: where JSON values end, and whether they can be trusted, 64 bytes at a time.
 *
 * Three kernels (scalar, AVX2, AVX-512) give the same answers; the best one is chosen at the start,
 * or TRACEFILTERS_SIMD=scalar|avx2|avx512 chooses.
 */
#ifndef SCAN_H
#define SCAN_H

#include "str.h"

enum scan_mode {
	SCAN_LINES,  /* a unit ends with each newline: NDJSON */
	SCAN_VALUES, /* a unit ends with the bracket that closes it: the elements of an array */
};

/*
 * One unit: it begins where the one before ended. Not `clean` means only that somebody must look
 * closer (json_check): a byte over 0x7f, a backslash, a letter outside a string, a control character
 * in one, a number or a neighbourhood that is not JSON's, brackets or quotes that do not pair.
 * A clean unit is valid but for what takes a memory of names: which bracket closes which, commas and
 * colons in their turn.
 */
struct scan_unit {
	size_t end;
	bool clean;
};

struct scan_state {
	uint64_t in_string, escaped, follow, number; /* carried from block to block */
	int64_t depth;
	bool doubt;
};

struct scan {
	enum scan_mode mode;
	size_t at;      /* how far p[] was scanned, in whole blocks */
	size_t end;     /* of the last unit that was handed out */
	struct scan_state state; /* at `at` */
};

void scan_init(struct scan *s, enum scan_mode mode);

/*
 * Finds units in p[0..n), where p[0] is the byte the scan began with: each call gets the same bytes
 * again with more behind them (moved, if need be). Stores up to `max` units and returns how many;
 * fewer than max means that p[0..n) holds no more whole ones. SCAN_VALUES: a closing bracket without
 * an opening one is a unit as well, the last one. 64 bytes behind p[n) must be readable.
 */
size_t scan_run(struct scan *s, const char *p, size_t n, struct scan_unit *units, size_t max);

/* The first `n` bytes are gone: p of the next call is p + n of the last. n <= the last unit's end. */
void scan_drop(struct scan *s, size_t n);

/*
 * Copies JSON text to `to` without the white space between its tokens, and returns how many bytes
 * that made; at most s.n, but to[] must have s.n + 64. The text must be a whole value.
 */
size_t scan_squeeze(char *to, struct str s);

/* The length of the bracketed value at s.p[0] ('{' or '['), 0 when it does not close within s. */
size_t scan_skip(struct str s);

/* Offset of the quote that ends the string whose text begins at s.p[0]; s.n when there is none. */
size_t scan_quote(struct str s);

#endif
