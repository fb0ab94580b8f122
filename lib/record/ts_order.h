/* ts_order: checks ts order, which some filters need; filter_unsorted() reports that it is broken. */
#ifndef TS_ORDER_H
#define TS_ORDER_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
