/*
 * pending_records: records that wait for what decides about them, found by correlation id and gone through in the
 * order in which they came. What is over the memory that is allowed lies in a temporary file (temp.h) meanwhile.
 */
#ifndef PENDING_RECORDS_H
#define PENDING_RECORDS_H

#include "base/fault.h"
#include "base/mem.h"
#include "base/str.h"

/* What is known of a record that waits. */
struct pending_record {
	bool device;             /* a device record, that waits for a call; else it only waits for its turn */
	bool blind;              /* it has no pid */
	bool has_ts, attached;   /* it has a ts that counts; it has attachments */
	uint8_t found;           /* for the caller */
	uint32_t who, call;      /* for the caller */
	uint32_t rank, process;  /* equal for equal values */
	int64_t corr, ts;
	size_t at;               /* for the caller: where in the text attachments go */
};

/* `memory`: bytes for texts; each record needs some 80 bytes besides. `keyed`: pending_records_match() will be called. */
struct pending_records *pending_records_new(size_t memory, bool keyed);
void pending_records_free(struct pending_records *p);

/* One more record, a copy of its text: false and *f when the temporary file failed. */
bool pending_records_add(struct pending_records *p, const struct pending_record *w, struct str text, struct fault *f);

/* What is done with a record that waits no more. The text has SCAN_PAD readable bytes behind it. */
typedef void pending_records_take(void *arg, const struct pending_record *w, struct str text);

/*
 * What a call means for a device record that waits: nothing; that it waits for no call any more, only for its turn
 * (`device` becomes false); or that it is taken out at once.
 */
enum pending_records_verdict { PENDING_RECORDS_WAITS, PENDING_RECORDS_SETTLED, PENDING_RECORDS_OUT };
typedef enum pending_records_verdict pending_records_judge(void *arg, struct pending_record *w);

/*
 * Asks for a verdict on the device records of that rank, process and id, and, if `blind`, on those without a process
 * as well; in the order they came.
 */
bool pending_records_match(struct pending_records *p, const struct pending_record *key, bool blind, pending_records_judge *judge,
    pending_records_take *take, void *arg, struct fault *f);

/* The oldest record, NULL when none waits; and takes it out. */
const struct pending_record *pending_records_oldest(const struct pending_records *p);
bool pending_records_out(struct pending_records *p, pending_records_take *take, void *arg, struct fault *f);

/* Takes out all records, in the order they came. */
bool pending_records_drain(struct pending_records *p, pending_records_take *take, void *arg, struct fault *f);

#endif
