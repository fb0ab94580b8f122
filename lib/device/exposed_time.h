/*
 * exposed_time: divides the time in which communication runs, but no computation, by a field of the communication
 * kernels. Each instant counts for one running kernel: the one with the earliest start. At equal starts, it is the
 * kernel on the stream with the lowest number; on the same stream, the first one in the input.
 */
#ifndef EXPOSED_TIME_H
#define EXPOSED_TIME_H

#include "device/work_type.h"
#include "io/out.h"
#include "record/field.h"
#include "record/places.h"

struct exposed_time;

/*
 * Work must be added in ts order. `devices` must not contain places yet; exposed_time takes ownership of it. The caller
 * owns `out` and `key`, which is not ts, dur, kind, count or share. Memory grows with the number of streams,
 * with the number of values of the field, and with the number of communication kernels that run at the same time.
 *
 * If `key` is NULL, records of communication are written when all of their time is divided, with the member `exposed`:
 * the sum of the time that counts for them; with `pieces`, the parts of this time, unless it is all of theirs. A kernel
 * that only its args call a collective is written unchanged.
 */
struct exposed_time *exposed_time_new(const struct places *devices, struct field *key, bool pieces, struct out *out);
void exposed_time_free(struct exposed_time *x);

/* Adds a device record. */
void exposed_time_add(struct exposed_time *x, struct event *e, enum work_type type);

/*
 * At the end of the input: writes one record for each place and value, in the order of appearance. Their member `dur`
 * is the time of the value; these times sum to the exposed time of the place.
 */
void exposed_time_write(struct exposed_time *x);

#endif
