/* scan_private: the classes of bytes, what a kernel is, and what the kernels share. */
#ifndef SCAN_PRIVATE_H
#define SCAN_PRIVATE_H

#include "json/scan.h"

/* Masks of the bytes of a block by class, one bit a byte. These find the ends of values. */
struct scan_frame {
	uint64_t quote, open, close, newline;
	uint64_t odd; /* not 0: there is a backslash, a control character but newline, or a byte over 127 */
};

/* Needed for few blocks: those with `odd` bytes, and those that begin with an escaped byte. */
struct scan_oddities {
	uint64_t backslash, control, high; /* control: with newline */
};

/* Needed in addition to check the text between strings and brackets. */
struct scan_masks {
	uint64_t bracket, bracket_end, colon, comma, space, digit, zero, nine, dot, minus;
	uint64_t structural; /* brackets, colons, commas */
};

/* The functions of scan.h, for one instruction set. */
struct scan_kernel {
	size_t (*run)(struct scan *s, const char *p, size_t n, struct scan_unit *units, size_t max);
	size_t (*clean)(struct str text);
	struct scan_squeezed (*squeeze)(char *to, struct str text);
	size_t (*skip)(struct str text);
	size_t (*quote)(struct str text);
	size_t (*shape)(char *to, size_t max, struct str text);
};

/* Each returns its kernel, NULL where this machine cannot run it. */
const struct scan_kernel *scan_kernel_scalar(void);
const struct scan_kernel *scan_kernel_avx2(void);
const struct scan_kernel *scan_kernel_avx512(void);

/* Deeper than this json_check counts exactly. */
enum { DEEP = 512 };

/* The lowest n bits. */
#define BELOW(n) ((n) >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << (n)) - 1)

/* Copies the runs of bytes that are kept; each copy is 64 bytes wide, and the next one overwrites the excess. */
static inline char *squeeze_runs(char *to, const char *p, uint64_t keep)
{
	unsigned from, n;

	if (keep == ~(uint64_t)0) {
		memcpy(to, p, 64);
		return to + 64;
	}
	while (keep) {
		from = (unsigned)__builtin_ctzll(keep);
		n = (unsigned)__builtin_ctzll(~(keep >> from));
		memcpy(to, p + from, 64);
		to += n;
		if (from + n >= 64)
			break;
		keep &= ~(uint64_t)0 << (from + n);
	}
	return to;
}

/*
 * Keeps a compiler from computing with masks in vector registers, where each operation takes four times as long: the
 * masks of a shape are combined in a long chain.
 */
#define GENERAL_REGISTERS(a, b, c, d) __asm__("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d))

/* Appends the bytes that are kept, each digit as a 0. */
static inline char *shape_loop(char *to, const char *p, uint64_t keep, uint64_t digits)
{
	unsigned i;

	for (; keep; keep &= keep - 1) {
		i = (unsigned)__builtin_ctzll(keep);
		*to++ = digits >> i & 1 ? '0' : p[i];
	}
	return to;
}

#endif
