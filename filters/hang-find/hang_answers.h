/* hang_answers: the records of hang-find: its answers in words and numbers, and what they rest on. */
#ifndef HANG_ANSWERS_H
#define HANG_ANSWERS_H

#include "io/out.h"
#include "waits.h"

/*
 * Writes a record for each answer (name answer), for each rank with a dump (rank), and for each group (group). Returns
 * whether something is open.
 */
bool hang_answers_write(const struct waits *w, struct out *out);

/* Appends ranks as text: "rank 9", "ranks 9 and 14", "ranks 8 to 15"; the first 100 of many. */
void hang_answers_put_ranks(struct buf *b, const int64_t *ranks, size_t n);

#endif
