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
	s->rank.n = 0;
	buf_add(&s->rank, rank.p, rank.n);
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
	char *end;

	copy_until(edit, text.p);
	end = num_put_i64(buf_room(edit->to, NUM_ROOM), v);
	edit->to->n = (size_t)(end - edit->to->p);
	edit->done += text.n;
}

static void shift_time(struct edit *edit, const struct clock_shift *s, struct str text)
{
	int64_t ts;

	if (text.p && num_whole(text, &ts) == NUM_OK)
		replace(edit, text, clock_shift_time(s, ts));
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

/*
 * Replaces the base time in the args of a record of kind meta: after the shift, all times have that of the reference.
 */
static void shift_base(struct edit *edit, const struct clock_shift *s, struct str args)
{
	const struct str text = iter_find(args, STR("value"));
	int64_t base;

	if (text.p && num_whole(text, &base) == NUM_OK)
		replace(edit, text, int_sub(base, s->clock.base));
}

/* Returns the time in a member of the record; p is NULL if the member has none. */
static struct str find_time(enum event_member m, struct str key, struct str value)
{
	if (m == EVENT_TS || (m == EVENT_N && str_eq(key, STR("orig_ts"))))
		return value;
	return m == EVENT_N && value.p[0] == '{' ? iter_find(value, STR("ts")) : (struct str){NULL, 0};
}

struct str clock_shift_line(struct clock_shift *s, struct event *e)
{
	const bool shifts = !event_get(e, EVENT_CLOCK).p;
	const bool is_base =
	    event_get_kind(e) == KIND_META && str_eq(event_get(e, EVENT_NAME), STR("\"baseTimeNanoseconds\""));
	bool ranked = !s->rank.n || event_get(e, EVENT_RANK).p, first = true;
	struct edit edit = {&s->line, e->raw, 0};
	enum event_member m = EVENT_N;
	struct str key, value;
	struct iter w;

	s->line.n = 0;
	for (iter_init(&w, e->raw); event_next(&w, &m, &key, &value) > 0; first = false) {
		if (!ranked && m > EVENT_RANK) {
			add_rank(&edit, s, key.p, first);
			ranked = true;
		}
		if (is_base && m == EVENT_ARGS && value.p[0] == '{')
			shift_base(&edit, s, value);
		if (shifts)
			shift_time(&edit, s, find_time(m, key, value));
	}
	if (!ranked)
		add_rank(&edit, s, NULL, first);
	copy_until(&edit, e->raw.p + e->raw.n);
	return buf_str(&s->line);
}

void clock_shift_free(struct clock_shift *s)
{
	buf_free(&s->rank);
	buf_free(&s->line);
}
