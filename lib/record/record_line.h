/* record_line: records that a program makes member by member, with the functions of json/write. */
#ifndef RECORD_LINE_H
#define RECORD_LINE_H

#include "io/out.h"

/* Replaces the content of *line by the beginning of a record. `kind` is its first member, or NULL. */
void record_line_begin(struct buf *line, const char *kind);

/* Ends the record, and writes the line. */
void record_line_end(struct buf *line, struct out *o);

#endif
