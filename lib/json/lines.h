/* lines: reads the lines of a source, or the elements of an array in it, up to a maximum size. */
#ifndef LINES_H
#define LINES_H

#include "json/scan.h"
#include "io/source.h"

struct line {
	/*
	 * A view into the source's window, valid until the next call. SCAN_LINES: a line without its newline or CR.
	 * SCAN_VALUES: a value, and before it the text since the end of the preceding value, such as a comma.
	 */
	struct str text;
	bool clean;      /* see struct scan_unit */
	bool cut;        /* cut off by the end of the input: a last line without a newline, or an unclosed value */
	bool partial;    /* incomplete: see lines.patience */
	uint64_t offset; /* offset of its first byte */
	uint64_t line;   /* SCAN_LINES: line number, counted from 1; blank lines are counted too */
};

struct lines {
	struct source *src;
	size_t start;  /* offset of the next line in the window */
	bool whole;    /* set it after lines_begin(): a line ends in the window, or lines_next() returns 0 */
	uint64_t over; /* number of lines longer than max_record, which were skipped */
	uint64_t over_at, over_line; /* offset and line number of the first such line */
	/* private */
	struct scan scan; /* the scan of src's window, from its first byte on */
	size_t max_record, ready, taken;
	/*
	 * If a value is longer than this, this many of its bytes are returned as `partial`, and again twice as many
	 * each time. A missing quote or bracket may be the reason: then the value includes all following text. The
	 * reader can search for the beginning of the next value, and call lines_restart() with that offset. If it does
	 * not, it gets the whole value later. So the result does not depend on the sizes of the pieces that are read.
	 */
	size_t patience;
	uint64_t line;
	bool skipping, ended;
	struct scan_unit found[256];
};

enum { LINES_PATIENCE = 1 << 20 };

/* Starts to read the lines of src, from the beginning of its window. */
void lines_begin(struct lines *u, struct source *src, enum scan_mode mode, size_t max_record);

/*
 * Reads the next line. Returns 1 for a line; 0 at the end; -1 when reading stopped early and all preceding lines have
 * been returned (the reason is src->fault). The common case needs no function call.
 */
int lines_search(struct lines *u, struct line *line); /* used by lines_next() */
static inline int lines_next(struct lines *u, struct line *line)
{
	const struct scan_unit *found = &u->found[u->taken];
	const char *p = u->src->p + u->start;
	size_t n;

	if (u->taken == u->ready || u->scan.mode != SCAN_LINES || u->skipping)
		return lines_search(u, line);
	n = found->end - u->start - 1; /* without the newline */
	if (n > u->max_record || !n || (unsigned char)p[0] <= ' ' || p[n - 1] == '\r')
		return lines_search(u, line);
	/* The scan ran ahead, so the next line may not be in the first-level cache. */
	__builtin_prefetch(u->src->p + found->end);
	__builtin_prefetch(u->src->p + found->end + 64);
	*line = (struct line){{p, n}, found->clean, false, false, u->src->offset + u->start, ++u->line};
	u->start = found->end;
	u->taken++;
	return 1;
}

/*
 * Starts again, with the initial state, at `offset`, which must be in the last line or directly after it. This is for
 * readers that found the end of a damaged value by other means.
 */
void lines_restart(struct lines *u, uint64_t offset);

/* Moves the beginning of src's window to the end of the last line that was returned. */
void lines_end(struct lines *u);

#endif
