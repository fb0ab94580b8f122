/*
 * pftrace_pairs: finds the end of each slice. The track joins a begin and an end; an end has no name.
 *
 * On a track that several sequences write on, all begins and ends are taken by time, and an end closes the last open
 * slice. The slices of other tracks are taken in the order of the file. Live programs write them in the order of time:
 * an end closes the latest open slice of its track that is not later than the end. Other programs write all begins of a
 * group, followed by all their ends in the same order; see is_run().
 */
#ifndef PFTRACE_PAIRS_H
#define PFTRACE_PAIRS_H

#include "pftrace_entries.h"

/* Pairs the begins and ends of all slices. */
void pftrace_pairs_find(struct pftrace_entries *p);

#endif
