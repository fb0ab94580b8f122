#include "enclosing_ranges.h"

#include "base/err.h"
#include "record/event_api.h"

#include <inttypes.h>

/* Ranges are kept apart by who may look for them: OWN are those for device records by their own time. */
enum family { HOST, OWN };

/* Operators, calls and Python functions mean their thread; what users mark is about all that it spans. */
void enclosing_ranges_ready(struct enclosing_ranges *c)
{
	const uint32_t of_threads = 1u << KIND_OP | 1u << KIND_PYTHON | 1u << KIND_API;

	range_names_ready(&c->naming);
	c->forgotten = INT64_MIN;
	if (c->scope >= 0) {
		c->at_level[c->scope] = c->kinds;
		return;
	}
	c->at_level[SCOPE_THREAD] = c->kinds & of_threads;
	c->at_level[SCOPE_PROCESS] = c->kinds & ~of_threads;
}

static struct scope_place place_of(struct event *e)
{
	return (struct scope_place){event_get(e, EVENT_RANK), event_get(e, EVENT_PID), event_get(e, EVENT_TID)};
}

static uint32_t scope(
    struct enclosing_ranges *c, enum family family, enum scope_level level, const struct scope_place *place)
{
	size_t i = scopes_put(&c->places, (unsigned char)family, level, place);

	if (i > UINT32_MAX)
		die("more than %" PRIu32 " threads and processes", UINT32_MAX);
	return (uint32_t)i;
}

/* --- ranges --- */

/* Makes room: ranges that no search can find any more go. */
static void expire(struct enclosing_ranges *c, int64_t oldest)
{
	int64_t kept = c->by_own ? 0 : c->horizon;

	c->forgotten = oldest < INT64_MIN + kept ? INT64_MIN : oldest - kept;
	range_names_expire(&c->naming, &c->spans, c->forgotten);
}

void enclosing_ranges_add(
    struct enclosing_ranges *c, struct enclosing_ranges_query *q, struct event *e, enum event_kind kind, int64_t oldest)
{
	struct interval span = {e->ts, event_end(e), 0, c->seq++};
	struct scope_place place = place_of(e);
	enum scope_level level = SCOPE_THREAD;

	if (interval_index_grown(&c->spans))
		expire(c, oldest);
	while (!(c->at_level[level] >> kind & 1))
		level++;
	span.name = range_names_put(&c->naming, event_get(e, EVENT_NAME));
	interval_index_add(&c->spans, scope(c, HOST, level, &place), &span);
	if (c->by_own && c->scope != SCOPE_ANY) {
		interval_index_add(&c->spans, scope(c, OWN, SCOPE_PROCESS, &place), &span);
		interval_index_add(&c->spans, scope(c, OWN, SCOPE_ANY, &place), &span);
	}
	q->is_range = true;
	q->seq = span.seq;
}

/* --- searches --- */

static void ask_at(struct enclosing_ranges *c, struct enclosing_ranges_query *q, const struct scope_place *place,
    int64_t start, int64_t end)
{
	enum scope_level level;

	q->wanted = true;
	q->from = c->point == ENCLOSING_RANGES_END ? end : start;
	q->to = c->point == ENCLOSING_RANGES_START ? start : end;
	for (level = 0; level < SCOPE_N; level++) {
		if (c->at_level[level])
			q->scopes[q->n_scopes++] = scope(c, HOST, level, place);
	}
}

/* A device record has no thread of its own, and a process only where the trace says so. */
static void use_device_scope(struct enclosing_ranges *c, struct enclosing_ranges_query *q, const struct scope_place *place)
{
	if (c->scope == SCOPE_ANY)
		return;
	q->n_scopes = 1;
	q->scopes[0] = scope(c, OWN, place->pid.p ? SCOPE_PROCESS : SCOPE_ANY, place);
}

void enclosing_ranges_ask(
    struct enclosing_ranges *c, struct enclosing_ranges_query *q, struct event *e, enum event_kind kind)
{
	/* The device's copy of a range is on the device's time too. */
	bool on_device = event_kind_is_device(kind) || kind == KIND_GPU_RANGE;
	struct scope_place place;
	struct event_api launch;

	if (!on_device || c->by_own) {
		place = place_of(e);
		ask_at(c, q, &place, e->ts, event_end(e));
		if (on_device)
			use_device_scope(c, q, &place);
	} else if (event_api_find(&launch, e)) {
		place = (struct scope_place){event_get(e, EVENT_RANK), launch.pid, launch.tid};
		q->launched = true;
		ask_at(c, q, &place, launch.ts, num_end(launch.ts, launch.dur));
	} else {
		c->alone++;
		return;
	}
	q->until = num_add(e->ts, c->horizon);
	q->until = q->from < q->until ? q->from : q->until;
}

/* Which of those found is the record, or the call that launched it: the last that is the same; or n_found. */
static size_t find_self(const struct enclosing_ranges *c, const struct enclosing_ranges_query *q, const struct event *e)
{
	const struct interval *found = c->spans.found;
	size_t n = c->spans.n_found, i;
	struct event_api call = {0};
	uint32_t name = UINT32_MAX;

	if (!q->is_range && (!q->launched || !(c->kinds >> KIND_API & 1)))
		return n;
	if (!q->is_range && event_api_find(&call, e))
		name = range_names_find(&c->naming, call.name);
	for (i = n; i > 0; i--) {
		if (q->is_range ? found[i - 1].seq == q->seq
				: found[i - 1].name == name && found[i - 1].start == call.ts &&
				      found[i - 1].end == num_end(call.ts, call.dur))
			return i - 1;
	}
	return n;
}

size_t enclosing_ranges_find(
    struct enclosing_ranges *c, const struct enclosing_ranges_query *q, const struct event *e, int64_t ts)
{
	struct interval_index *s = &c->spans;
	size_t i;

	s->n_found = 0;
	for (i = 0; i < q->n_scopes; i++)
		interval_index_find(s, q->scopes[i], q->from, q->to);
	c->far += q->wanted && (q->to < c->forgotten || (q->until < q->from && q->from >= ts));
	if (!s->n_found)
		return 0;
	interval_index_sort(s);
	i = find_self(c, q, e);
	if (i < s->n_found)
		memmove(s->found + i, s->found + i + 1, (--s->n_found - i) * sizeof *s->found);
	return s->n_found;
}

void enclosing_ranges_free(struct enclosing_ranges *c)
{
	scopes_free(&c->places);
	interval_index_free(&c->spans);
	range_names_free(&c->naming);
}
