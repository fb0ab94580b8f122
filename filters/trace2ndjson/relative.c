#include "relative.h"

#include "base/num_format.h"
#include "base/num_parse.h"
#include "json/scan.h"
#include "json/write.h"

#include <stdlib.h>

static bool has_main_ts(const struct event *e)
{
	return event_has(e, EVENT_TS) && !event_has(e, EVENT_CLOCK);
}

/*
 * Copies the attachments to r->object, with a brace in place of the first comma, and returns the ts of the attachment
 * `api`; p is NULL when there is no `api` with an integer ts. Sets *odd if the record has a ts that is not an integer.
 */
static struct str find_attached(struct relative *r, const struct event *e, int64_t *ts, bool *odd)
{
	const struct str none = {NULL, 0};
	struct str object, value;

	*odd = false;
	if (str_find(e->attachments, STR("\"api\"")) == e->attachments.n &&
	    str_find(e->attachments, STR("\"ts\"")) == e->attachments.n)
		return none;
	r->object.n = 0;
	buf_char(&r->object, '{');
	buf_add(&r->object, e->attachments.p + 1, e->attachments.n - 1);
	buf_char(&r->object, '}');
	scan_pad(&r->object);
	object = buf_str(&r->object);
	*odd = iter_find(object, STR("ts")).p;
	value = iter_find(object, STR("api"));
	if (!value.p || value.p[0] != '{')
		return none;
	value = iter_find(value, STR("ts"));
	return value.p && num_whole(value, ts) == NUM_OK ? value : none;
}

/* Sets *ts to the first time of the record; returns false when it has no times. */
static bool find_time(struct relative *r, const struct event *e, int64_t *ts)
{
	bool odd;

	if (!has_main_ts(e))
		return find_attached(r, e, ts, &odd).p;
	*ts = e->ts;
	return true;
}

bool relative_find(struct relative *r, struct event *e)
{
	return r->known = event_get_kind(e) != KIND_META && find_time(r, e, &r->origin);
}

enum relative_result relative_shift(struct relative *r, struct event *e)
{
	char number[NUM_ROOM];
	struct str old;
	int64_t ts;
	bool odd;

	if (has_main_ts(e) && __builtin_sub_overflow(e->ts, r->origin, &e->ts))
		return RELATIVE_BEYOND;
	old = find_attached(r, e, &ts, &odd);
	if (old.p) {
		if (__builtin_sub_overflow(ts, r->origin, &ts))
			return RELATIVE_BEYOND;
		r->attachments.n = 0;
		buf_char(&r->attachments, ',');
		buf_add(&r->attachments, r->object.p + 1, (size_t)(old.p - r->object.p) - 1);
		buf_add(&r->attachments, number, (size_t)(num_put_i64(number, ts) - number));
		old = str_from((struct str){r->object.p, r->object.n - 1}, (size_t)(old.p + old.n - r->object.p));
		buf_add(&r->attachments, old.p, old.n);
		e->attachments = buf_str(&r->attachments);
	}
	return odd ? RELATIVE_ODD : RELATIVE_DONE;
}

static struct str copy_text(struct relative *r, struct str text)
{
	return map_key(&r->texts, map_put(&r->texts, text));
}

bool relative_hold(struct relative *r, const struct event *e)
{
	struct event *held;
	enum event_member m;
	int64_t ts;

	if (!find_time(r, e, &ts))
		return false;
	r->held = mem_grow(r->held, &r->cap, r->n + 1, sizeof *r->held);
	held = &r->held[r->n++];
	*held = *e;
	for (m = EVENT_KIND; m < EVENT_N; m++) {
		if (event_has(e, m))
			held->m[m] = copy_text(r, e->m[m]);
	}
	held->attachments = copy_text(r, e->attachments);
	return true;
}

struct event *relative_waiting(struct relative *r, size_t i)
{
	if (i == r->n)
		return NULL;
	if (!r->known)
		r->known = find_time(r, &r->held[i], &r->origin);
	return &r->held[i];
}

void relative_make_record(struct relative *r, struct event *e)
{
	char number[NUM_ROOM];

	r->text.n = 0;
	json_write_begin(&r->text, NULL, '{');
	json_write_text(&r->text, "value", num_str_i64(number, r->origin));
	json_write_end(&r->text, '}');
	event_clear(e);
	event_set_kind(e, KIND_META);
	event_set(e, EVENT_NAME, STR("\"origin\""));
	event_set(e, EVENT_ARGS, buf_str(&r->text));
}

void relative_free(struct relative *r)
{
	free(r->held);
	map_free(&r->texts);
	bufs_free(&r->object, &r->attachments, &r->text);
}
