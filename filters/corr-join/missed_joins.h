/*
 * missed_joins: counts the device records that were written without a call although their call came later, and measures
 * the maximum time by which a record preceded its call. It stores only the records of the last `horizon` ns, without
 * their texts.
 */
#ifndef MISSED_JOINS_H
#define MISSED_JOINS_H

#include "record/input.h"
#include "pending_records.h"

/* `horizon`: the maximum time from a record to its call, in ns. */
struct missed_joins *missed_joins_new(uint64_t horizon);
void missed_joins_free(struct missed_joins *m);

/* Adds a device record that has a ts and was written without a call; records must be added in ts order. */
void missed_joins_add_record(struct missed_joins *m, const struct pending_record *w);

/* Adds a call, in ts order too. Each record is counted at most once, for the first call with its id. */
void missed_joins_add_call(struct missed_joins *m, const struct pending_record *call);

/*
 * Call it at the end of the input. If calls came too late for their records, warns with the number of these records and
 * the maximum time, prints the command that joins them (this command with the necessary --lead), and marks the input as
 * incomplete. `argv` must be in the order in which getopt leaves it, with options before `operands`.
 */
void missed_joins_report(const struct missed_joins *m, struct input *in, char *const *argv, char *const *operands);
#endif
