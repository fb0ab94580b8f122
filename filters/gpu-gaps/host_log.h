/*
 * host_log: stores intervals of the host (calls, operators, ranges) in the order of their starts, and reads those that
 * last beyond a given time. If they need too much memory, the oldest ones are moved to a temporary file.
 */
#ifndef HOST_LOG_H
#define HOST_LOG_H

#include "base/fault.h"
#include "base/mem.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* The caller chooses `scope`, such as the number of a thread. */
struct host_interval {
	int64_t start, end;
	uint32_t scope;
	struct str name;
};

struct host_log;

/*
 * Up to `memory` bytes of intervals stay in memory, and always the last 8 KiB. An interval takes 24 bytes and its name;
 * an interval that lasts long is stored several times. Every 8 KiB, in memory or in the
 * file, need another 64 bytes of memory.
 */
struct host_log *host_log_new(size_t memory);
void host_log_free(struct host_log *l);

/* Adds an interval, whose start must not precede that of the last one. Returns false, with *f set, on an I/O error. */
bool host_log_add(struct host_log *l, const struct host_interval *interval, struct fault *f);

/* Intervals that end at or before `before` are not needed any more. */
void host_log_forget(struct host_log *l, int64_t before);

/* A position in the log, set by host_log_seek(). */
struct host_log_cursor {
	int64_t from;
	size_t block, at;
};

/*
 * host_log_next() reads the intervals that end after `from`, each of them once, in the order in which they were added.
 * `from` must not precede the argument of the last host_log_forget(). Returns 1, 0 after the last interval, or -1, with
 * *f set, on an I/O error. The name is valid until the next call of a function of the log.
 */
void host_log_seek(const struct host_log *l, struct host_log_cursor *c, int64_t from);
int host_log_next(struct host_log *l, struct host_log_cursor *c, struct host_interval *interval, struct fault *f);

#endif
