/* marks: --marks: writes the boxes of a picture as records, which a report can show (report(5)). */
#ifndef MARKS_H
#define MARKS_H

#include "base/mem.h"
#include "io/out.h"

enum {
	MARKS_COLUMNS = 1000, /* boxes narrower than this part of the picture are joined or left out */
	MARKS_MOST = 3000,    /* number of frames of a flame graph */
};

/* Begins a record; the caller adds members to *line. Ends it, and writes it. */
void marks_begin(struct buf *line);
void marks_end(struct buf *line, struct out *out);

/* Adds a number: as an integer, if it is one. */
void marks_add_number(struct buf *line, const char *key, double v);

#endif
