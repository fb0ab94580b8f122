/*
 * member_reader: reads the records of a job into the store: member kernels with their metadata, and the metadata of
 * ranks. The metadata are in the args of a kernel, or else in records of the host: in the operator record_param_comms,
 * or in a range such as nccl:all_reduce.
 */
#ifndef MEMBER_READER_H
#define MEMBER_READER_H

#include "program/opt.h"
#include "job.h"
#include "record/input.h"

enum { MEMBER_READER_KINDS = 1u << KIND_KERNEL | 1u << KIND_OP | 1u << KIND_API | 1u << KIND_RANGE | 1u << KIND_META };

/* Until the end of a file, it stores 24 bytes for each call of the host, and 64 bytes for each operator and range. */
struct member_reader;

/* Makes a reader for the records of `in`; both arguments must remain valid. */
struct member_reader *member_reader_new(struct job *j, struct input *in);
void member_reader_free(struct member_reader *r);

/* Adds the kernels that the option --op REGEX=OP[:BYTES] names. */
void member_reader_add_custom(struct member_reader *r, const struct opt_value *v);

/*
 * Stores a record of the input, and sets *is_member to whether it is a member kernel. Returns NULL, or the
 * reason why the program must end, as static text: the record has no rank, or its rank was in another file.
 */
const char *member_reader_add(struct member_reader *r, struct event *e, bool *is_member);

/*
 * Call it at the end of each file, before job_sort(). Completes the kernels without metadata by those of the host, and
 * sets *has_records to whether the file has records. Returns NULL, or the reason why the program must end: the file has
 * records, but no rank.
 */
const char *member_reader_end_file(struct member_reader *r, bool *has_records);

#endif
