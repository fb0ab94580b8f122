/* member_file: stores the records of member kernels in a temporary file, until their collectives are known. */
#ifndef MEMBER_FILE_H
#define MEMBER_FILE_H

#include "collective_writer.h"

/* Zero-initialise it and call member_file_open(). */
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
 * removed are left out. The notes must have been taken.
 */
bool member_file_write(struct member_file *m, struct collective_writer *w, struct out *out, struct fault *f);

void member_file_close(struct member_file *m);

#endif
