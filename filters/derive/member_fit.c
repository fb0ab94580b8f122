#include "member_fit.h"

#include <math.h>

enum {
	TEXTS = 1u << EVENT_KIND | 1u << EVENT_NAME | 1u << EVENT_CAT | 1u << EVENT_CLOCK | 1u << EVENT_COPY,
	IDS = 1u << EVENT_PID | 1u << EVENT_TID | 1u << EVENT_ID | 1u << EVENT_PARENT,
	OBJECTS = 1u << EVENT_ARGS | 1u << EVENT_SRC,
};

static struct result fit_integer(enum event_member m, const struct result *r)
{
	if (r->type == RESULT_INT && (int64_t)r->i == r->i)
		return result_int(r->i);
	if (r->type == RESULT_REAL && fabs(r->d) < 0x1p63 && !(trunc(r->d) < r->d || trunc(r->d) > r->d))
		return result_int((int64_t)r->d);
	return result_failed(IDS >> m & 1 ? FAILURE_MEMBER_ID : FAILURE_MEMBER_INT);
}

struct result member_fit(enum event_member m, const struct result *r)
{
	if (m == EVENT_N || r->type == RESULT_ABSENT || r->type == RESULT_FAILED)
		return *r;
	if (TEXTS >> m & 1)
		return r->type == RESULT_TEXT ? *r : result_failed(FAILURE_MEMBER_TEXT);
	if (OBJECTS >> m & 1)
		return r->type == RESULT_OTHER && r->json.p[0] == '{' ? *r : result_failed(FAILURE_MEMBER_OBJECT);
	return (IDS >> m & 1) && r->type == RESULT_TEXT ? *r : fit_integer(m, r);
}
