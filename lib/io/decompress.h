/* decompress: decompresses gzip and zstd data in a separate thread while the caller works on the preceding data. */
#ifndef DECOMPRESS_H
#define DECOMPRESS_H

#include "base/fault.h"
#include "base/str.h"

#include <sys/types.h>

enum { DECOMPRESS_HEAD = 128 * 1024 };

struct decompress;

/* The source of compressed bytes. The decompression thread calls only read(); the caller's thread calls wait(). */
struct decompress_input {
	/* The same as read(2), but not interrupted by signals. */
	ssize_t (*read)(void *arg, void *p, size_t n);
	/* Called before waiting for bytes, and repeatedly while waiting; returns false to end the wait. */
	bool (*wait)(void *arg);
	void *arg;
	int fd; /* for poll(), to find out whether read() would wait; -1 if it never waits */
};

/*
 * Returns 1 when head[0..n), the first bytes of a file, are the beginning of compressed data; 0 when they are not; -1
 * when more bytes are needed to decide.
 */
int decompress_begins(const char *head, size_t n);

/*
 * Starts to decompress a file. head[0..n), n <= DECOMPRESS_HEAD, are its first bytes, for which decompress_begins()
 * returned 1; read() returns the following bytes. Returns NULL and sets *f when no thread can be started, or when this
 * build does not support the format.
 */
struct decompress *decompress_open(const char *head, size_t n, const struct decompress_input *input, struct fault *f);

/*
 * Copies at most n bytes of the content to p and returns how many. Returns 0 at the end, or when wait() returned false.
 * Returns -1 when decompression has stopped early and all content preceding the fault has been returned; *fault is the
 * reason: truncated or damaged data, a read error (an errno), or FAULT_REFUSED if decompression needs a dictionary or
 * more memory than is allowed. When it returns -1, or 0 at the end, *note reports skipped data, such as garbage after
 * gzip. In all other cases, *fault and *note are not changed.
 */
ssize_t decompress_take(struct decompress *u, char *p, size_t n, struct fault *fault, struct fault *note);

/* Stops decompression; may be called at any time, also while the thread waits for input. */
void decompress_close(struct decompress *u);

/* --- data that is completely in memory, such as a part of a file --- */

enum decompress_block {
	DECOMPRESS_BLOCK_ZLIB,    /* deflate with the header of zlib */
	DECOMPRESS_BLOCK_DEFLATE, /* deflate without a header */
	DECOMPRESS_BLOCK_ZSTD,
};

/*
 * Appends the content of `in` to *out, at most `max` bytes. Returns false and sets f->what when the data is damaged,
 * cut short or larger than `max`, or when this build cannot read it; everything that precedes the fault has been
 * appended.
 */
bool decompress_block(enum decompress_block kind, struct str in, size_t max, struct buf *out, struct fault *f);

#endif
