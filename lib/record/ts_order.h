/* ts_order: ts order, which some filters need: checked, and told with the pipeline that makes it. */
#ifndef TS_ORDER_H
#define TS_ORDER_H

#include "record/input.h"

/* Zero-initialise; `last` is the largest ts so far. */
struct ts_order {
	bool any;
	int64_t last;
};

/* False when a ts is less than one before it. */
static inline bool ts_order_keeps(struct ts_order *o, int64_t ts)
{
	if (o->any && ts < o->last)
		return false;
	o->any = true;
	o->last = ts;
	return true;
}

/* Adds a space and each of the words up to `end`, as a shell reads them. */
void ts_order_words(struct buf *b, char *const *words, char *const *end);

/*
 * Tells that the record input_next() gave is out of order, with a command line that sorts first, and
 * makes input_finish() return STATUS_FAIL. `argv` as getopt left it: options before `operands`, files
 * from there on.
 */
void ts_order_tell(struct input *in, char *const *argv, char *const *operands);

#endif
