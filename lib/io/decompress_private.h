/* decompress_private: what decompress.c and its formats, decompress_gzip.c and decompress_zstd.c, share. */
#ifndef DECOMPRESS_PRIVATE_H
#define DECOMPRESS_PRIVATE_H

#include "base/fault.h"

#include <stdbool.h>

/* What a call of decode() works on: it moves `in` and `out` over what it took and gave. */
struct decompress_data {
	unsigned char *in;
	size_t n; /* bytes at `in` */
	unsigned char *out;
	size_t room; /* at `out` */
	bool full;   /* the call before filled all room, and may have more to give without more input */
};

enum decompress_step {
	DECOMPRESS_MORE,   /* goes on with more input or more room */
	DECOMPRESS_END,    /* of a member (zstd: a frame): behind it comes another one, or nothing */
	DECOMPRESS_FAILED, /* f->what says why, f->error as in struct fault */
};

/* The bytes that a member begins with; of the first one only the bits in `mask` count. */
struct decompress_magic {
	const char *p;
	size_t n;
	unsigned char mask;
};

/*
 * A format: members, one after the other, and nothing kept from one to the next. All that decode() gave before it
 * failed is good, so it may not take so much at once that an error hides what came before.
 */
struct decompress_format {
	struct decompress_magic magics[2]; /* the second one may be empty */
	void *(*new)(void);            /* ready for the first member; NULL where the build lacks the format */
	void (*reset)(void *state);    /* ready for the next one */
	enum decompress_step (*decode)(void *state, struct decompress_data *d, struct fault *f);
	void (*free)(void *state);
	const char *lacking, *cut, *garbage; /* messages */
	bool padded;                         /* garbage behind the last member does no harm */
};

extern const struct decompress_format decompress_gzip, decompress_zstd;

#endif
