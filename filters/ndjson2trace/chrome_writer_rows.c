/* chrome_writer_rows: names the rows in a viewer: takes names from the input, and makes names for the other rows. */
#include "chrome_writer_private.h"

#include "base/num_format.h"
#include "base/num_parse.h"
#include "json/iter.h"
#include "json/string.h"
#include "json/value.h"
#include "json/write.h"

void chrome_writer_take_name(struct chrome_writer *w, struct event *e, size_t process, size_t thread, bool thread_name)
{
	struct viewer_lanes_thread *t = &w->lanes.threads[thread];
	struct str name = event_get(e, EVENT_NAME), args = event_get(e, EVENT_ARGS);

	if (thread_name) {
		viewer_lanes_set(&t->name, name);
	} else if (str_eq(name, STR("\"process_name\""))) {
		w->lanes.processes[process].named = true;
		if (args.p)
			viewer_lanes_set(&w->lanes.processes[process].name, iter_find(args, STR("name")));
	} else if (str_eq(name, STR("\"thread_name\"")) && args.p) {
		t->named = true;
		viewer_lanes_set(&t->name, iter_find(args, STR("name")));
	} else if (str_eq(name, STR("\"thread_sort_index\"")) && args.p) {
		viewer_lanes_set(&t->sort, iter_find(args, STR("sort_index")));
	}
}

/* Writes metadata for viewers: the name of a row or its sort index. `value` is JSON. */
static void write_meta(
    struct chrome_writer *w, const char *what, struct str pid, struct str tid, const char *key, struct str value)
{
	struct buf *b = &w->text;

	b->n = 0;
	json_write_begin(b, NULL, '{');
	json_write_json(b, "record", STR("null"));
	json_write_text(b, "ph", STR("M"));
	json_write_text(b, "name", str_of(what));
	json_write_json(b, "pid", pid);
	if (tid.n)
		json_write_json(b, "tid", tid);
	json_write_begin(b, "args", '{');
	json_write_json(b, key, value);
	json_write_end(b, '}');
	json_write_end(b, '}');
	chrome_writer_put_line(w);
}

/*
 * Names a process that has no name in the input: "GPU 0", "process 7003". If there are several ranks, names each
 * process after its rank, with the name in the input: "rank 3: python 7003"; and sorts by rank, host before device.
 */
static void name_process(struct chrome_writer *w, size_t process)
{
	const struct viewer_lanes_process *p = &w->lanes.processes[process];
	const struct str rank = viewer_lanes_rank(&w->lanes, process), pid = viewer_lanes_pid(&w->lanes, process);
	const bool ranked = w->ranks && rank.n, text = json_is_string(pid);
	struct buf *b = &w->args, *name = &w->record;
	const struct str known = json_write_str(&p->name);
	int64_t number;

	if (!pid.n || (!ranked && (p->named || text)))
		return;
	b->n = name->n = 0;
	if (rank.n && !json_is_string(rank)) {
		buf_lit(b, "rank ");
		buf_add(b, rank.p, rank.n);
		buf_lit(b, ": ");
	}
	if (p->device)
		buf_lit(b, "GPU ");
	else if (ranked && json_is_string(known) && known.n > 2)
		json_unescape(b, json_inner(known));
	else if (!text)
		buf_lit(b, "process");
	if (!p->device && b->n && b->p[b->n - 1] != ' ')
		buf_char(b, ' ');
	if (text)
		json_unescape(b, json_inner(pid));
	else
		buf_add(b, pid.p, pid.n);
	json_quote(name, json_write_str(b)); /* a pid or a rank can be any JSON value */
	write_meta(w, "process_name", json_write_str(&p->number), (struct str){0}, "name", json_write_str(name));
	if (!ranked || !value_integer(rank, &number) || number < 0 || number > INT32_MAX)
		return;
	b->n = 0;
	b->n = (size_t)(num_put_i64(buf_room(b, NUM_ROOM), 2 * number + p->device) - b->p);
	write_meta(
	    w, "process_sort_index", json_write_str(&p->number), (struct str){0}, "sort_index", json_write_str(b));
}

/* Names a lane: "stream 7", "thread 31415 (lane 2)", or the name from the input followed by the lane. */
static void name_lane(struct chrome_writer *w, const struct viewer_lanes_thread *t, size_t lane)
{
	const struct str pid = json_write_str(&w->lanes.processes[t->process].number), tid = viewer_lanes_tid(t, lane);
	struct str own = viewer_lanes_tid(t, 0), name = json_write_str(&t->name),
		   sort = t->sort.n ? json_write_str(&t->sort) : own;
	struct buf *b = &w->args;
	char number[NUM_ROOM];
	int64_t v;

	if (!pid.n || (!lane && (t->named || !own.n || (!t->device && !name.n))))
		return;
	b->n = 0;
	buf_char(b, '"');
	if (json_is_string(name)) {
		buf_add(b, json_inner(name).p, json_inner(name).n);
	} else {
		buf_add(b, t->device ? "stream " : "thread ", 7);
		own = json_is_string(own) ? json_inner(own) : own;
		buf_add(b, own.p, own.n);
	}
	if (lane) {
		buf_lit(b, " (lane ");
		buf_add(b, number, (size_t)(num_put_u64(number, lane + 1) - number));
		buf_char(b, ')');
	}
	buf_char(b, '"');
	write_meta(w, "thread_name", pid, tid, "name", json_write_str(b));
	if (lane && num_int(sort, &v) == NUM_OK)
		write_meta(w, "thread_sort_index", pid, tid, "sort_index", sort);
}

void chrome_writer_name_rows(struct chrome_writer *w)
{
	size_t i, lane;

	for (i = 0; i < w->lanes.n_processes; i++)
		name_process(w, i);
	for (i = 0; i < w->lanes.n_threads; i++) {
		for (lane = 0; lane < w->lanes.threads[i].n; lane++)
			name_lane(w, &w->lanes.threads[i], lane);
	}
}
