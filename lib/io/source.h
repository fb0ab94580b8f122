/* source: the bytes of a file or of standard input, unpacked when they are gzip or zstd. */
#ifndef SOURCE_H
#define SOURCE_H

#include "base/diagnostics.h"
#include "base/str.h"

/* Bytes behind the window that may be read (not used), so that wide loads need no care; at least SCAN_PAD. */
enum { SOURCE_PAD = 64 };

struct source_private;

/*
 * A window into the content: p[0..n) was read and not yet consumed. It moves with source_more() and
 * source_skip(), and views into it end with the next source_more().
 */
struct source {
	const char *file;    /* its name for messages: the path, or "stdin"; the caller may change it, and it must stay */
	const char *p;
	size_t n;
	uint64_t offset;     /* of p[0] in the (unpacked) content */
	struct fault fault;  /* why reading stopped before the end, once source_more() returned -1: with
	                        an error a read failure or a refusal, without one damage (cut
	                        gzip, a bad CRC) */
	struct fault note;   /* what was passed over, told but harmless: garbage after gzip */
	/* private */
	struct source_private *in;
};

/*
 * Opens a path, which must stay ("-" is standard input); nothing is read yet. NULL when it cannot be opened or is a
 * directory; *f says why.
 */
struct source *source_open(const char *path, struct fault *f);

/*
 * Adds at least one byte to the window: 1; 0 at the end; -1 when reading stopped (s->fault), after
 * every byte before the fault was handed out. Both stay once returned.
 */
int source_more(struct source *s);

/* The first n (<= s->n) bytes of the window were used. */
static inline void source_skip(struct source *s, size_t n)
{
	s->p += n;
	s->n -= n;
	s->offset += n;
}

/*
 * Before a wait for input, and whenever a signal interrupts one, idle(arg) is called: flush what is
 * ready. When it returns false the input ends there, as if the file did.
 */
void source_on_idle(struct source *s, bool (*idle)(void *arg), void *arg);

/* Bytes of the file read so far and in all (0 when not known), as they lie there: compressed or not. */
void source_progress(const struct source *s, uint64_t *done, uint64_t *all);

/*
 * Counts damage of the file and what was passed over, for the end of reading. False when s->fault is a failure instead,
 * which the caller reports.
 */
bool source_judge(struct source *s, struct diagnostics *t);

void source_close(struct source *s);

#endif
