/*
 * chrome_writer_document: writes the top-level object: its members, from meta records, and the array of events, one
 * event on each line.
 */
#include "chrome_writer_private.h"

#include "base/num_format.h"
#include "io/out.h"
#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"

/*
 * Returns the value of the top-level member from which the reader made args. If that value was not an object, the
 * reader put it into an object as its only member, `value`.
 */
static struct str member_value(struct event *e)
{
	struct str args = event_get(e, EVENT_ARGS), key, value, more;
	struct iter w;

	if (!args.p)
		return STR("{}");
	iter_init(&w, args);
	if (iter_next(&w, &key, &value) > 0 && str_eq(key, STR("value")) && iter_next(&w, &more, &more) == 0)
		return value;
	return args;
}

bool chrome_writer_take_member(struct chrome_writer *w, struct event *e)
{
	struct str name = event_get(e, EVENT_NAME), value = member_value(e);
	struct fault ignored;
	const size_t known = w->names.n;

	if (!json_is_string(name) || !e->plain ||
	    e->has & ~(1u << EVENT_KIND | 1u << EVENT_NAME | 1u << EVENT_RANK | 1u << EVENT_ARGS) ||
	    str_eq(name, STR("\"traceEvents\"")))
		return false;
	map_put(&w->names, name);
	if (w->names.n == known)
		return false;
	w->text.n = 0;
	buf_add(&w->text, w->events ? ",\n" : w->members ? ",\n" : "{", w->events || w->members ? 2 : 1);
	buf_add(&w->text, name.p, name.n);
	buf_char(&w->text, ':');
	buf_add(&w->text, value.p, value.n);
	if (w->events) {
		buf_add(&w->later, w->text.p, w->text.n);
		return true;
	}
	w->members++;
	out_str(w->out, json_write_str(&w->text));
	if (str_eq(name, STR("\"distributedInfo\"")) && json_tree_read(&w->job, value, &ignored))
		w->rank = json_tree_get(&w->job, "rank");
	return true;
}

void chrome_writer_put_line(struct chrome_writer *w)
{
	if (!w->events)
		out_z(w->out, w->members ? ",\n\"traceEvents\":[\n" : "{\"traceEvents\":[\n");
	else
		out_lit(w->out, ",\n");
	w->events = true;
	out_str(w->out, json_write_str(&w->text));
}

void chrome_writer_put_micros(struct buf *b, const char *key, int64_t ns)
{
	const uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
	unsigned rest = (unsigned)(size % 1000), unit = 100;
	char *p;

	json_write_key(b, key);
	p = buf_room(b, NUM_ROOM);
	if (ns < 0)
		*p++ = '-';
	p = num_put_u64(p, size / 1000);
	if (rest)
		*p++ = '.';
	for (; rest; rest %= unit, unit /= 10)
		*p++ = (char)('0' + rest / unit);
	b->n = (size_t)(p - b->p);
}

void chrome_writer_put_place(struct buf *b, const struct chrome_writer_row *p)
{
	if (p->pid.n)
		json_write_json(b, "pid", p->pid);
	if (p->tid.n)
		json_write_json(b, "tid", p->tid);
}

void chrome_writer_end(struct chrome_writer *w)
{
	chrome_writer_name_rows(w);
	if (!w->events)
		out_z(w->out, w->members ? ",\n\"traceEvents\":[" : "{\"traceEvents\":[");
	out_lit(w->out, "\n]");
	out_str(w->out, json_write_str(&w->later));
	out_lit(w->out, "}\n");
}
