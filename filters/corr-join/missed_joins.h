/*
 * missed_joins: counts the device records that were written without a call although their call came later, and measures
 * how much earlier than its call a record was. At most 72 bytes a record of the last horizon, a power of two of them at
 * a time.
 */
#ifndef MISSED_JOINS_H
#define MISSED_JOINS_H

#include "record/input.h"
#include "pending_records.h"

/* `horizon`: how long after the record its call is looked for, in ns. */
struct missed_joins *missed_joins_new(uint64_t horizon);
void missed_joins_free(struct missed_joins *m);

/* A device record with a ts, written without a call; records come in the order of ts. */
void missed_joins_add_record(struct missed_joins *m, const struct pending_record *w);

/* A call with a ts, not before that of any record. Records count once, for the first call with their id. */
void missed_joins_add_call(struct missed_joins *m, const struct pending_record *call);

/*
 * If calls came too late for their records: warns how many and by how much, prints the command that joins them, which is
 * this one with the --lead that is needed, and marks the input as incomplete. `argv` is as getopt left it, options
 * before `operands`.
 */
void missed_joins_report(const struct missed_joins *m, struct input *in, char *const *argv, char *const *operands);
#endif
