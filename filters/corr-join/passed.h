/*
 * passed: device records that were written without a call, and the calls with their ids that come later: how many
 * records those would have joined, and how much earlier than its call a record was. At most 72 bytes a record of the
 * last horizon, a power of two of them at a time.
 */
#ifndef PASSED_H
#define PASSED_H

#include "record/input.h"
#include "pending_records.h"

struct passed_record;

/* Zero-initialise with `horizon` set; passed_free() it. */
struct passed {
	uint64_t horizon; /* a call is looked for this long after the record */
	uint64_t count;   /* records whose call came later */
	uint64_t lead;    /* the largest time by which one of them was earlier than its call */
	/* its own */
	struct passed_record *records; /* a ring; records are numbered in the order they came */
	uint64_t first, end;           /* those that are there */
	size_t mask;                   /* of the ring and of the buckets */
	uint32_t *buckets;             /* the low 32 bits of the number of the last record in each */
};

/* A device record with a ts, written without a call; records come in the order of ts. */
void passed_add(struct passed *p, const struct waiting *w);

/* A call with a ts, not before that of any record. Records count once, for the first call with their id. */
void passed_call(struct passed *p, const struct waiting *call);

/*
 * Where calls came too late for records: tells how many, by how much, and the command that joins them: this one with
 * the --lead that is needed, of `argv` as getopt left it, options before `operands`. Something is lost then.
 */
void passed_tell(const struct passed *p, struct input *in, char *const *argv, char *const *operands);

void passed_free(struct passed *p);

#endif
