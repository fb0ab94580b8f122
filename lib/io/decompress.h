/* decompress: decompresses gzip and zstd data in a separate thread while the caller works on the preceding data. */
#ifndef DECOMPRESS_H
#define DECOMPRESS_H

#include "base/fault.h"

#include <stdbool.h>
#include <sys/types.h>

enum { DECOMPRESS_HEAD = 128 * 1024 };

struct decompress;

/* The source of compressed bytes. The thread of the caller calls all functions except read(). */
struct decompress_input {
	/* Called by the decompression thread: the same as read(2), but not interrupted by signals. */
	ssize_t (*read)(void *arg, void *p, size_t n);
	/* Called before a wait for bytes, and repeatedly while it lasts: false ends the wait. */
	bool (*wait)(void *arg);
	void *arg;
	int fd; /* for poll(), to find out whether read() would wait; -1 if it never does */
};

/*
 * Returns whether head[0..n), the first bytes of a file, begin compressed data: 1 or 0, -1 when more bytes are needed
 * to decide.
 */
int decompress_begins(const char *head, size_t n);

/*
 * Starts with head[0..n), n <= DECOMPRESS_HEAD, for which decompress_begins() returned 1, and continues with the bytes
 * from read(). Returns NULL and sets *f when no thread can be started, or when this build does not support the format.
 */
struct decompress *decompress_open(const char *head, size_t n, const struct decompress_input *input, struct fault *f);

/*
 * Copies at most n bytes of the content to p and returns how many; 0 at the end, or when wait() returned false; -1
 * when decompression stopped early, with the reason in *fault: truncated or damaged data, a read error (an errno), or
 * FAULT_REFUSED if it needs more memory than is allowed, or a dictionary. All content before that was returned. At the
 * end and on -1, *note is set to skipped data, such as garbage after gzip; otherwise *fault and *note are not changed.
 */
ssize_t decompress_take(struct decompress *u, char *p, size_t n, struct fault *fault, struct fault *note);

/* Stops decompression; may be called at any time, also while the thread waits for input. */
void decompress_close(struct decompress *u);

#endif
