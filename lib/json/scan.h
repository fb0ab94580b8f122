/*
 * scan: where JSON values end, and whether they can be trusted, 64 bytes at a time.
 *
 * Three kernels (scalar, AVX2, AVX-512) give the same answers; the fastest one is chosen at the start,
 * or TRACEFILTERS_SIMD=scalar|avx2|avx512 chooses.
 */
#ifndef SCAN_H
#define SCAN_H

#include "base/mem.h"
#include "base/str.h"

#include <string.h>

enum { SCAN_PAD = 64 };

/* Makes a text fit to be scanned: with SCAN_PAD readable bytes behind it; its length stays. */
static inline void scan_pad(struct buf *b)
{
	memset(buf_room(b, SCAN_PAD), 0, SCAN_PAD);
}

enum scan_mode {
	SCAN_LINES,  /* a unit ends with each newline: NDJSON */
	SCAN_VALUES, /* a unit ends with the bracket that closes it: the elements of an array */
};

/*
 * One unit: it begins where the one before ended. `clean` speaks of its frame: strings and brackets
 * close, no control character in a string, no backslash, only ASCII, and lines are not nested deeply. What stands
 * between the tokens was not looked at: that is scan_clean(). Not clean means only that somebody must look closer.
 */
struct scan_unit {
	size_t end;
	bool clean;
};

/* What is carried from block to block; in_string is all zeros or all ones, escaped and closed 0 or 1. */
struct scan_state {
	uint64_t in_string, escaped, closed;
	int64_t depth;
	uint64_t doubt; /* about the unit in progress: not 0 */
};

struct scan {
	enum scan_mode mode;
	size_t at;      /* how far p[] was scanned for good */
	/* private */
	size_t end;     /* of the last unit that was handed out; it may lie behind `at` */
	struct scan_state state; /* at `at` */
};

enum { SCAN_UNITS_LEAST = 128 };

/*
 * Chooses the kernel; the first use of the others does so too. False when this machine has none of the name in
 * TRACEFILTERS_SIMD: the fastest one is used.
 */
bool scan_choose(void);

void scan_init(struct scan *s, enum scan_mode mode);

/*
 * Finds units in p[0..n), where p[0] is the byte the scan began with: each call gets the same bytes
 * again with more behind them (moved, if need be). Stores up to `max` (>= SCAN_UNITS_LEAST) units and
 * returns how many; 0 means that p[0..n) holds no more whole ones. SCAN_VALUES: a closing bracket without
 * an opening one is a unit as well, the last one. SCAN_PAD bytes behind p[n) must be readable.
 */
size_t scan_run(struct scan *s, const char *p, size_t n, struct scan_unit *units, size_t max);

/* The first `n` <= s->at bytes are gone: p of the next call is p + n of the last one. */
void scan_drop(struct scan *s, size_t n);

/*
 * Whether the text is one object or array with nothing but white space round it, and JSON but for what takes
 * a memory of the way: which bracket closes which, and commas and colons in their turn.
 * True says that it is; a walk (json/iter) sees the rest of its level. False says only that somebody must
 * look closer (json_check): a letter or an exponent outside strings does, and all that makes a unit not clean.
 *
 * Here and below, SCAN_PAD bytes behind the text must be readable; what they hold is of no matter.
 */
bool scan_clean(struct str s);

struct scan_squeezed {
	size_t n, used;          /* bytes written; bytes read, up to the value's last bracket */
	bool clean;              /* as scan_clean() says */
	unsigned braces, colons; /* how many there were. An object of one brace whose members, counted by a
	                            walk, are as many as its colons, and that is clean, is JSON for certain */
};

/*
 * Copies the object or array that begins at s.p[0] to `to` without the white space between its tokens.
 * to[] must have s.n + 64. Where it is not clean or does not end within s, what was written is still the
 * text without white space outside strings.
 */
struct scan_squeezed scan_squeeze(char *to, struct str s);

/*
 * Writes the shape of a unit that scan_run() found clean, or of what follows one of its strings: the text without what
 * is in its strings, without white space but for the first byte after a number or word, and with each run of digits as
 * one 0 (two when it begins with a needless 0). Of two units with the same shape both are JSON, or none is. Returns the
 * length, 0 when it is over max, or when 17 digits follow each other, or 16 from a 9 on: so a number of microseconds is
 * within int64 in nanoseconds if it has no exponent. to[] has max + 128 bytes.
 */
size_t scan_shape(char *to, size_t max, struct str unit);

/* The length of the bracketed value at s.p[0] ('{' or '['), 0 when it does not close within s. */
size_t scan_skip(struct str s);

/* Offset of the quote that ends the string whose text begins at s.p[0]; s.n when there is none. */
size_t scan_quote(struct str s);

#endif
