/* busy_members: writes the members of a record that state how long a place was busy, and with which types of work. */
#ifndef BUSY_MEMBERS_H
#define BUSY_MEMBERS_H

#include "base/mem.h"
#include "overlap_sweep.h"

/*
 * Appends busy, idle, the time of each type, overlap_time, concurrent, busy_share and overlap_share to *b. `time` is as
 * in struct overlap_sweep; `concurrent`: the time in which at least two streams ran; `whole`: the length of the
 * interval in which these times were measured. All times are in ns.
 */
void busy_members_write(struct buf *b, const int64_t time[OVERLAP_SWEEP_SETS], int64_t concurrent, int64_t whole);

/* Appends part / whole, unless whole <= 0. */
void busy_members_share(struct buf *b, const char *key, int64_t part, int64_t whole);

#endif
