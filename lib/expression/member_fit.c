#include "expression/member_fit.h"

enum {
	TEXTS = 1u << EVENT_KIND | 1u << EVENT_NAME | 1u << EVENT_CAT | 1u << EVENT_CLOCK | 1u << EVENT_COPY,
	IDS = 1u << EVENT_PID | 1u << EVENT_TID | 1u << EVENT_ID | 1u << EVENT_PARENT,
	OBJECTS = 1u << EVENT_ARGS | 1u << EVENT_SRC,
};

static struct result fit_integer(enum event_member m, const struct result *r)
{
	int64_t i;

	if (result_integer(r, &i))
		return result_int(i);
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
