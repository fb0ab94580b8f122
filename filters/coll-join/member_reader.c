#include "member_reader.h"

#include "json/check.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/value.h"

#include <stdlib.h>

/* Such as ncclDevKernel_AllReduce_Sum_f32_RING_LL; until 2021, ncclAllReduceRingLLKernel_sum_f32. */
#define NCCL_KERNEL "^(void )?[nr]ccl[A-Za-z0-9]*Kernel"
/* The all-reduce kernels of vLLM, SGLang and AITER. */
#define CUSTOM_KERNEL "cross_device_reduce_[12]stage"

enum { KNOWN_NCCL, KNOWN_CUSTOM };

void member_reader_init(struct member_reader *r)
{
	struct fault f;

	r->known.fold = true;
	name_match_regex(&r->known, NCCL_KERNEL, &f);
	name_match_regex(&r->known, CUSTOM_KERNEL, &f);
	r->threads.members[0] = EVENT_RANK;
	r->threads.members[1] = EVENT_PID;
	r->threads.members[2] = EVENT_TID;
	r->threads.n_members = 3;
}

void member_reader_free(struct member_reader *r)
{
	name_match_free(&r->known);
	name_match_free(&r->custom);
	host_calls_free(&r->host);
	member_args_free(&r->args);
	places_free(&r->threads);
	buf_free(&r->base_text);
	buf_free(&r->text);
	free(r->customs);
}

/* --- reading --- */

/* Reads the args of the record; sets e->broken when they are not JSON. Returns whether they are of a communication. */
static bool read_args(struct member_reader *r, struct event *e)
{
	e->broken |= !member_args_read(&r->args, event_get(e, EVENT_ARGS));
	event_check(e, r->args.value[MEMBER_ARGS_GROUP_RANKS]);
	return !e->broken && member_args_is_communication(&r->args);
}

static void find_name(struct member_reader *r, struct str name)
{
	const size_t known = name_match_first(&r->known, name);

	r->rule = r->n_customs ? name_match_first(&r->custom, name) : NAME_MATCH_NONE;
	r->name = r->rule != NAME_MATCH_NONE || known == KNOWN_CUSTOM ? MEMBER_READER_CUSTOM
		  : known == KNOWN_NCCL                               ? MEMBER_READER_NCCL
								      : MEMBER_READER_FOREIGN;
}

static enum member_reader_what look_kernel(struct member_reader *r, struct event *e)
{
	const struct str args = event_get(e, EVENT_ARGS);

	find_name(r, event_get(e, EVENT_NAME));
	if (r->name == MEMBER_READER_FOREIGN && !(args.p && iter_may_find(args, "Col")))
		return MEMBER_READER_NOTHING;
	if (!read_args(r, e) && r->name == MEMBER_READER_FOREIGN)
		return MEMBER_READER_NOTHING;
	event_get(e, EVENT_DUR);
	return MEMBER_READER_KERNEL;
}

static enum member_reader_what look_meta(struct event *e)
{
	const struct str name = event_get(e, EVENT_NAME);
	const enum member_reader_what what = str_eq(name, STR("\"distributedInfo\""))       ? MEMBER_READER_DISTRIBUTED
					     : str_eq(name, STR("\"baseTimeNanoseconds\"")) ? MEMBER_READER_BASE
											    : MEMBER_READER_NOTHING;

	if (what != MEMBER_READER_NOTHING)
		event_check(e, event_get(e, EVENT_ARGS));
	return what;
}

static enum member_reader_what look(struct member_reader *r, struct event *e)
{
	switch (event_get_kind(e)) {
	case KIND_KERNEL:
		return look_kernel(r, e);
	case KIND_API:
		return event_get(e, EVENT_CORR).p ? MEMBER_READER_CALL : MEMBER_READER_NOTHING;
	case KIND_OP:
		return str_eq(event_get(e, EVENT_NAME), STR("\"record_param_comms\"")) && read_args(r, e)
			   ? MEMBER_READER_OPERATOR
			   : MEMBER_READER_NOTHING;
	case KIND_RANGE:
		return str_starts(event_get(e, EVENT_NAME), STR("\"nccl:")) ? MEMBER_READER_RANGE
									    : MEMBER_READER_NOTHING;
	case KIND_META:
		return look_meta(e);
	default:
		return MEMBER_READER_NOTHING;
	}
}

void member_reader_look(void *arg, struct event *e)
{
	struct member_reader *r = arg;

	r->what = look(r, e);
	if (r->what != MEMBER_READER_NOTHING || !r->file_has_rank)
		event_walk(e);
}

/* --- storing --- */

static bool get_corr(struct event *e, int64_t *corr)
{
	return value_integer(event_get(e, EVENT_CORR), corr);
}

static uint32_t find_place(struct member_reader *r, struct event *e)
{
	const struct str dev = event_get(e, EVENT_DEV), stream = event_get(e, EVENT_STREAM);

	r->text.n = 0;
	buf_add(&r->text, dev.p, dev.n);
	buf_char(&r->text, '\n');
	buf_add(&r->text, stream.p, stream.n);
	return (uint32_t)map_put(&r->job->places, (struct str){r->text.p, r->text.n});
}

/* The description of a kernel without metadata; an operator of the host may still replace it. */
static uint32_t describe_name(struct member_reader *r, struct event *e)
{
	struct job *j = r->job;
	struct job_description d = {.dtype = JOB_NONE, .group = JOB_NONE, .in = -1, .out = -1, .peer = -1, .bytes = -1};

	d.name = member_args_text(&r->args, j, event_get(e, EVENT_NAME));
	d.custom = r->name == MEMBER_READER_CUSTOM;
	if (r->rule != NAME_MATCH_NONE) {
		d.operation = r->customs[r->rule].operation;
		d.bytes = r->customs[r->rule].bytes;
	} else {
		d.operation = operation_of_kernel(map_key(&j->texts, d.name));
	}
	return job_add_description(j, &d);
}

static void add_pending(struct member_reader *r)
{
	struct host_calls_pending pending = {.kernel = (uint32_t)(r->job->n - 1)};

	pending.has_external = member_args_int(&r->args, MEMBER_ARGS_EXTERNAL, &pending.external);
	host_calls_add_pending(&r->host, &pending);
}

static void take_kernel(struct member_reader *r, struct event *e, uint32_t rank)
{
	struct job *j = r->job;
	struct job_kernel *k;
	int64_t external, seq;

	if (!event_has(e, EVENT_DUR) ||
	    (!event_has(e, EVENT_TS) &&
		!(member_args_is_communication(&r->args) && member_args_int(&r->args, MEMBER_ARGS_SEQ, &seq)))) {
		input_lost(r->in, "member kernel without ts or dur; skipped");
		return;
	}
	if (j->n >= JOB_NONE - 1) {
		input_lost(r->in, "too many member kernels, at most 4294967294; skipped");
		return;
	}
	r->is_member = true;
	k = job_add_kernel(j);
	if (event_has(e, EVENT_TS))
		k->ts = e->ts;
	else
		k->flags |= JOB_NO_TS;
	k->dur = event_duration(e);
	k->rank = rank;
	k->place = find_place(r, e);
	if (get_corr(e, &k->corr))
		k->flags |= JOB_HAS_CORR;
	if (member_args_int(&r->args, MEMBER_ARGS_EXTERNAL, &external)) {
		if (k->flags & JOB_HAS_CORR && external == k->corr)
			j->ranks[rank].external_equal++;
		else
			j->ranks[rank].external_other++;
	}
	if (member_args_is_communication(&r->args)) {
		k->description = member_args_describe(&r->args, j, rank);
		member_args_number(&r->args, j, k);
		if (r->args.contradiction)
			input_lost(r->in, "Group size is not the number of Process Group Ranks; used the ranks");
		return;
	}
	k->description = describe_name(r, e);
	if (r->name == MEMBER_READER_NCCL)
		add_pending(r);
}

static void take_call(struct member_reader *r, struct event *e, uint32_t rank)
{
	struct host_calls_call call = {.ts = e->ts, .rank = rank};

	if (!event_has(e, EVENT_TS) || !get_corr(e, &call.corr))
		return;
	call.thread = (uint32_t)places_put_event(&r->threads, e);
	host_calls_add_call(&r->host, &call);
}

static void take_span(struct member_reader *r, struct event *e, uint32_t rank)
{
	struct job *j = r->job;
	struct host_calls_span span = {.start = e->ts, .end = event_end(e), .rank = rank, .description = JOB_NONE};
	struct job_kernel numbers = {.flags = 0};
	struct str name = json_inner(event_get(e, EVENT_NAME));

	if (!event_has(e, EVENT_TS))
		return;
	span.thread = (uint32_t)places_put_event(&r->threads, e);
	if (r->what == MEMBER_READER_RANGE) {
		span.operation = (uint32_t)operation_of_call(&j->operations, str_from(name, strlen("nccl:")));
	} else {
		span.description = member_args_describe(&r->args, j, rank);
		span.has_external = member_args_int(&r->args, MEMBER_ARGS_EXTERNAL, &span.external);
		member_args_number(&r->args, j, &numbers);
		span.seq = numbers.seq;
		span.comms = numbers.comms;
		span.flags = numbers.flags;
	}
	host_calls_add_span(&r->host, &span);
}

/* Returns an array or object; if `json` is a string that contains one, as in traces taken on demand, its text. */
static struct str unpack(struct buf *room, struct str json)
{
	struct fault f;
	struct str text;

	if (!json_is_string(json))
		return json;
	room->n = 0;
	json_unescape(room, json_inner(json));
	scan_pad(room);
	text = (struct str){room->p, room->n};
	return json_check(text, &f) ? text : (struct str){NULL, 0};
}

static void take_pg_config(struct member_reader *r, uint32_t rank, struct str list)
{
	struct job *j = r->job;
	struct str key, item, name, ranks;
	struct buf room = {0};
	struct iter w;
	uint32_t set, text;

	list = unpack(&room, list);
	if (list.p && list.p[0] == '[') {
		iter_init(&w, list);
		while (iter_next(&w, &key, &item) > 0) {
			if (item.p[0] != '{')
				continue;
			name = iter_find(item, STR("pg_name"));
			ranks = iter_find(item, STR("ranks"));
			if (!name.p || !ranks.p)
				continue;
			set = job_add_rank_list(j, json_is_string(ranks) ? json_inner(ranks) : ranks);
			text = member_args_text(&r->args, j, name);
			if (set != JOB_NONE)
				job_set_group_ranks(j, JOB_PG_CONFIG, rank, map_key(&j->texts, text), set);
		}
	}
	buf_free(&room);
}

static void take_meta(struct member_reader *r, uint32_t rank, struct str args)
{
	struct job_rank *to = &r->job->ranks[rank];
	int64_t world;

	if (!args.p || args.p[0] != '{')
		return;
	if (r->what == MEMBER_READER_BASE) {
		value_integer(iter_find(args, STR("value")), &to->base);
	} else {
		if (value_integer(iter_find(args, STR("world_size")), &world) && world > 0)
			to->world = world;
		take_pg_config(r, rank, iter_find(args, STR("pg_config")));
	}
}

/* Sets *rank to the index of a rank or process. Returns NULL, or what is wrong with it. */
static const char *find_rank(struct member_reader *r, int64_t number, uint32_t *rank)
{
	struct job_rank *found;

	*rank = job_rank(r->job, number);
	found = &r->job->ranks[*rank];
	if (found->file == JOB_NONE)
		found->file = r->file;
	else if (found->file != r->file)
		return "another file also has records of this rank; each file must have its own rank";
	r->file_has_rank = true;
	if (r->base_text.n) {
		value_integer((struct str){r->base_text.p, r->base_text.n}, &found->base);
		r->base_text.n = 0;
	}
	return NULL;
}

/* A record without a rank: only a base time that precedes the rank is used. */
static const char *take_without_rank(struct member_reader *r, struct event *e)
{
	const struct str args = event_get(e, EVENT_ARGS);
	struct str value = {NULL, 0};

	if (r->what == MEMBER_READER_BASE && args.p && args.p[0] == '{')
		value = iter_find(args, STR("value"));
	if (value.p) {
		r->base_text.n = 0;
		buf_add(&r->base_text, value.p, value.n);
	}
	if (r->what == MEMBER_READER_KERNEL && r->args.value[MEMBER_ARGS_HOST].p) {
		input_lost(r->in, "communication without rank, ts and Seq; skipped");
		return NULL;
	}
	return r->what >= MEMBER_READER_KERNEL && r->what <= MEMBER_READER_RANGE
		   ? "record without a rank; set the rank with trace2ndjson --set rank=N"
		   : NULL;
}

const char *member_reader_take(struct member_reader *r, struct event *e)
{
	const char *wrong;
	int64_t number;
	uint32_t rank;

	r->is_member = false;
	r->file_has_records = true;
	if (r->what == MEMBER_READER_NOTHING && r->file_has_rank)
		return NULL;
	if (event_get(e, EVENT_RANK).p) {
		if (!value_integer(event_get(e, EVENT_RANK), &number) || number < 0 || number > INT32_MAX)
			return "the rank is not an integer from 0 to 2147483647";
	} else if (r->what != MEMBER_READER_KERNEL ||
		   !member_args_process(&r->args, r->job, event_get(e, EVENT_PID), &number)) {
		return take_without_rank(r, e);
	}
	wrong = find_rank(r, number, &rank);
	if (wrong)
		return wrong;
	switch (r->what) {
	case MEMBER_READER_NOTHING:
		break;
	case MEMBER_READER_KERNEL:
		take_kernel(r, e, rank);
		break;
	case MEMBER_READER_CALL:
		take_call(r, e, rank);
		break;
	case MEMBER_READER_OPERATOR:
	case MEMBER_READER_RANGE:
		take_span(r, e, rank);
		break;
	case MEMBER_READER_DISTRIBUTED:
	case MEMBER_READER_BASE:
		take_meta(r, rank, event_get(e, EVENT_ARGS));
	}
	return NULL;
}

const char *member_reader_end_file(struct member_reader *r)
{
	const bool rankless = r->file_has_records && !r->file_has_rank;

	host_calls_resolve(&r->host, r->job);
	r->file++;
	r->file_has_rank = r->file_has_records = false;
	r->base_text.n = 0;
	return rankless ? "no record has a rank; set the rank with trace2ndjson --set rank=N" : NULL;
}
