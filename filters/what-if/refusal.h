/* refusal: the reason why a job cannot be simulated. */
#ifndef REFUSAL_H
#define REFUSAL_H

#include "base/mem.h"

#include <stdbool.h>

/* Appends the reason to *why; returns false. */
bool refuse(struct buf *why, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
