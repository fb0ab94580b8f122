/*
 * collective_writer: computes the figures of each collective (who came last, who waited, how long the transfer took),
 * and writes records of collectives, or the records of member kernels with their collective.
 */
#ifndef COLLECTIVE_WRITER_H
#define COLLECTIVE_WRITER_H

#include "rank_clocks.h"

#include "io/spool.h"

struct collective_writer;

/* Sorts the collectives by ts. The arguments must remain valid. */
struct collective_writer *collective_writer_new(struct collectives *all, const struct rank_clocks *clocks);
void collective_writer_free(struct collective_writer *w);

/* Writes one record for each collective. */
void collective_writer_write(struct collective_writer *w, struct out *out);

/*
 * Writes the records of all member kernels, each with the attachment `coll`: `records` has them in the order in which the
 * kernels were added, each preceded by its length as a size_t. Records that job_sort() removed are left out. The results
 * are stored in the kernels, instead of members that are no longer needed, so after this call nothing else can be
 * written. Returns false, with *f set, when the records cannot be read.
 */
bool collective_writer_write_members(
    struct collective_writer *w, struct spool *records, struct out *out, struct fault *f);

#endif
