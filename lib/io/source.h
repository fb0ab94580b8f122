/* source: reads the bytes of a file or of standard input, and decompresses gzip and zstd. */
#ifndef SOURCE_H
#define SOURCE_H

#include "base/diagnostics.h"

#include <stdatomic.h>
#include <sys/types.h>

/*
 * The number of readable bytes after the window, at least SCAN_PAD. Their values do not matter: they make loads of
 * several bytes at the end of the window safe.
 */
enum { SOURCE_PAD = 64 };

/*
 * A function that gives the content of a source instead of a file. read() returns the number of bytes, 0 at the end, or
 * -1 after it has set *fault. It may set *note: see struct source.
 */
struct source_feed {
	ssize_t (*read)(void *arg, char *p, size_t n, struct fault *fault, struct fault *note);
	void *arg;
};

/*
 * A window into the content: p[0..n) has been read, but not yet consumed. source_more() and source_skip() move it;
 * views into it are valid until the next source_more().
 */
struct source {
	/* The name of the file for messages: the path, or "stdin". The caller may change it; it must remain valid. */
	const char *file;
	const char *p;
	size_t n;
	uint64_t offset; /* offset of p[0] in the (decompressed) content */
	/*
	 * The reason why reading stopped before the end, set when source_more() returned -1: a read failure or a
	 * refusal if `error` is set, otherwise damage (truncated gzip, a bad CRC).
	 */
	struct fault fault;
	struct fault note; /* skipped data, which is reported but harmless: garbage after gzip */
	/* read: number of bytes read so far; size: size of the file, 0 when unknown; both before decompression */
	atomic_uint_fast64_t read;
	uint64_t size;
	/* private */
	int fd;
	char *buf; /* the buffer of the window: cap bytes, followed by SOURCE_PAD bytes */
	size_t cap, read_most;
	bool regular, begun, ended;
	bool lent; /* the window is the caller's text, not in buf: see source_lend() */
	struct source_feed feed;
	struct decompress *unpack; /* NULL when the input is not compressed */
	uint64_t end;              /* reading ends when `read` is this; UINT64_MAX: at the end of the file */
	bool (*idle)(void *arg);
	void *idle_arg;
};

/*
 * Opens a path, which must remain valid ("-" is standard input); reads nothing yet. Returns NULL and sets *f when it
 * cannot be opened or is a directory.
 */
struct source *source_open(const char *path, struct fault *f);

/*
 * Makes a source without a file. `file` must remain valid. If feed.read is NULL, source_lend() gives all of the
 * content.
 */
struct source *source_new(const char *file, struct source_feed feed);

/*
 * Replaces the window by a text at this offset of the content, without copying it. The text must be valid, and
 * SOURCE_PAD bytes after it readable, until the next source_more() or source_lend(). feed.read() must
 * then return the content that follows the text.
 */
void source_lend(struct source *s, struct str text, uint64_t offset);

/* Piece `number`, counted from 1, of the `of` pieces of a file; if `of` is 0, the whole file. */
struct source_piece {
	uint64_t number, of;
};

/*
 * Restricts a source, of which nothing has been read, to the lines that begin in a piece of the file. The pieces have
 * about the same number of bytes, in whole lines, and every line is in exactly one of them. Sets s->offset to the
 * offset of the first line. Returns false and sets *f when the file is not a regular one or is compressed, or when it
 * cannot be read.
 */
bool source_set_piece(struct source *s, struct source_piece piece, struct fault *f);

/*
 * Adds at least one byte to the window and returns 1. Returns 0 at the end. Returns -1 when a fault (s->fault) stopped
 * the reading and all bytes before it have been returned. After 0 or -1, further calls return the same.
 */
int source_more(struct source *s);

/*
 * Moves bytes from the source to p, at most n, past the window when this is empty. Returns their number, and 0 or -1 as
 * source_more() does. At least one byte must have been read before.
 */
ssize_t source_take(struct source *s, char *p, size_t n);

/* Removes the first n bytes, n <= s->n, from the window. */
static inline void source_skip(struct source *s, size_t n)
{
	s->p += n;
	s->n -= n;
	s->offset += n;
}

/*
 * Sets a function that is called before a wait for input and whenever a signal interrupts the wait; it should flush
 * pending output. When it returns false, the input ends there, as at the end of the file.
 */
void source_on_idle(struct source *s, bool (*idle)(void *arg), void *arg);

/*
 * Returns the descriptor of the file if pread() gives its content: the file is a regular one that is not compressed,
 * and at least one byte has been read. Otherwise returns -1. The source owns the descriptor.
 */
int source_descriptor(const struct source *s);

/*
 * Call this at the end of reading. Reports damage and skipped data of the file to the diagnostics. Returns false when
 * s->fault is not damage but a failure, which the caller must report.
 */
bool source_judge(struct source *s, struct diagnostics *t);

void source_close(struct source *s);

#endif
