/* partial_private: the first line of a partial result, for partial_write.c and partial_merge.c. */
#ifndef PARTIAL_PRIVATE_H
#define PARTIAL_PRIVATE_H

#include "cli/partial.h"

/* The version of the lines; increase it when partial results of older versions cannot be merged any more. */
#define PARTIAL_VERSION 2

/* Appends the first line. */
void partial_write_question(const struct partial *p, struct buf *line);

#endif
