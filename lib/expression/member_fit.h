/* member_fit: the types of the values of standard members. */
#ifndef MEMBER_FIT_H
#define MEMBER_FIT_H

#include "record/event.h"
#include "expression/result.h"

/*
 * Returns the value that is written for the member: a double without a fraction becomes INT. Returns FAILED when the
 * value has the wrong type for the member or does not fit in 64 bits. Any value fits a member that is not a standard
 * member (EVENT_N); ABSENT and FAILED are returned unchanged.
 */
struct result member_fit(enum event_member m, const struct result *r);

#endif
