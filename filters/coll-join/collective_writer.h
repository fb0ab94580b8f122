/*
 * collective_writer: computes the timing of each collective (who came last, who waited, how long the transfer took),
 * and writes records of collectives, or the records of member kernels with their collective.
 */
#ifndef COLLECTIVE_WRITER_H
#define COLLECTIVE_WRITER_H

#include "rank_clocks.h"

#include "io/spool.h"

/* Writes one record for each collective, in the order of ts. */
void collective_writer_write(struct collectives *all, const struct rank_clocks *clocks, struct out *out);

/*
 * collective_writer_store() stores the record of a member kernel; to be called for each of them, in the order in which
 * they are added to the job. collective_writer_write_members() writes these records, each with the attachment `coll`;
 * those that job_sort() removed are left out. The results are stored in the kernels, instead of members that are no
 * longer needed, so nothing else can be written afterwards. Both return false, with *f set, when a temporary file
 * cannot be created, written or read.
 */
bool collective_writer_store(struct spool *records, struct str record, struct fault *f);
bool collective_writer_write_members(
    struct collectives *all, const struct rank_clocks *clocks, struct spool *records, struct out *out, struct fault *f);

#endif
