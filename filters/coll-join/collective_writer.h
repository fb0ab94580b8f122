/*
 * collective_writer: computes the figures of each collective (who came last, who waited, how long the transfer took),
 * and writes records of collectives, or the records of member kernels with their collective.
 */
#ifndef COLLECTIVE_WRITER_H
#define COLLECTIVE_WRITER_H

#include "rank_clocks.h"

struct collective_writer;

/* Sorts the collectives by ts. The arguments must remain valid. */
struct collective_writer *collective_writer_new(struct collectives *all, const struct rank_clocks *clocks);
void collective_writer_free(struct collective_writer *w);

/* Writes one record for each collective. */
void collective_writer_write(struct collective_writer *w, struct out *out);

/* The records of all member kernels in a temporary file, until their collectives are known. Zero-initialise it. */
struct member_file {
	/* private */
	int fd;
	uint64_t size; /* bytes written to the file */
	struct buf buf;
};

/* These functions return false, with *f set, when the file cannot be created, written or read. */
bool member_file_open(struct member_file *m, struct fault *f);
bool member_file_add(struct member_file *m, struct str record, struct fault *f);

/*
 * Writes the records in the order in which they were added, each with the attachment `coll`. Records that job_sort()
 * removed are left out. The results are stored in the kernels, instead of members that are no longer needed, so after
 * this call nothing else can be written.
 */
bool collective_writer_write_members(
    struct collective_writer *w, struct member_file *m, struct out *out, struct fault *f);

void member_file_close(struct member_file *m);

#endif
