#include "record/event_queue.h"

#include "json/scan.h"
#include "test.h"

static void push(struct event_queue *h, const char *text, int note)
{
	char line[300] = {0}; /* overwritten at the end, so the queue must have a copy */
	struct event e;

	memcpy(line, text, strlen(text));
	if (event_canonical(&e, (struct str){line, strlen(text)}, 0) != EVENT_CANONICAL)
		event_parse(&e, (struct str){line, strlen(text)});
	event_get(&e, EVENT_TID);
	CHECK(event_queue_push(h, &e, &note));
	memset(line, 'x', sizeof line);
}

/*
 * Removes the first record and returns its note, or -1 if the queue is empty; checks that its name and tid are
 * unchanged.
 */
static int pop(struct event_queue *h, const char *name, const char *tid)
{
	struct event e;
	int *first, note;

	memset(&e, 0xff, sizeof e); /* event_queue_first() must set all members used below */
	first = event_queue_first(h, &e);
	if (!first)
		return -1;
	CHECK(e.check == EVENT_UNCHECKED);
	CHECK_INT(event_get_kind(&e), str_find(e.raw, STR("\"op\"")) < e.raw.n ? KIND_OP : KIND_N);
	note = *first;
	CHECK_STR(event_get(&e, EVENT_NAME), name);
	CHECK_STR(event_get(&e, EVENT_TID), tid);
	CHECK(e.raw.n && e.raw.p[0] == '{' && e.raw.p[e.raw.n - 1] == '}');
	event_queue_pop(h);
	return note;
}

void unit_test(void)
{
	struct event_queue h = {.each = sizeof(int)};
	struct event e;
	int i, next = 0, wrong = 0;

	CHECK(!event_queue_first(&h, &e));
	e = (struct event){.raw.n = (size_t)UINT32_MAX + 1};
	CHECK(!event_queue_push(&h, &e, &i));
	CHECK_INT(h.n, 0);
	for (i = 0; i < 1000; i++) {
		push(&h,
		    i & 1 ? "{\"ts\":5,\"dur\":1,\"kind\":\"op\",\"name\":\"mm\",\"tid\":7}"
			  : " { \"tid\" : 7, \"ts\" : 7.5, \"name\" : \"mm\" }",
		    i);
		if (i % 3)
			wrong += pop(&h, "\"mm\"", "7") != next++;
	}
	push(&h, "{\"ts\":7.5,\"tid\":8}", i);
	while (next < 1000)
		wrong += pop(&h, "\"mm\"", "7") != next++;
	CHECK_INT(wrong, 0);
	CHECK_INT(h.n, 1);
	event_queue_first(&h, &e);
	CHECK_STR(e.m[EVENT_TS], "7.5"); /* not an integer, but stored as text */
	CHECK_INT(*(int *)event_queue_first(&h, NULL), 1000);
	event_queue_pop(&h);

	/* Uses the queue as a stack, whose bottom may be anywhere in the ring. */
	for (i = 0; i < 700; i++)
		push(&h,
		    i % 7 ? "{\"ts\":5,\"dur\":1,\"kind\":\"op\",\"name\":\"mm\",\"tid\":7}" : "{\"ts\":6,\"tid\":8}",
		    i);
	for (i = 0; i < 700; i++)
		wrong += *(int *)event_queue_at(&h, (size_t)i, &e) != i || e.ts != 5 + (i % 7 == 0);
	while (h.n) {
		i = *(int *)event_queue_at(&h, h.n - 1, &e);
		wrong += i != (int)h.n - 1 || e.ts != 5 + (i % 7 == 0);
		event_queue_drop(&h);
	}
	CHECK_INT(wrong, 0);
	push(&h, "{\"ts\":5,\"name\":\"mm\",\"tid\":7}", 9);
	CHECK_INT(pop(&h, "\"mm\"", "7"), 9);
	event_queue_free(&h);
}
