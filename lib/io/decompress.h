/* decompress: what gzip or zstd packed, unpacked by a thread of its own while the caller works on what came before. */
#ifndef DECOMPRESS_H
#define DECOMPRESS_H

#include "base/fault.h"

#include <stdbool.h>
#include <sys/types.h>

enum { DECOMPRESS_HEAD = 128 * 1024 };

struct decompress;

/* Where packed bytes come from. All but read() is called by the thread that takes. */
struct decompress_input {
	/* By the thread of its own: as read(2), but that no signal interrupts it. */
	ssize_t (*read)(void *arg, void *p, size_t n);
	/* Before a wait for bytes, and now and then while it lasts: false ends it. */
	bool (*wait)(void *arg);
	void *arg;
	int fd; /* poll() says whether read() would wait; -1 when it never does */
};

/* Whether head[0..n), a file's first bytes, begin packed data: 1 or 0, -1 when more bytes are needed to say. */
int decompress_begins(const char *head, size_t n);

/*
 * Begins with head[0..n), n <= DECOMPRESS_HEAD, of which decompress_begins() said 1, and goes on with what read() gives.
 * NULL when that cannot be: there is no thread to be had, or this build lacks the format; *f says so.
 */
struct decompress *decompress_open(const char *head, size_t n, const struct decompress_input *input, struct fault *f);

/*
 * Some of the content, n bytes at most, to p: how many; 0 at the end, or when wait() had enough; -1 when it
 * stopped early, with why in *fault: data that is cut or damaged, a read error (an errno), or FAULT_REFUSED where
 * it takes more memory than is given, or a dictionary. All content before that was given. Then, and at the end,
 * *note has what was passed over, garbage behind gzip; else neither is touched.
 */
ssize_t decompress_take(struct decompress *u, char *p, size_t n, struct fault *fault, struct fault *note);

/* At any time, also while the thread waits for input. */
void decompress_close(struct decompress *u);

#endif
