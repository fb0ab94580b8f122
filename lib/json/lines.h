/* lines: reads the lines of a source, or the elements of its array, one after the other, with a limit on their size. */
#ifndef LINES_H
#define LINES_H

#include "json/scan.h"
#include "io/source.h"

struct line {
	/*
	 * In the source's window; valid until the next call. A line is without its newline or CR; a value includes all
	 * text since the end of the preceding value, such as commas.
	 */
	struct str text;
	bool clean;      /* see struct scan_unit */
	bool cut;        /* the input ended inside it: a last line without newline, or an unclosed value */
	bool partial;    /* incomplete: see lines.patience */
	uint64_t offset; /* offset of its first byte */
	uint64_t line;   /* SCAN_LINES: line number from 1; blank lines are counted */
};

struct lines {
	struct source *src;
	size_t start;                /* offset in the window of the next line */
	uint64_t over;               /* number of lines over max_record, which were skipped */
	uint64_t over_at, over_line; /* offset and line number of the first of them */
	/* private */
	struct scan scan; /* covers src's window from its first byte on */
	size_t max_record, ready, taken;
	/*
	 * An unclosed value longer than this is returned incomplete, as `partial`, and again each time its length has
	 * doubled. If an unclosed string or bracket includes all following text, the reader can find where the next
	 * value begins and call lines_restart() there; otherwise it gets the whole value at the end.
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
 * Reads the next line. Returns 1 for a line; 0 at the end; -1 when reading stopped (src->fault), after all preceding
 * lines were returned.
 */
int lines_next(struct lines *u, struct line *line);

/*
 * Starts again at `offset`, which is in the last line or directly after it, with the initial state: for readers that
 * found the end of a damaged value by other means.
 */
void lines_restart(struct lines *u, uint64_t offset);

/* Moves the beginning of src's window to the end of the last line. */
void lines_end(struct lines *u);

#endif
