/* member_fit: the types of values that standard members have. */
#ifndef MEMBER_FIT_H
#define MEMBER_FIT_H

#include "record/event.h"
#include "result.h"

/*
 * Returns the value as the member holds it; FAILED when it is of another type or beyond int64. A double that is an
 * integer becomes INT. Any value fits a member that is not a standard member (EVENT_N); ABSENT and FAILED are returned
 * unchanged.
 */
struct result member_fit(enum event_member m, const struct result *r);

#endif
