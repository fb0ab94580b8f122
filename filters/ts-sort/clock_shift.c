#include "clock_shift.h"

#include "base/num_format.h"
#include "base/num_parse.h"
#include "json/value.h"

const char *clock_shift_find(struct clock_shift *s, struct event *e)
{
	const struct str rank = event_get(e, EVENT_RANK);
	const struct rank_clock *found;
	int64_t number;

	if (!rank.p)
		return event_get(e, EVENT_TS).p ? "record without a rank; set the rank with trace2ndjson --set rank=N"
						: NULL;
	if (str_eq(rank, buf_str(&s->rank)))
		return NULL;
	if (s->rank.n)
		return "records of two ranks in one input; with --clocks, each input must have its own rank";
	if (!value_integer(rank, &number))
		return "the rank is not an integer";
	found = clock_file_find(s->clocks, number);
	if (!found && !s->force)
		return "the file of --clocks has no clock of this rank; to leave its times unchanged, use --force";
	if (found && !found->ok && !s->force)
		return "the clock of this rank is unknown (ok is false); to add only its base time, use --force";
	s->clock = (struct rank_clock){.base = found ? found->base : 0};
	if (found && found->ok)
		s->clock = *found;
	buf_set(&s->rank, rank);
	return NULL;
}

/* A line that is copied with changes. */
struct edit {
	struct buf *to;
	struct str line;
	size_t done; /* the bytes of the line that were copied or replaced */
};

static void copy_until(struct edit *edit, const char *p)
{
	buf_add(edit->to, edit->line.p + edit->done, (size_t)(p - edit->line.p) - edit->done);
	edit->done = (size_t)(p - edit->line.p);
}

/* Copies the line up to `text`, and writes an integer in place of `text`. */
static void replace(struct edit *edit, struct str text, int64_t v)
{
	copy_until(edit, text.p);
	edit->to->n = (size_t)(num_put_i64(buf_room(edit->to, NUM_ROOM), v) - edit->to->p);
	edit->done += text.n;
}

/* Inserts the rank before the member whose key is at `key`, or at the end if it is NULL. */
static void add_rank(struct edit *edit, const struct clock_shift *s, const char *key, bool first)
{
	const char *end = edit->line.p + edit->line.n;

	while (!key && *--end != '}')
		;
	copy_until(edit, key ? key - 1 : end);
	if (!key && !first)
		buf_char(edit->to, ',');
	buf_lit(edit->to, "\"rank\":");
	buf_add(edit->to, s->rank.p, s->rank.n);
	if (key)
		buf_char(edit->to, ',');
}

struct str clock_shift_line(struct clock_shift *s, struct event *e)
{
	const bool shifts = !event_get(e, EVENT_CLOCK).p;
	const bool is_base =
	    event_get_kind(e) == KIND_META && str_eq(event_get(e, EVENT_NAME), STR("\"baseTimeNanoseconds\""));
	bool ranked = !s->rank.n || event_get(e, EVENT_RANK).p, first = true;
	struct edit edit = {&s->line, e->raw, 0};
	enum event_member m = EVENT_N;
	struct str key, value, time;
	struct iter w;
	int64_t ns;

	s->line.n = 0;
	for (iter_init(&w, e->raw); event_next(&w, &m, &key, &value) > 0; first = false) {
		if (!ranked && m > EVENT_RANK) {
			add_rank(&edit, s, key.p, first);
			ranked = true;
		}
		time = (struct str){NULL, 0};
		if (m == EVENT_TS || (m == EVENT_N && str_eq(key, STR("orig_ts"))))
			time = value;
		else if (m == EVENT_N && value.p[0] == '{')
			time = iter_find(value, STR("ts"));
		if (shifts && time.p && num_whole(time, &ns) == NUM_OK)
			replace(&edit, time, clock_shift_time(s, ns));
		/* After the shift, all times have the base time of the reference. */
		if (is_base && m == EVENT_ARGS && value.p[0] == '{') {
			time = iter_find(value, STR("value"));
			if (time.p && num_whole(time, &ns) == NUM_OK)
				replace(&edit, time, int_sub(ns, s->clock.base));
		}
	}
	if (!ranked)
		add_rank(&edit, s, NULL, first);
	copy_until(&edit, e->raw.p + e->raw.n);
	return buf_str(&s->line);
}

void clock_shift_free(struct clock_shift *s)
{
	bufs_free(&s->rank, &s->line);
}
