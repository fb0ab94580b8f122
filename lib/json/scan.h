/*
 * scan: finds the ends of JSON values and checks whether the values are well-formed, 64 bytes at a time.
 *
 * Three kernels (scalar, AVX2, AVX-512) give the same results. The fastest one that the machine supports is used,
 * unless TRACEFILTERS_SIMD=scalar|avx2|avx512 selects another one.
 */
#ifndef SCAN_H
#define SCAN_H

#include "base/str.h"

enum { SCAN_PAD = 64 };

/* Prepares a text for scanning: adds SCAN_PAD readable bytes after it. The length of the text does not change. */
static inline void scan_pad(struct buf *b)
{
	memset(buf_room(b, SCAN_PAD), 0, SCAN_PAD);
}

enum scan_mode {
	SCAN_LINES,  /* a unit ends at each newline: NDJSON */
	SCAN_VALUES, /* units are the elements of an array; a unit ends at its own closing bracket */
};

/*
 * A unit; it begins where the preceding one ended. It is clean if (1) its strings and brackets are closed, (2) its
 * strings contain no control characters, (3) it contains no backslash, (4) all its bytes are ASCII, and (5) it is not a
 * deeply nested line. scan_run() does not check the text between strings and brackets; scan_clean() does. A unit that
 * is not clean may still be valid: it needs a full check.
 */
struct scan_unit {
	size_t end;
	bool clean;
};

/* The state carried from block to block; in_string is all zeros or all ones, escaped and closed are 0 or 1. */
struct scan_state {
	uint64_t in_string, escaped, closed;
	int64_t depth;  /* SCAN_LINES: the sum of the current line, see scan_kernel.h */
	uint64_t doubt; /* SCAN_VALUES: 0 as long as the current unit is clean */
};

struct scan {
	enum scan_mode mode;
	size_t at; /* offset in p[] up to which it is scanned */
	/* private */
	size_t end;              /* SCAN_VALUES: end of the last unit that was returned; it may be after `at` */
	struct scan_state state; /* the state at `at` */
};

enum { SCAN_UNITS_LEAST = 128 };

/*
 * Selects the kernel. Without this call, the first call of any other function selects it. Returns false when this
 * machine does not support the kernel named in TRACEFILTERS_SIMD; in that case the fastest one is used.
 */
bool scan_choose(void);

void scan_init(struct scan *s, enum scan_mode mode);

/*
 * Finds units in p[0..n), where p[0] is the byte at which the scan began: each call gets the same bytes again, followed
 * by more bytes (the buffer may move). Stores up to `max` (>= SCAN_UNITS_LEAST) units and returns their number; returns
 * 0 when p[0..n) holds no further complete unit. SCAN_VALUES: a closing bracket without an opening one also ends a
 * unit, and no unit follows it. The SCAN_PAD bytes from p[n] on must be readable.
 */
size_t scan_run(struct scan *s, const char *p, size_t n, struct scan_unit *units, size_t max);

/* To be called when the caller drops n <= s->at bytes: the next scan_run() gets the text from p[n] on. */
void scan_drop(struct scan *s, size_t n);

/*
 * Returns true only if the text is one object or array, with nothing but white space around it, and follows JSON's
 * grammar. Two rules are not checked, because they need a stack: which bracket closes which, and the order of commas
 * and colons. An iteration (json/iter) checks them for its level. False means only that the text needs a full check
 * (json_check()): scan_clean() also returns false for a letter or an exponent outside strings, and for everything that
 * a clean unit must not contain.
 *
 * Here and below, SCAN_PAD bytes after the text must be readable; their contents do not matter.
 */
bool scan_clean(struct str s);

struct scan_squeezed {
	size_t n, used; /* n: number of bytes written; used: number of bytes read, up to the value's last bracket */
	bool clean;     /* the result of scan_clean() */
	/*
	 * The numbers of opening braces and of colons. An object is certainly JSON if (1) it is clean, (2) it has only
	 * one brace, and (3) an iteration finds as many members as there are colons.
	 */
	unsigned braces, colons;
};

/*
 * Copies the object or array that begins at s.p[0] to `to` without the white space between its tokens. to[] must have
 * s.n + 64 bytes. If the value is not clean or does not end within s, the output is still the text without white space
 * outside strings.
 */
struct scan_squeezed scan_squeeze(char *to, struct str s);

/*
 * Appends a value, without white space around it, and makes SCAN_PAD bytes after it readable: an object or array as
 * above, any other value unchanged.
 */
void scan_append(struct buf *b, struct str json);

/*
 * Writes the shape of a unit that scan_run() found clean, or of the text after one of its strings. The shape is the
 * text without the contents of its strings and without white space, except for one byte of white space after a number
 * or word; each run of digits becomes one 0 (two for a run with a needless leading 0). If two units have the same
 * shape, both are JSON or neither is. Returns the length of the shape. Returns 0 if the length is over max, or if the
 * text has 17 consecutive digits, or 16 that begin with a 9. With these limits on digits, a number of microseconds
 * without an exponent is within int64 when converted to nanoseconds. to[] must have max + 128 bytes.
 */
size_t scan_shape(char *to, size_t max, struct str unit);

/* Returns the length of the object or array at s.p[0] ('{' or '['), or 0 when it is not closed within s. */
size_t scan_skip(struct str s);

/* Returns the offset of the quote that ends the string whose text begins at s.p[0]; s.n if the string has no end. */
size_t scan_quote(struct str s);

/* Returns the offset of the first place where these four bytes are, or s.n. */
size_t scan_find(struct str s, const char four[4]);

#endif
