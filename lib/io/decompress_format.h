/* decompress_format: the contract of a format, which decompress_gzip.c and decompress_zstd.c fulfil. */
#ifndef DECOMPRESS_FORMAT_H
#define DECOMPRESS_FORMAT_H

#include "base/fault.h"

/* The input and output of a call of decode(), which moves `in` and `out` past the bytes that it read and wrote. */
struct decompress_data {
	unsigned char *in;
	size_t n; /* number of bytes at `in` */
	unsigned char *out;
	size_t room; /* number of free bytes at `out` */
	bool full;   /* the preceding call filled all room, so more output may be pending */
	bool last;   /* no bytes follow those at `in` */
};

enum decompress_step {
	DECOMPRESS_MORE,   /* needs more input or more room to continue */
	DECOMPRESS_END,    /* end of a member (zstd: a frame): another member may follow */
	DECOMPRESS_FAILED, /* f->what is the reason, f->error as in struct fault */
};

/* The bytes that a member begins with; in the first byte, only the bits of `mask` are compared. */
struct decompress_magic {
	const char *p;
	size_t n;
	unsigned char mask;
};

/*
 * A format: a sequence of independent members. The output that precedes damaged input is valid and must not be lost. A
 * library may lose the output of a call that fails, so decode() must consume little input in each call.
 */
struct decompress_format {
	struct decompress_magic magics[2]; /* magics[1] may be empty */
	/* Returns a state for the first member; NULL if the build does not support the format. */
	void *(*new)(int bits);
	int bits;
	void (*reset)(void *state); /* prepares the state for the next member */
	enum decompress_step (*decode)(void *state, struct decompress_data *d, struct fault *f);
	void (*free)(void *state);
	const char *lacking, *cut, *garbage; /* messages */
	bool padded;                         /* garbage after the last member is harmless */
};

extern const struct decompress_format decompress_gzip, decompress_zstd;
/* These two formats have no magic and no reset(): only decompress_block() uses them. */
extern const struct decompress_format decompress_zlib, decompress_deflate;

#endif
