#include "operation_reader.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "base/word_table.h"
#include "json/iter_inline.h"
#include "json/string.h"

#include <stdlib.h>

/* --- the selected steps --- */

bool step_list_add(struct step_list *l, struct str text)
{
	struct str part, first, last;
	struct step_range r = {.found = false};

	while (str_split(&text, ',', &part)) {
		str_split(&part, '-', &first);
		last = part.p ? part : first;
		if (!str_all(first, is_digit) || !str_all(last, is_digit) || num_int(first, &r.from) != NUM_OK ||
		    num_int(last, &r.to) != NUM_OK || r.to < r.from)
			return false;
		l->ranges = mem_grow(l->ranges, &l->cap, l->n + 1, sizeof *l->ranges);
		l->ranges[l->n++] = r;
	}
	return true;
}

bool step_list_has(struct step_list *l, int64_t step)
{
	bool has = !l->n;
	size_t i;

	for (i = 0; i < l->n; i++) {
		if (step >= l->ranges[i].from && step <= l->ranges[i].to)
			has = l->ranges[i].found = true;
	}
	return has;
}

void step_list_free(struct step_list *l)
{
	free(l->ranges);
}

/* --- reading --- */

enum { LANES = 5 }; /* a rank has this many threads: rank * 5, rank * 5 + 1 ... */

#define OPERATION_MEMBER_WORD(id, name) {name, sizeof(name) - 1},
static const struct str members[] = {OPERATION_MEMBERS(OPERATION_MEMBER_WORD)};
static struct word_table table = {.list = members, .n = OPERATION_MEMBER_N};

const char *operation_reader_map(void *arg, struct str type)
{
	struct operation_reader *r = arg;
	const enum operation_type found = operation_type_find(type);

	if (found == OPERATION_TYPE_N)
		return "unknown type of operation; what-if --help lists the types";
	r->types = mem_grow(r->types, &r->types_cap, r->names.n, sizeof *r->types);
	r->types[r->names.n - 1] = found;
	return NULL;
}

void operation_reader_free(struct operation_reader *r)
{
	name_match_free(&r->names);
	free(r->types);
	buf_free(&r->text);
}

/* Reads the members of an object; they replace the earlier ones. The record is broken if it is not JSON. */
static void read_members(struct operation_reader *r, struct event *e, struct str object)
{
	struct str key, value;
	struct iter w;
	size_t i;
	int more;

	iter_init(&w, object);
	while ((more = iter_quick(&w, &key, &value)) > 0) {
		i = key.n ? word_table_find(&table, key, word_table_head(key.p, key.n)) : OPERATION_MEMBER_N;
		if (i < OPERATION_MEMBER_N)
			r->value[i] = value;
	}
	event_broken_if(e, more != 0);
}

/* Reads the parts of a record that are used. Returns whether it is an operation or the name of a thread. */
static bool parse(struct operation_reader *r, struct event *e)
{
	const struct str name = event_get(e, EVENT_NAME);
	const size_t rule = r->names.n ? name_match_first(&r->names, name) : NAME_MATCH_NONE;
	struct str args;

	r->type = rule != NAME_MATCH_NONE ? r->types[rule]
		  : json_is_string(name)  ? operation_type_find(json_inner(name))
					  : OPERATION_TYPE_N;
	if (r->type == OPERATION_TYPE_N && !(str_eq(name, STR("\"thread_name\"")) && event_get_kind(e) == KIND_META))
		return false;
	event_walk(e);
	args = event_get(e, EVENT_ARGS);
	event_check(e, args);
	if (r->type == OPERATION_TYPE_N || e->check == EVENT_BROKEN)
		return true;
	memset(r->value, 0, sizeof r->value);
	if (args.p && args.p[0] == '{')
		read_members(r, e, args);
	if (e->reading != EVENT_PLAIN)
		read_members(r, e, e->raw);
	return true;
}

static bool read_int(struct str json, int64_t *v)
{
	return json.p && num_whole(json_is_string(json) ? json_inner(json) : json, v) == NUM_OK;
}

/* Reads the stage from the name of a thread, such as "PP rank 2, TP rank 0, compute". */
static void add_thread(struct operation_reader *r, struct event *e)
{
	const struct str args = event_get(e, EVENT_ARGS), prefix = STR("PP rank ");
	const struct str json = args.p && args.p[0] == '{' ? iter_find(args, STR("name")) : (struct str){NULL, 0};
	int64_t pid, tid, stage;
	struct str name;

	if (!json.p || !json_is_string(json))
		return;
	r->text.n = 0;
	json_unescape(&r->text, json_inner(json));
	name = buf_str(&r->text);
	if (!str_starts(name, prefix) || num_int(str_first(str_from(name, prefix.n), is_digit), &stage) != NUM_OK ||
	    !read_int(event_get(e, EVENT_PID), &pid) || !read_int(event_get(e, EVENT_TID), &tid))
		return;
	if (!training_job_name_thread(r->job, pid, tid, stage))
		input_lost(r->in, "second name of a thread, with another stage; ignored");
}

/* Sets *source; returns NULL, or what the record lacks. */
static const char *read_source(const struct operation_reader *r, struct event *e, struct operation_source *source)
{
	const bool has_pid = read_int(event_get(e, EVENT_PID), &source->pid);
	const bool has_tid = read_int(event_get(e, EVENT_TID), &source->tid);

	if (!read_int(r->value[OPERATION_MEMBER_DP], &source->dp)) {
		if (!has_pid)
			return "operation without the number of its DP rank (dp or pid); skipped";
		source->dp = source->pid;
	}
	if (!read_int(event_get(e, EVENT_RANK), &source->rank)) {
		if (!has_tid)
			return "operation without rank or tid; skipped";
		source->rank = source->tid / LANES;
	}
	if (read_int(r->value[OPERATION_MEMBER_STAGE], &source->stage)) {
		source->pid = source->tid = 0;
		return source->stage < 0 ? "operation with a negative stage; skipped" : NULL;
	}
	source->stage = -1;
	return has_pid && has_tid ? NULL : "operation without stage, or pid and tid; skipped";
}

static void add_operation(struct operation_reader *r, struct event *e)
{
	struct operation_source source = {.pid = 0};
	struct operation o = {.chunk = -1, .type = (uint8_t)r->type};
	const char *wrong = NULL;
	int64_t chunk;

	if (!event_has(e, EVENT_TS) || !event_has(e, EVENT_DUR))
		wrong = "operation without ts or dur; skipped";
	else if (!read_int(r->value[OPERATION_MEMBER_STEP], &o.step))
		wrong = "operation without step; skipped";
	else
		wrong = read_source(r, e, &source);
	if (!wrong && r->job->n >= UINT32_MAX)
		wrong = "too many operations, at most 4294967295; skipped";
	if (wrong) {
		input_lost(r->in, wrong);
		return;
	}
	if (!step_list_has(r->steps, o.step))
		return;
	o.ts = e->ts;
	o.dur = event_duration(e);
	o.has_seq = read_int(r->value[OPERATION_MEMBER_SEQ], &o.seq);
	if (read_int(r->value[OPERATION_MEMBER_CHUNK], &chunk) && chunk >= 0 && chunk < INT32_MAX)
		o.chunk = (int32_t)chunk;
	o.worker = training_job_add_source(r->job, &source);
	*training_job_add(r->job) = o;
}

void operation_reader_add(struct operation_reader *r, struct event *e)
{
	if (!parse(r, e) || !input_valid(r->in, e))
		return;
	if (r->type != OPERATION_TYPE_N)
		add_operation(r, e);
	else
		add_thread(r, e);
}
