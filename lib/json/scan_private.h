/* scan_private: the classes of bytes, the functions of a kernel, and code shared by the kernels. */
#ifndef SCAN_PRIVATE_H
#define SCAN_PRIVATE_H

#include "json/scan.h"

/* Masks of the bytes of a block by class, one bit for each byte. These are sufficient to find the ends of values. */
struct scan_frame {
	uint64_t quote, open, close, newline;
	uint64_t odd; /* not 0 when there is a backslash, a control character other than newline, or a byte over 127 */
};

/* Masks that are needed only for blocks that contain `odd` bytes or begin with an escaped byte. */
struct scan_oddities {
	uint64_t backslash, control, high; /* control: newline included */
};

/* Masks that are needed in addition to check the text between strings and brackets. */
struct scan_masks {
	uint64_t bracket, bracket_end, colon, comma, space, digit, zero, nine, dot, minus;
	uint64_t structural; /* brackets, colons, commas */
};

/* The functions of scan.h for one instruction set. */
struct scan_kernel {
	size_t (*run)(struct scan *s, const char *p, size_t n, struct scan_unit *units, size_t max);
	size_t (*clean)(struct str text);
	struct scan_squeezed (*squeeze)(char *to, struct str text);
	size_t (*skip)(struct str text);
	size_t (*quote)(struct str text);
	size_t (*shape)(char *to, size_t max, struct str text);
};

/* Each function returns its kernel, or NULL if this machine cannot run it. */
const struct scan_kernel *scan_kernel_scalar(void);
const struct scan_kernel *scan_kernel_avx2(void);
const struct scan_kernel *scan_kernel_avx512(void);

/* Lines nested deeper than this are not clean: they need json_check(), which determines their depth exactly. */
enum { DEEP = 512 };

/* A mask of the lowest n bits. */
#define BELOW(n) ((n) >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << (n)) - 1)

/*
 * Copies the bytes in `keep`, run by run. Each copy is 64 bytes long; the next one overwrites the bytes after the run.
 */
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
 * Prevents a compiler from computing with masks in vector registers, where each operation takes four times as long.
 * This matters because scan_shape() combines masks in a long chain of dependent operations.
 */
#define GENERAL_REGISTERS(a, b, c, d) __asm__("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d))

/* Appends the bytes in `keep`, with each digit replaced by 0. */
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
