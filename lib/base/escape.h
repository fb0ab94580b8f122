/* escape: a visible form of characters that are not visible. */
#ifndef ESCAPE_H
#define ESCAPE_H

#include "base/mem.h"

#include <stdint.h>

/* Appends the escape of a character, as C does: \n, \x1b, \u202e or \U000e0041. */
void escape_put(struct buf *to, uint32_t code);

#endif
