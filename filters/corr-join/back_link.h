/*
 * back_link: a link from an item of a growing list to an earlier item. It is stored as the low 32 bits of the earlier
 * item's number. Links to items that have aged out need not be removed, since back_link_follow() recognises them.
 */
#ifndef BACK_LINK_H
#define BACK_LINK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Sets *number to the largest number below `at` whose low 32 bits are `low`. Returns false when this number is below
 * `first`, the number of the oldest item, or does not exist.
 */
static inline bool back_link_follow(uint64_t first, uint64_t at, uint32_t low, uint64_t *number)
{
	const uint32_t back = (uint32_t)at - low;

	if (back == 0 || back > at - first)
		return false;
	*number = at - back;
	return true;
}

#endif
