#include "range_writer.h"

#include "base/num_format.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/write.h"

/* The members of args that this program writes. */
static const char *const ours[] = {
    "ops", "records", "busy", "dur_sum", "orig_ts", "orig_dur", "depth", "children", "parent", "stack", NULL};

/*
 * Appends the members of `object`, each preceded by a comma. If `args`, `object` is the args of a record, and the
 * members that this program writes are skipped. Otherwise `object` is a record, and its standard members are skipped.
 */
static void add_members(struct buf *b, struct str object, bool args)
{
	struct str key, value;
	struct iter i;

	iter_init(&i, object);
	while (iter_next(&i, &key, &value) > 0) {
		if (args ? str_in(key, ours) : event_member(key) < EVENT_N)
			continue;
		json_write_member(b, key, value);
	}
}

static void set_member(struct event *e, enum event_member m, struct str json)
{
	if (json.n)
		event_set(e, m, json);
}

/* Sets the members that all output records have; begins w->args. */
static void set_work(struct range_writer *w, struct event *e, const struct projection_work *work)
{
	event_set_ts(e, work->first);
	event_set_dur(e, int_sub(work->last, work->first));
	event_set_kind(e, KIND_GPU_RANGE);
	set_member(e, EVENT_DEV, projection_key(w->projection, work->dev));
	set_member(e, EVENT_STREAM, projection_key(w->projection, work->stream));
	w->args.n = 0;
	json_write_begin(&w->args, NULL, '{');
	json_write_int(&w->args, "ops", (int64_t)work->ops);
	json_write_int(&w->args, "records", (int64_t)work->records);
	json_write_int(&w->args, "busy", work->busy);
	json_write_int(&w->args, "dur_sum", work->sum);
}

static void write_event(struct range_writer *w, struct event *e)
{
	json_write_end(&w->args, '}');
	event_set(e, EVENT_ARGS, buf_str(&w->args));
	event_write(w->out, e);
}

void range_writer_write(void *arg, const struct projection_range *s)
{
	static const enum event_member kept[] = {EVENT_NAME, EVENT_CAT, EVENT_RANK, EVENT_PID, EVENT_TID};
	struct range_writer *w = arg;
	struct event *r = &w->range, e;
	char id[NUM_ROOM];
	size_t i;

	w->line.n = w->more.n = 0;
	buf_add(&w->line, s->record.p, s->record.n);
	scan_pad(&w->line);
	event_parse(r, buf_str(&w->line));
	event_clear(&e);
	set_work(w, &e, &s->work);
	for (i = 0; i < sizeof kept / sizeof *kept; i++) {
		if (event_has(r, kept[i]))
			event_set(&e, kept[i], event_get(r, kept[i]));
	}
	event_set(&e, EVENT_ID, (struct str){id, (size_t)(num_put_u64(id, s->id) - id)});
	json_write_int(&w->args, "orig_ts", r->ts);
	json_write_int(&w->args, "orig_dur", r->dur);
	json_write_int(&w->args, "depth", (int64_t)s->depth);
	json_write_int(&w->args, "children", (int64_t)s->children);
	if (s->parent)
		json_write_int(&w->args, "parent", (int64_t)s->parent);
	if (s->stack.p) {
		json_write_begin(&w->args, "stack", '[');
		buf_add(&w->args, s->stack.p, s->stack.n);
		json_write_end(&w->args, ']');
	}
	add_members(&w->args, event_get(r, EVENT_ARGS), true);
	add_members(&w->more, r->raw, false);
	e.more = buf_str(&w->more);
	write_event(w, &e);
}

void range_writer_write_outside(struct range_writer *w)
{
	const struct projection_work *work;
	struct str rank, pid, last;
	struct event e;
	size_t next = 0;

	while ((work = projection_next_outside(w->projection, &next, &rank, &pid))) {
		event_clear(&e);
		set_work(w, &e, work);
		set_member(&e, EVENT_RANK, rank);
		set_member(&e, EVENT_PID, pid);
		set_member(&e, EVENT_TID, projection_key(w->projection, work->tid));
		last = projection_key(w->projection, work->last_tid);
		if (last.p && !event_has(&e, EVENT_TID))
			json_write_json(&w->args, "last_tid", last);
		write_event(w, &e);
	}
}

void range_writer_free(struct range_writer *w)
{
	bufs_free(&w->line, &w->more, &w->args);
}
