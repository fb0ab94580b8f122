#include "join.h"

#include "base/err.h"
#include "missed_joins.h"

#include <stdlib.h>

#define LATE                                                                                                           \
	"call of a second process with this corr; device records without a pid were already joined with the first "    \
	"process's call"

void join_init(struct join *j)
{
	const uint64_t horizon = j->sorted ? (uint64_t)j->horizon : 0;
	/* with --lead, `pending` and `early` get half of the memory each */
	const size_t memory = j->lead ? j->memory / 2 : j->memory;

	j->calls = call_table_new(&j->places, horizon, (uint64_t)j->lead);
	j->pending = pending_records_new(memory, !j->sorted);
	j->early = pending_records_new(memory, true);
	j->missed = missed_joins_new(horizon);
	input_uses_members(&j->in, UINT32_MAX, 1u << EVENT_KIND);
}

void join_free(struct join *j)
{
	call_table_free(j->calls);
	call_places_free(&j->places);
	pending_records_free(j->pending);
	pending_records_free(j->early);
	missed_joins_free(j->missed);
	call_link_free(&j->linked);
	field_free(&j->on);
	free(j->copies);
	buf_free(&j->told);
}

static void answer(struct join *j, const struct pending_record *w, struct str text, enum call_table_answer answer,
    const struct call_table_found *found)
{
	if (answer == CALL_TABLE_ONE) {
		j->matched++;
		found->call->joined = true;
		/* From now on, calls of other processes are late, unless all calls that can match have been read. */
		found->key->blind |=
		    w->blind && (!j->sorted || (found->call->ts > w->ts && !call_table_collide(j->calls, w->who)));
		if (j->only != JOIN_UNMATCHED)
			call_link_write(&j->out, w, text, call_link_tell(&j->told, w, j->calls, found->call));
		return;
	}
	j->ambiguous += answer == CALL_TABLE_AMBIGUOUS;
	j->callless += answer == CALL_TABLE_NONE;
	if (answer == CALL_TABLE_NONE && j->sorted && w->has_ts)
		missed_joins_add_record(j->missed, w);
	if (j->only != JOIN_MATCHED)
		out_line(&j->out, text);
}

static enum call_table_answer find(const struct join *j, const struct pending_record *w, struct call_table_found *found)
{
	/* In sorted input, w->ts of a record without ts is the ts of the stream. */
	return call_table_find(j->calls, w->who, w->corr, w->has_ts || j->sorted ? &w->ts : NULL, found);
}

static void hold_back(struct pending_records *p, const struct pending_record *w, struct str text)
{
	struct fault f;

	err_check(pending_records_add(p, w, text, &f), &f);
}

/* The record no longer waits for ts to increase: it is joined to a call that was read, or waits for a later call. */
static void release_pending(void *arg, const struct pending_record *w, struct str text)
{
	struct join *j = arg;
	struct call_table_found found = {0};
	struct pending_record early = *w;

	if (w->device)
		early.found = (uint8_t)find(j, w, &found);
	early.device = w->device && early.found == CALL_TABLE_NONE;
	early.call = found.number;
	if (j->lead && (early.device || pending_records_oldest(j->early)))
		hold_back(j->early, &early, text);
	else if (w->device)
		answer(j, w, text, early.found, &found);
	else
		out_line(&j->out, text);
}

/* The record no longer waits for a later call or for its turn: it is joined and written. */
static void release_early(void *arg, const struct pending_record *w, struct str text)
{
	struct join *j = arg;
	struct call_table_found found = {0};

	if (!w->device && w->found == CALL_TABLE_NONE) {
		out_line(&j->out, text);
		return;
	}
	if (w->found == CALL_TABLE_ONE) {
		found.number = w->call;
		found.call = found.key = call_table_at(j->calls, w->call);
	}
	answer(j, w, text, w->found, &found);
}

void join_release(struct join *j, const int64_t *ts)
{
	const struct pending_record *w;
	struct fault f;

	while (pending_records_oldest(j->pending))
		err_check(pending_records_out(j->pending, release_pending, j, &f), &f);
	while ((w = pending_records_oldest(j->early))) {
		if (ts && w->device && call_table_distance(w->ts, *ts) <= (uint64_t)j->lead)
			break;
		err_check(pending_records_out(j->early, release_early, j, &f), &f);
	}
}

/* Returns the store with the newest waiting record, NULL when no record waits. */
static struct pending_records *last_pending(const struct join *j)
{
	if (pending_records_oldest(j->pending))
		return j->pending;
	return j->lead && pending_records_oldest(j->early) ? j->early : NULL;
}

/* Writes a record that needs no call: immediately, or after the records that wait. */
static void pass(struct join *j, const struct event *e)
{
	static const struct pending_record turn = {.device = false};
	struct pending_records *last = j->sorted ? last_pending(j) : NULL;

	if (last)
		hold_back(last, &turn, e->raw);
	else
		event_copy(&j->out, e);
}

static bool is_far(const struct join *j, const struct pending_record *w, const struct stored_call *call)
{
	return w->has_ts && call->has_ts && call_table_distance(w->ts, call->ts) > (uint64_t)j->horizon;
}

/* For unsorted input: decides whether the record waits for the call that was just read. */
static enum pending_records_verdict judge(void *arg, struct pending_record *w)
{
	const struct join *j = arg;

	return is_far(j, w, call_table_at(j->calls, call_table_newest(j->calls))) ? PENDING_RECORDS_WAITS
										  : PENDING_RECORDS_OUT;
}

/*
 * For sorted input: decides whether the call that was just read, which is later than the record, ends the wait. If
 * calls of other processes can follow, the record also waits for them.
 */
static enum pending_records_verdict judge_early(void *arg, struct pending_record *w)
{
	const struct join *j = arg;
	const struct call_table *c = j->calls;

	if (w->found == CALL_TABLE_NONE) {
		w->found = CALL_TABLE_ONE;
		w->call = call_table_newest(c);
		return w->blind && call_table_collide(c, w->who) ? PENDING_RECORDS_WAITS : PENDING_RECORDS_SETTLED;
	}
	if (call_table_place(c, call_table_at(c, w->call))->process == j->linked.w.process)
		return PENDING_RECORDS_WAITS;
	w->found = CALL_TABLE_AMBIGUOUS;
	return PENDING_RECORDS_SETTLED;
}

static void take_call(struct join *j, struct event *e)
{
	const struct pending_record *w = &j->linked.w;
	const struct call_table_counts *counts = call_table_counts(j->calls);
	const uint64_t late = counts->late;
	struct fault f;
	bool good;

	if (j->only == JOIN_ALL && !j->drop_calls)
		pass(j, e);
	if (!j->linked.has_corr)
		return;
	call_link_add(&j->linked, e, j->calls, j->in.last_ts);
	if (counts->late > late)
		input_warning(&j->in, LATE);
	if (j->sorted && w->has_ts)
		missed_joins_add_call(j->missed, w);
	if (j->sorted)
		good = pending_records_match(j->early, w, true, judge_early, release_early, j, &f);
	else
		good = pending_records_match(
		    j->pending, w, !call_table_collide(j->calls, w->who), judge, release_pending, j, &f);
	err_check(good, &f);
}

static void take_device(struct join *j, struct event *e)
{
	struct pending_record *w = &j->linked.w;
	struct call_table_found found;
	enum call_table_answer is;
	bool may_wait; /* a call that has not been read yet could change the result */

	if (!j->linked.has_corr) {
		j->idless++;
		if (j->only != JOIN_MATCHED)
			pass(j, e);
		return;
	}
	w->device = true;
	if (j->sorted && !w->has_ts)
		w->ts = j->in.last_ts;
	if (j->sorted && (w->has_ts || last_pending(j))) {
		hold_back(j->pending, w, e->raw); /* the record waits until all calls at its ts have been read */
		return;
	}
	is = find(j, w, &found);
	may_wait =
	    is == CALL_TABLE_NONE ||
	    (is == CALL_TABLE_ONE && ((w->blind && call_table_collide(j->calls, w->who)) || is_far(j, w, found.call)));
	if (!j->sorted && may_wait)
		hold_back(j->pending, w, e->raw);
	else
		answer(j, w, e->raw, is, &found);
}

void join_take(struct join *j, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);
	const bool is_device = event_kind_is_device(kind);
	const bool is_call = kind == KIND_API || (kind == KIND_OP && j->linked.on);
	const struct pending_record *oldest;

	if (is_call || is_device)
		call_link_read(&j->linked, e, &j->places, j->calls, is_call);
	else if (j->sorted)
		event_get(e, EVENT_TS);
	if (!input_valid(&j->in, e))
		return;
	if (j->sorted && event_has(e, EVENT_TS)) {
		if (!input_in_order(&j->in, e->ts))
			return;
		oldest = pending_records_oldest(j->pending);
		if (oldest ? e->ts != oldest->ts : j->lead && pending_records_oldest(j->early))
			join_release(j, &e->ts);
		call_table_age(j->calls, e->ts);
	}
	if (is_call)
		take_call(j, e);
	else if (is_device)
		take_device(j, e);
	else if (j->only == JOIN_ALL)
		pass(j, e);
}
