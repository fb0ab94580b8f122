/* relative: times relative to an origin: --relative. */
#ifndef RELATIVE_H
#define RELATIVE_H

#include "base/map.h"
#include "record/event.h"

/*
 * Zero-initialise. The times of a record are its ts (except in a record with a member `clock`) and the ts of its
 * attachment `api`. The origin is the value of --relative=T, or else the first time in the input. Times of metadata are
 * often 0, so the origin is not taken from metadata. Metadata records that have times and precede the first event wait
 * until the origin is known.
 */
struct relative {
	bool on;    /* the option is given */
	bool known; /* the origin is known */
	int64_t origin;
	/* private */
	struct event *held; /* the waiting records */
	size_t n, cap;
	struct map texts;               /* their texts */
	struct buf object, attachments; /* a record's attachments: as an object; as text, with the new ts of `api` */
	struct buf text;                /* args of the origin record */
};

/* The results of relative_shift(). */
enum relative_result {
	RELATIVE_DONE,
	RELATIVE_ODD,    /* done, except that a ts that is not an integer is unchanged */
	RELATIVE_BEYOND, /* a result does not fit in 64 bits */
};

/* Sets the unknown origin to the first time of the record, unless it is metadata; returns true if it did. */
bool relative_find(struct relative *r, struct event *e);

/* Subtracts the origin, which must be known, from the record's times; views in *e are valid until the next call. */
enum relative_result relative_shift(struct relative *r, struct event *e);

/* While the origin is unknown: adds a copy of the record to the waiting records; returns false if it has no times. */
bool relative_hold(struct relative *r, const struct event *e);

/*
 * Returns waiting record i, with its times unchanged; NULL after the last record. If the origin is not known, it
 * becomes the first time of this record. The views in it are valid until relative_free().
 */
struct event *relative_waiting(struct relative *r, size_t i);

/* Makes the record that holds the origin. Views in *e are valid until the next call. */
void relative_make_record(struct relative *r, struct event *e);

void relative_free(struct relative *r);

#endif
