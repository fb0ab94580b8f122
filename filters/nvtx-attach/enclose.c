#include "enclose.h"

#include "base/err.h"
#include "record/launch.h"

#include <inttypes.h>

/* Ranges are kept apart by who may look for them: OWN are those for device records by their own time. */
enum family { HOST, OWN };

/* Operators, calls and Python functions mean their thread; what users mark is about all that it spans. */
void enclose_ready(struct enclose *c)
{
	const uint32_t of_threads = 1u << KIND_OP | 1u << KIND_PYTHON | 1u << KIND_API;

	naming_ready(&c->naming);
	c->forgotten = INT64_MIN;
	if (c->scope >= 0) {
		c->at_level[c->scope] = c->kinds;
		return;
	}
	c->at_level[SCOPE_THREAD] = c->kinds & of_threads;
	c->at_level[SCOPE_PROCESS] = c->kinds & ~of_threads;
}

/* What has no length, or less, lies where it starts. */
static int64_t end_of(int64_t start, int64_t dur)
{
	return dur <= 0 ? start : start > INT64_MAX - dur ? INT64_MAX : start + dur;
}

static struct scope_place place_of(struct event *e)
{
	return (struct scope_place){event_get(e, EVENT_RANK), event_get(e, EVENT_PID), event_get(e, EVENT_TID)};
}

static uint32_t scope(struct enclose *c, enum family family, enum scope_level level, const struct scope_place *place)
{
	size_t i = scopes_put(&c->places, (unsigned char)family, level, place);

	if (i > UINT32_MAX)
		die("more than %" PRIu32 " threads and processes", UINT32_MAX);
	return (uint32_t)i;
}

/* --- ranges --- */

/* Makes room: ranges that no search can find any more go. */
static void expire(struct enclose *c, int64_t oldest)
{
	int64_t kept = c->by_own ? 0 : c->horizon;

	c->forgotten = oldest < INT64_MIN + kept ? INT64_MIN : oldest - kept;
	naming_expire(&c->naming, &c->spans, c->forgotten);
}

void enclose_add(struct enclose *c, struct enclose_query *q, struct event *e, enum event_kind kind, int64_t oldest)
{
	struct span span = {e->ts, end_of(e->ts, e->dur), 0, c->seq++};
	struct scope_place place = place_of(e);
	enum scope_level level = SCOPE_THREAD;

	if (spans_grown(&c->spans))
		expire(c, oldest);
	while (!(c->at_level[level] >> kind & 1))
		level++;
	span.name = naming_put(&c->naming, event_get(e, EVENT_NAME));
	spans_add(&c->spans, scope(c, HOST, level, &place), &span);
	if (c->by_own && c->scope != SCOPE_ANY) {
		spans_add(&c->spans, scope(c, OWN, SCOPE_PROCESS, &place), &span);
		spans_add(&c->spans, scope(c, OWN, SCOPE_ANY, &place), &span);
	}
	q->is_range = true;
	q->seq = span.seq;
}

/* --- searches --- */

static void ask_at(struct enclose *c, struct enclose_query *q, const struct scope_place *place, int64_t start,
    int64_t end)
{
	enum scope_level level;

	q->wanted = true;
	q->from = c->point == ENCLOSE_END ? end : start;
	q->to = c->point == ENCLOSE_START ? start : end;
	for (level = 0; level < SCOPE_N; level++) {
		if (c->at_level[level])
			q->scopes[q->n_scopes++] = scope(c, HOST, level, place);
	}
}

/* A device record has no thread of its own, and a process only where the trace says so. */
static void use_device_scope(struct enclose *c, struct enclose_query *q, const struct scope_place *place)
{
	if (c->scope == SCOPE_ANY)
		return;
	q->n_scopes = 1;
	q->scopes[0] = scope(c, OWN, place->pid.p ? SCOPE_PROCESS : SCOPE_ANY, place);
}

void enclose_ask(struct enclose *c, struct enclose_query *q, struct event *e, enum event_kind kind)
{
	/* The device's copy of a range is on the device's time too. */
	bool on_device = event_kind_is_device(kind) || kind == KIND_GPU_RANGE;
	struct scope_place place;
	struct launch launch;

	if (!on_device || c->by_own) {
		place = place_of(e);
		ask_at(c, q, &place, e->ts, end_of(e->ts, event_get(e, EVENT_DUR).p ? e->dur : 0));
		if (on_device)
			use_device_scope(c, q, &place);
	} else if (launch_find(&launch, e)) {
		place = (struct scope_place){event_get(e, EVENT_RANK), launch.pid, launch.tid};
		q->launched = true;
		ask_at(c, q, &place, launch.ts, end_of(launch.ts, launch.dur));
	} else {
		c->alone++;
		return;
	}
	q->until = end_of(e->ts, c->horizon);
	q->until = q->from < q->until ? q->from : q->until;
}

/* Which of those found is the record, or the call that launched it: the last that is the same; or n_found. */
static size_t find_self(const struct enclose *c, const struct enclose_query *q, const struct event *e)
{
	const struct span *found = c->spans.found;
	size_t n = c->spans.n_found, i;
	struct launch call = {0};
	uint32_t name = UINT32_MAX;

	if (!q->is_range && (!q->launched || !(c->kinds >> KIND_API & 1)))
		return n;
	if (!q->is_range && launch_find(&call, e))
		name = naming_find(&c->naming, call.name);
	for (i = n; i > 0; i--) {
		if (q->is_range ? found[i - 1].seq == q->seq
				: found[i - 1].name == name && found[i - 1].start == call.ts &&
				      found[i - 1].end == end_of(call.ts, call.dur))
			return i - 1;
	}
	return n;
}

size_t enclose_find(struct enclose *c, const struct enclose_query *q, const struct event *e, int64_t ts)
{
	struct spans *s = &c->spans;
	size_t i;

	s->n_found = 0;
	for (i = 0; i < q->n_scopes; i++)
		spans_find(s, q->scopes[i], q->from, q->to);
	c->far += q->wanted && (q->to < c->forgotten || (q->until < q->from && q->from >= ts));
	if (!s->n_found)
		return 0;
	spans_sort(s);
	i = find_self(c, q, e);
	if (i < s->n_found)
		memmove(s->found + i, s->found + i + 1, (--s->n_found - i) * sizeof *s->found);
	return s->n_found;
}

void enclose_free(struct enclose *c)
{
	scopes_free(&c->places);
	spans_free(&c->spans);
	naming_free(&c->naming);
}
