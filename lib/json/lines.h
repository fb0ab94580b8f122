/* lines: the lines of a source, or the elements of its array, one after the other, bounded in size. */
#ifndef LINES_H
#define LINES_H

#include "json/scan.h"
#include "io/source.h"

struct line {
	struct str text;  /* in the source's window: ends with the next call. A line has no newline or CR at
	                     its end; a value has everything from the end of the one before, commas too */
	bool clean;       /* see struct scan_unit */
	bool cut;         /* the input ended inside it: a last line without newline, an open value */
	bool partial;     /* it goes on: see lines.patience */
	uint64_t offset;  /* of its first byte */
	uint64_t line;    /* SCAN_LINES: counts from 1, blank lines too */
};

struct lines {
	struct source *src;
	size_t start;          /* where in the window the next line begins */
	uint64_t over;         /* lines over max_record that were passed over */
	uint64_t over_at, over_line; /* the first of them */
	/* private */
	struct scan scan;      /* of src's window, from its first byte on */
	size_t max_record, ready, taken;
	/*
	 * A value that is longer without having ended is handed out as it is, `partial`, and again when it
	 * has doubled: where an open string or bracket swallows all that follows, the reader can find where
	 * the next value begins and lines_restart() there; else the whole value comes in the end.
	 */
	size_t patience;
	uint64_t line;
	bool skipping, ended;
	struct scan_unit found[256];
};

enum { LINES_PATIENCE = 1 << 20 };

/* Lines of what src holds from its window on. */
void lines_begin(struct lines *u, struct source *src, enum scan_mode mode, size_t max_record);

/* 1 a line; 0 the end; -1 reading stopped (src->fault): the lines before it were all handed out. */
int lines_next(struct lines *u, struct line *line);

/*
 * The next line begins at `offset`, which lies in the last line or right behind it, with a fresh state:
 * for readers that found the end of a damaged value by other means.
 */
void lines_restart(struct lines *u, uint64_t offset);

/* Leaves src's window right behind the last line. */
void lines_end(struct lines *u);

#endif
