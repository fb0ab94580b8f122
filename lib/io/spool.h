/*
 * spool: data that does not fit in memory: it is appended to a temporary file, and then read or changed at any offset
 * through windows. Data of less than SPOOL_MEMORY bytes stays in memory, and needs no file.
 */
#ifndef SPOOL_H
#define SPOOL_H

#include "io/source.h"

enum { SPOOL_MEMORY = 256 * 1024 };

/* Initialise it with spool_init(). */
struct spool {
	uint64_t size;
	/* private */
	int fd; /* -1 as long as everything is in memory */
	bool borrowed;
	struct buf tail; /* the last bytes, which are not in the file yet */
};

/* A part of the spool in memory. Zero-initialise it. Each place that reads sequentially has its own window. */
struct spool_window {
	/* private */
	uint64_t at;
	struct buf bytes;
	bool changed;
};

void spool_init(struct spool *spool);

/* Appends n bytes. All functions return false or NULL on failure, and set *f. */
bool spool_add(struct spool *spool, const void *p, size_t n, struct fault *f);

/*
 * For input that is read at any offset: the content of the source from its first byte on. If it is a regular file that
 * is not compressed, the spool reads this file; otherwise the content is copied.
 */
bool spool_source(struct spool *spool, struct source *src, struct fault *f);

/*
 * Returns n > 0 bytes at the offset `at`, which must be within the size. The bytes are valid until the next call with
 * the same window and until bytes are appended; SOURCE_PAD bytes after them are readable.
 */
const char *spool_read(struct spool *spool, struct spool_window *window, uint64_t at, size_t n, struct fault *f);

/* Replaces n <= SPOOL_MEMORY bytes. The change is visible to other windows only after spool_write_end(). */
bool spool_write(
    struct spool *spool, struct spool_window *window, uint64_t at, const void *p, size_t n, struct fault *f);
bool spool_write_end(struct spool *spool, struct spool_window *window, struct fault *f);

/* Removes everything from a spool that is read through one window and never changed. The file is used again. */
void spool_clear(struct spool *spool, struct spool_window *window);

void spool_window_free(struct spool_window *window);
void spool_free(struct spool *spool);

#endif
