/*
 * member_writer: writes the member kernels of a job as records with complete metadata, in the form of PyTorch. Reading
 * these records gives the same collectives as reading the traces, without the records of the host.
 */
#ifndef MEMBER_WRITER_H
#define MEMBER_WRITER_H

#include "job.h"
#include "record/event.h"

/* Returns whether a record has metadata of a rank. Such records are written unchanged, besides the kernels. */
bool member_writer_is_rank(struct event *e);

/* Writes one record for each member kernel, in the order of the job. Call it after job_sort(). */
void member_writer_write(struct job *j, struct out *out);

#endif
