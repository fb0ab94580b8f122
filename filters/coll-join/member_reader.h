/* member_reader: reads the records of a job into the store: member kernels, host records about them, and metadata. */
#ifndef MEMBER_READER_H
#define MEMBER_READER_H

#include "host_calls.h"
#include "member_args.h"
#include "record/input.h"
#include "record/name_match.h"
#include "record/places.h"

/* A kernel that the user names: -e REGEX=OP[:BYTES]. */
struct member_reader_custom {
	uint32_t operation;
	int64_t bytes; /* -1 if not given */
};

enum { MEMBER_READER_KINDS = 1u << KIND_KERNEL | 1u << KIND_OP | 1u << KIND_API | 1u << KIND_RANGE | 1u << KIND_META };

/* Zero-initialise it, set the first two members, and call member_reader_init(). */
struct member_reader {
	struct job *job;
	struct input *in;
	struct name_match custom;             /* the regular expressions of -e */
	struct member_reader_custom *customs; /* customs[i] belongs to rule i of `custom` */
	size_t n_customs, customs_cap;
	bool file_has_records; /* a record of this file was read */
	bool is_member;        /* the record that was read last was stored as a member kernel */
	/* private */
	struct host_calls host;
	struct name_match known;
	struct member_args args;
	struct places threads;
	uint32_t file;
	bool file_has_rank;
	/* The base time that precedes the first record with a rank; it is then stored in that rank. */
	struct buf base_text;
	struct buf text;
	enum member_reader_what {
		MEMBER_READER_NOTHING,
		MEMBER_READER_KERNEL,
		MEMBER_READER_CALL,
		MEMBER_READER_OPERATOR,
		MEMBER_READER_RANGE,
		MEMBER_READER_DISTRIBUTED, /* distributedInfo */
		MEMBER_READER_BASE,        /* baseTimeNanoseconds */
	} what;
	size_t rule; /* of a kernel: the rule of `custom` that its name matches */
	enum { MEMBER_READER_FOREIGN, MEMBER_READER_NCCL, MEMBER_READER_CUSTOM } name;
};

void member_reader_init(struct member_reader *r);

/* For input.reads; `arg` is the reader. */
void member_reader_look(void *arg, struct event *e);

/*
 * Stores the record. Returns NULL, or the reason why the program must end, as static text: the record has no rank, or
 * its rank was in another file.
 */
const char *member_reader_take(struct member_reader *r, struct event *e);

/*
 * Call it at the end of each file. Returns NULL, or the reason why the program must end: the file has records, but
 * no rank.
 */
const char *member_reader_end_file(struct member_reader *r);

void member_reader_free(struct member_reader *r);

#endif
