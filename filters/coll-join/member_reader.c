#include "member_reader.h"

#include "base/order.h"
#include "base/word_table.h"
#include "coll_operation.h"
#include "device/kernel_names.h"
#include "program/opt_fields.h"
#include "interval/interval_index.h"
#include "json/check.h"
#include "json/iter_inline.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/value.h"
#include "record/event_api.h"
#include "record/places.h"

#include <stdlib.h>

/*
 * Kernels whose launch an operator or a range describes, such as ncclDevKernel_AllReduce_Sum_f32_RING_LL; until 2021,
 * ncclAllReduceRingLLKernel_sum_f32.
 */
#define NCCL_KERNEL "^(void )?[nr]ccl[A-Za-z0-9]*Kernel"

/* The arguments that are read: their numbers and their names in PyTorch. */
#define MEMBER_ARGS(X)                                                                                                 \
	X(COLLECTIVE, "Collective name")                                                                               \
	X(IN, "In msg nelems")                                                                                         \
	X(OUT, "Out msg nelems")                                                                                       \
	X(IN_OLD, "In msg size") /* 2023-10 to 2023-12; elements too */                                                \
	X(OUT_OLD, "Out msg size")                                                                                     \
	X(SIZE, "Group size")                                                                                          \
	X(DTYPE, "dtype")                                                                                              \
	X(GROUP_NAME, "Process Group Name")                                                                            \
	X(GROUP_ID, "Process Group ID") /* 2024-03 to 2024-04 */                                                       \
	X(GROUP_TEXT, "Process Group Description")                                                                     \
	X(GROUP_RANKS, "Process Group Ranks")                                                                          \
	X(SOURCE, "Src Rank")                                                                                          \
	X(DESTINATION, "Dst Rank")                                                                                     \
	X(SEQ, "Seq")                                                                                                  \
	X(COMMS, "Comms Id")                                                                                           \
	X(EXTERNAL, "External id")                                                                                     \
	X(HOST, "hostname") /* this and the next are only in records of NCCL Inspector */                              \
	X(MESSAGE, "coll_msg_size_bytes")                                                                              \
	X(START, "Global rank start") /* these two are only in record_param_comms */                                   \
	X(STRIDE, "Global rank stride")                                                                                \
	X(OPERATION, "operation") /* --write kernels: of a kernel without metadata, from a range of the host */

#define ARG_ENUM(id, name) ARG_##id,
enum { MEMBER_ARGS(ARG_ENUM) ARG_N };

#define ARG_WORD(id, name) {name, sizeof(name) - 1},
static const struct str arg_words[] = {MEMBER_ARGS(ARG_WORD)};
static struct word_table arg_table = {.list = arg_words, .n = ARG_N};

/* A kernel that the user names: --op REGEX=OP[:BYTES]. */
struct custom_kernel {
	uint32_t operation;
	int64_t bytes; /* -1 if not given */
};

/* An operator record_param_comms, or a range nccl:NAME. */
struct host_span {
	int64_t start, end;
	int64_t external; /* its External id */
	int64_t seq;
	uint64_t comms;
	uint32_t rank, thread;
	uint32_t description; /* of an operator, in job.descriptions; JOB_NONE for a range */
	uint32_t operation;
	uint8_t flags; /* enum job_kernel_flags of seq and comms */
	bool has_external;
};

/* A call of the host and its thread, by correlation id; or an operator and its index in `spans`, by External id. */
struct host_id {
	int64_t id, ts;
	uint32_t rank, index;
};

/* A kernel without metadata. */
struct bare_kernel {
	int64_t external;
	struct host_id launch; /* if has_launch is set: its call, which corr-join has added to the record */
	uint32_t kernel;       /* index in job.kernels */
	bool has_external, has_launch;
};

struct member_reader {
	struct job *job;
	struct input *in;
	struct name_match described, custom; /* NCCL_KERNEL; the expressions of the user */
	struct custom_kernel *customs;       /* customs[i] belongs to rule i of `custom` */
	size_t n_customs, customs_cap;
	/* of the record that is being added: */
	enum record_content {
		CONTENT_NOTHING,
		CONTENT_KERNEL,
		CONTENT_CALL,
		CONTENT_OPERATOR,
		CONTENT_RANGE,
		CONTENT_DISTRIBUTED, /* distributedInfo */
		CONTENT_BASE,        /* baseTimeNanoseconds */
	} content;
	/* of a kernel: the rule of `custom` that its name matches, or NAME_MATCH_NONE, and that of all kernels */
	size_t custom_rule;
	const struct kernel_rule *rule;
	struct str args[ARG_N]; /* JSON texts, views of the record; p is NULL for absent and null values */
	/* of the file: */
	uint32_t file;
	bool has_records, has_rank;
	struct buf base_text;  /* the base time, if it precedes the first record with a rank */
	struct host_id *calls; /* which may have launched kernels */
	struct host_span *spans;
	struct bare_kernel *bare;
	size_t n_calls, n_spans, n_bare, calls_cap, spans_cap, bare_cap;
	/* of the job: */
	struct places threads;
	uint32_t
	    *list_sets; /* by the number of a list in job.texts: 0 unknown, otherwise its set or JOB_NONE, plus 2 */
	size_t lists_cap;
	struct buf text;
};

static void free_host(struct member_reader *r)
{
	mem_free(r->calls, r->spans, r->bare);
	r->calls = NULL;
	r->spans = NULL;
	r->bare = NULL;
	r->n_calls = r->n_spans = r->n_bare = r->calls_cap = r->spans_cap = r->bare_cap = 0;
}

struct member_reader *member_reader_new(struct job *j, struct input *in)
{
	struct member_reader *r = mem_zero(1, sizeof *r);
	struct fault f;

	r->job = j;
	r->in = in;
	r->described.fold = true;
	name_match_regex(&r->described, NCCL_KERNEL, &f);
	r->threads = (struct places){.members = {EVENT_RANK, EVENT_PID, EVENT_TID}, .n_members = 3};
	return r;
}

void member_reader_free(struct member_reader *r)
{
	name_match_free(&r->described);
	name_match_free(&r->custom);
	free_host(r);
	places_free(&r->threads);
	bufs_free(&r->base_text, &r->text);
	mem_free(r->customs, r->list_sets, r);
}

void member_reader_add_custom(struct member_reader *r, const struct opt_value *v)
{
	static const struct opt size = {0, "op", OPT_SIZE("BYTES", 0), OPT_TAKE, ""};
	const struct str text = str_of(v->text);
	struct custom_kernel custom = {.bytes = -1};
	struct opt_value bytes;
	struct str op;
	char *regex;
	const size_t at = str_after_last(text, '=');

	op = str_from(text, at);
	op = str_head(op, str_find(op, STR(":")));
	if (at < 2 || !op.n)
		opt_invalid(v->option, text, "REGEX=OP[:BYTES]");
	if (op.p[op.n] == ':') {
		opt_value_parse(&bytes, &size, op.p + op.n + 1);
		custom.bytes = bytes.number;
	}
	regex = str_dup(str_head(text, at - 1));
	opt_name_regex(&r->custom, v->option, regex);
	free(regex);
	custom.operation = (uint32_t)coll_operation_of_call(&r->job->operations, op);
	r->customs = mem_grow(r->customs, &r->customs_cap, r->n_customs + 1, sizeof *r->customs);
	r->customs[r->n_customs++] = custom;
}

/* --- parsing --- */

/* Returns whether the args are those of a communication: not of wait or init, which only the host executes. */
static bool is_communication(const struct member_reader *r)
{
	const struct str name = r->args[ARG_COLLECTIVE];

	return json_is_string(name) && name.n > 2 && !str_eq(name, STR("\"wait\"")) && !str_eq(name, STR("\"init\""));
}

/* Reads the args of the record, which is broken if they are not JSON. Returns whether they are of a communication. */
static bool read_args(struct member_reader *r, struct event *e)
{
	const struct str args = event_get(e, EVENT_ARGS);
	struct str key, value;
	struct iter w;
	size_t i;
	int more = 0;

	memset(r->args, 0, sizeof r->args);
	if (args.p && args.p[0] == '{') {
		iter_init(&w, args);
		while ((more = iter_quick(&w, &key, &value)) > 0) {
			i = word_table_find(&arg_table, key, word_table_head(key.p, key.n));
			if (i < ARG_N)
				r->args[i] = str_eq(value, STR("null")) ? (struct str){NULL, 0} : value;
		}
	}
	event_broken_if(e, more != 0);
	event_check(e, r->args[ARG_GROUP_RANKS]);
	return e->check != EVENT_BROKEN && is_communication(r);
}

static enum record_content parse_kernel(struct member_reader *r, struct event *e)
{
	const struct str args = event_get(e, EVENT_ARGS), name = event_get(e, EVENT_NAME);
	bool foreign;

	r->custom_rule = r->n_customs ? name_match_first(&r->custom, name) : NAME_MATCH_NONE;
	r->rule = kernel_names_find(name);
	foreign = r->custom_rule == NAME_MATCH_NONE && r->rule->class != KERNEL_COMM;
	if (foreign && !(args.p && iter_may_find(args, "Col")))
		return CONTENT_NOTHING;
	if (!read_args(r, e) && foreign)
		return CONTENT_NOTHING;
	event_get(e, EVENT_DUR);
	return CONTENT_KERNEL;
}

static enum record_content parse_record(struct member_reader *r, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);
	struct str name;

	if (kind == KIND_KERNEL)
		return parse_kernel(r, e);
	if (kind == KIND_API)
		return event_get(e, EVENT_CORR).p ? CONTENT_CALL : CONTENT_NOTHING;
	if (kind != KIND_OP && kind != KIND_RANGE && kind != KIND_META)
		return CONTENT_NOTHING;
	name = event_get(e, EVENT_NAME);
	if (kind == KIND_OP)
		return str_eq(name, STR("\"record_param_comms\"")) && read_args(r, e) ? CONTENT_OPERATOR
										      : CONTENT_NOTHING;
	if (kind == KIND_RANGE)
		return str_starts(name, STR("\"nccl:")) ? CONTENT_RANGE : CONTENT_NOTHING;
	return str_eq(name, STR("\"distributedInfo\""))       ? CONTENT_DISTRIBUTED
	       : str_eq(name, STR("\"baseTimeNanoseconds\"")) ? CONTENT_BASE
							      : CONTENT_NOTHING;
}

/* --- metadata in args --- */

static bool get_int(const struct member_reader *r, int arg, int64_t *v)
{
	return value_integer(r->args[arg], v);
}

/* Returns the decoded text of a value; valid until the next call. */
static struct str decode(struct member_reader *r, struct str json)
{
	struct str inner;

	if (!json_is_string(json))
		return json;
	inner = json_inner(json);
	if (!inner.n || !memchr(inner.p, '\\', inner.n))
		return inner;
	r->text.n = 0;
	json_unescape(&r->text, inner);
	return (struct str){r->text.p, r->text.n};
}

/* Returns the number of a value's decoded text in job.texts; JOB_NONE if the value is absent. */
static uint32_t add_text(struct member_reader *r, struct str json)
{
	return json.p ? (uint32_t)map_put(&r->job->texts, decode(r, json)) : JOB_NONE;
}

/*
 * Returns the bytes of a collective from the size of one rank's part, which NCCL Inspector gives; -1 if it is unknown.
 * As with elements, it is the larger one of a rank's input and output.
 */
static int64_t bytes_of_part(const struct member_reader *r, uint32_t operation)
{
	int64_t part, size, bytes;

	if (!get_int(r, ARG_MESSAGE, &part) || part < 0)
		return -1;
	if (operation != COLL_ALL_GATHER && operation != COLL_REDUCE_SCATTER)
		return part;
	if (!get_int(r, ARG_SIZE, &size) || size < 1 || __builtin_mul_overflow(part, size, &bytes))
		return -1;
	return bytes;
}

static uint32_t add_group(struct member_reader *r, uint32_t rank)
{
	struct job *j = r->job;
	const struct str name = r->args[r->args[ARG_GROUP_NAME].p ? ARG_GROUP_NAME : ARG_GROUP_ID];
	struct job_named_group g = {.name = add_text(r, name), .rank = rank, .text = JOB_NONE};
	uint32_t set = JOB_NONE;
	int64_t start, stride;
	size_t n;

	g.list = add_text(r, r->args[ARG_GROUP_RANKS]);
	if (!get_int(r, ARG_SIZE, &g.size) || g.size < 0)
		g.size = 0;
	if (g.list != JOB_NONE) {
		r->list_sets = mem_grow_zero(r->list_sets, &r->lists_cap, g.list + (size_t)1, sizeof *r->list_sets);
		if (!r->list_sets[g.list]) /* JOB_NONE becomes 1 */
			r->list_sets[g.list] = job_add_rank_list(j, map_key(&j->texts, g.list)) + 2;
		set = r->list_sets[g.list] - 2;
	}
	if (set == JOB_NONE && g.name == JOB_NONE)
		return JOB_NONE;
	if (set != JOB_NONE) {
		g.rank = JOB_NONE;
		job_rank_set(j, set, &n);
		if (r->content == CONTENT_KERNEL && g.size && (size_t)g.size != n)
			input_lost(r->in, "Group size is not the number of Process Group Ranks; used the ranks");
		g.size = (int64_t)n;
	} else if (get_int(r, ARG_START, &start) && get_int(r, ARG_STRIDE, &stride)) { /* of record_param_comms */
		set = job_add_rank_range(j, start, stride, g.size);
		if (set != JOB_NONE)
			job_set_group_ranks(j, JOB_STRIDE, rank, map_key(&j->texts, g.name), set);
	}
	if (r->args[ARG_GROUP_TEXT].n > 2)
		g.text = add_text(r, r->args[ARG_GROUP_TEXT]);
	return (uint32_t)map_put(&j->named_groups, STR_BYTES(g));
}

static uint32_t describe_args(struct member_reader *r, uint32_t rank)
{
	struct job_description d = {.name = JOB_NONE, .peer = -1};
	int64_t peer;

	d.operation = (uint32_t)coll_operation_of_call(&r->job->operations, decode(r, r->args[ARG_COLLECTIVE]));
	d.dtype = add_text(r, r->args[ARG_DTYPE]);
	d.group = add_group(r, rank);
	if (!(get_int(r, ARG_IN, &d.in) || get_int(r, ARG_IN_OLD, &d.in)) || d.in < 0)
		d.in = -1;
	if (!(get_int(r, ARG_OUT, &d.out) || get_int(r, ARG_OUT_OLD, &d.out)) || d.out < 0)
		d.out = -1;
	d.bytes = bytes_of_part(r, d.operation);
	if (coll_operation_is_pair(d.operation) &&
	    get_int(r, d.operation == COLL_SEND ? ARG_DESTINATION : ARG_SOURCE, &peer) && peer >= 0)
		d.peer = peer;
	return job_add_description(r->job, &d);
}

/* Converts an unsigned decimal integer without leading zeros; returns false for any other text. */
static bool read_u64(struct str text, uint64_t *v)
{
	size_t i;

	*v = 0;
	for (i = 0; i < text.n && is_digit(text.p[i]); i++) {
		if (__builtin_mul_overflow(*v, 10, v) || __builtin_add_overflow(*v, (uint64_t)(text.p[i] - '0'), v))
			return false;
	}
	return text.n && i == text.n && (text.p[0] > '0' || text.n == 1);
}

/* Sets the Seq and the Comms Id as far as the args have them, and returns their flags. */
static uint8_t read_numbers(struct member_reader *r, int64_t *seq, uint64_t *comms)
{
	const struct str text = r->args[ARG_COMMS];
	const uint8_t flags = get_int(r, ARG_SEQ, seq) ? JOB_HAS_SEQ : 0;

	if (!text.p)
		return flags;
	if (read_u64(decode(r, text), comms))
		return flags | JOB_HAS_COMMS;
	*comms = add_text(r, text);
	return flags | JOB_HAS_COMMS | JOB_COMMS_TEXT;
}

/* --- kernels --- */

/* Returns whether records of the host may describe a kernel. */
static bool is_described(struct member_reader *r, struct event *e)
{
	return r->custom_rule == NAME_MATCH_NONE &&
	       name_match_first(&r->described, event_get(e, EVENT_NAME)) != NAME_MATCH_NONE;
}

/* The description of a kernel without metadata; an operator of the host may still replace it. */
static uint32_t describe_name(struct member_reader *r, struct event *e)
{
	struct job_description d = {.dtype = JOB_NONE, .group = JOB_NONE, .in = -1, .out = -1, .peer = -1, .bytes = -1};
	struct str operation;

	d.name = add_text(r, event_get(e, EVENT_NAME));
	d.custom = !is_described(r, e);
	if (r->custom_rule != NAME_MATCH_NONE) {
		d.operation = r->customs[r->custom_rule].operation;
		d.bytes = r->customs[r->custom_rule].bytes;
	} else {
		operation = r->args[ARG_OPERATION].p ? decode(r, r->args[ARG_OPERATION])
			    : r->rule->operation.n   ? r->rule->operation
						     : STR("any");
		d.operation = (uint32_t)coll_operation_of_call(&r->job->operations, operation);
	}
	return job_add_description(r->job, &d);
}

/* Sets the launch of a kernel that corr-join has joined; the records of calls may be absent then. */
static void read_launch(struct member_reader *r, struct event *e, struct bare_kernel *bare)
{
	struct event_api api;

	if (!event_api_find(&api, e))
		return;
	bare->has_launch = true;
	bare->launch.ts = api.ts;
	bare->launch.index =
	    (uint32_t)places_put(&r->threads, (struct str[]){event_get(e, EVENT_RANK), api.pid, api.tid}, 3);
}

/* Sets the exposed time, or its parts, which gpu-exposed or gpu-busy has measured. */
static void read_exposed(struct member_reader *r, struct job_kernel *k, struct str json)
{
	if (value_integer(json, &k->exposed)) {
		k->flags |= JOB_HAS_EXPOSED;
	} else if (json.p && json.p[0] == '[') {
		k->exposed = add_text(r, json);
		k->flags |= JOB_EXPOSED_PIECES;
	}
}

/* Stores a kernel; returns false when it lacks a time, or when there are too many. */
static bool add_kernel(struct member_reader *r, struct event *e, uint32_t rank)
{
	struct job *j = r->job;
	const struct str dev = event_get(e, EVENT_DEV), stream = event_get(e, EVENT_STREAM);
	struct bare_kernel bare = {.kernel = (uint32_t)j->n};
	struct job_kernel *k;
	int64_t seq;

	if (!event_has(e, EVENT_DUR) ||
	    (!event_has(e, EVENT_TS) && !(is_communication(r) && get_int(r, ARG_SEQ, &seq)))) {
		input_lost(r->in, "member kernel without ts or dur; skipped");
		return false;
	}
	if (j->n >= JOB_NONE - 1) {
		input_lost(r->in, "too many member kernels, at most 4294967294; skipped");
		return false;
	}
	k = job_add_kernel(j);
	if (event_has(e, EVENT_TS))
		k->ts = e->ts;
	else
		k->flags |= JOB_NO_TS;
	k->dur = event_duration(e);
	k->rank = rank;
	read_exposed(r, k, iter_find(e->raw, STR("exposed")));
	r->text.n = 0;
	buf_add(&r->text, dev.p, dev.n);
	buf_char(&r->text, '\n');
	buf_add(&r->text, stream.p, stream.n);
	k->stream = (uint32_t)map_put(&j->streams, buf_str(&r->text));
	if (value_integer(event_get(e, EVENT_CORR), &k->corr))
		k->flags |= JOB_HAS_CORR;
	bare.has_external = get_int(r, ARG_EXTERNAL, &bare.external);
	if (bare.has_external && k->flags & JOB_HAS_CORR && bare.external == k->corr)
		j->ranks[rank].external_equal++;
	else if (bare.has_external)
		j->ranks[rank].external_other++;
	if (is_communication(r)) {
		k->description = describe_args(r, rank);
		k->flags |= read_numbers(r, &k->seq, &k->comms);
		return true;
	}
	k->description = describe_name(r, e);
	if (is_described(r, e)) {
		read_launch(r, e, &bare);
		r->bare = mem_grow(r->bare, &r->bare_cap, r->n_bare + 1, sizeof *r->bare);
		r->bare[r->n_bare++] = bare;
	}
	return true;
}

/* --- records of the host --- */

static void add_span(struct member_reader *r, struct event *e, uint32_t rank)
{
	struct host_span span = {.start = e->ts, .end = event_end(e), .rank = rank, .description = JOB_NONE};
	const struct str name = json_inner(event_get(e, EVENT_NAME));

	if (!event_has(e, EVENT_TS))
		return;
	span.thread = (uint32_t)places_put_event(&r->threads, e);
	if (r->content == CONTENT_RANGE) {
		span.operation = (uint32_t)coll_operation_of_call(&r->job->operations, str_from(name, strlen("nccl:")));
	} else {
		span.description = describe_args(r, rank);
		span.has_external = get_int(r, ARG_EXTERNAL, &span.external);
		span.flags = read_numbers(r, &span.seq, &span.comms);
	}
	r->spans = mem_grow(r->spans, &r->spans_cap, r->n_spans + 1, sizeof *r->spans);
	r->spans[r->n_spans++] = span;
}

static int compare_ids(const void *a, const void *b)
{
	const struct host_id *x = a, *y = b;
	int c = int_compare(x->rank, y->rank);

	c = c ? c : int_compare(x->id, y->id);
	c = c ? c : int_compare(x->ts, y->ts);
	return c ? c : int_compare(x->index, y->index);
}

/* Returns the first item of a sorted list with this rank and id, or NULL. */
static const struct host_id *find_id(const struct host_id *list, size_t n, uint32_t rank, int64_t id)
{
	const struct host_id key = {id, INT64_MIN, rank, 0};
	struct order_range r = {0, n};

	while (r.low < r.high)
		order_halve(&r, compare_ids(&list[order_middle(&r)], &key) < 0);
	return r.low < n && list[r.low].rank == rank && list[r.low].id == id ? &list[r.low] : NULL;
}

static int compare_starts(const void *a, const void *b)
{
	const struct host_span *x = a, *y = b;
	const int c = int_compare(x->start, y->start);

	return c ? c : int_compare(y->end, x->end);
}

/* The operators that have an External id, and the spans of all threads. */
struct span_index {
	struct host_id *externals;
	size_t n_externals;
	struct interval_index operators, ranges;
};

static const struct host_span *find_innermost(
    const struct member_reader *r, const struct interval_index *index, const struct host_id *call)
{
	struct interval_index_entry entry;

	if (!call || !interval_index_innermost(index, call->index, call->ts, call->ts, &entry))
		return NULL;
	return &r->spans[entry.name];
}

/*
 * Gives a kernel the description of its operator: of the one with the same External id, or else of the innermost one
 * around the launch on its thread. A kernel without such an operator gets the operation of the innermost range around
 * the launch.
 */
static void complete_kernel(struct member_reader *r, const struct span_index *index, const struct bare_kernel *bare)
{
	struct job_kernel *k = &r->job->kernels[bare->kernel];
	const struct job_rank *rank = &r->job->ranks[k->rank];
	const struct host_id *found = k->flags & JOB_HAS_CORR ? find_id(r->calls, r->n_calls, k->rank, k->corr) : NULL;
	const struct host_id *call = bare->has_launch ? &bare->launch : found;
	const struct host_id *external = bare->has_external && rank->external_equal <= rank->external_other
					     ? find_id(index->externals, index->n_externals, k->rank, bare->external)
					     : NULL;
	const struct host_span *span =
	    external ? &r->spans[external->index] : find_innermost(r, &index->operators, call);
	struct job_description d;

	if (span) {
		k->description = span->description;
		k->seq = span->seq;
		k->comms = span->comms;
		k->flags |= span->flags;
	} else if ((span = find_innermost(r, &index->ranges, call))) {
		d = job_description(r->job, k->description);
		d.operation = span->operation;
		k->description = job_add_description(r->job, &d);
	}
}

/* Completes the kernels without metadata, and frees the records of the host. */
static void complete_kernels(struct member_reader *r)
{
	struct span_index index = {.n_externals = 0};
	const struct host_span *s;
	size_t i;

	if (r->n_calls && r->n_bare)
		qsort(r->calls, r->n_calls, sizeof *r->calls, compare_ids);
	if (r->n_spans && r->n_bare)
		qsort(r->spans, r->n_spans, sizeof *r->spans, compare_starts);
	index.externals = mem_alloc((r->n_spans + 1) * sizeof *index.externals);
	for (i = 0; i < r->n_spans && r->n_bare; i++) {
		s = &r->spans[i];
		interval_index_add(s->description == JOB_NONE ? &index.ranges : &index.operators, s->thread,
		    &(struct interval_index_entry){s->start, s->end, (uint32_t)i, (uint32_t)i});
		if (s->has_external)
			index.externals[index.n_externals++] =
			    (struct host_id){s->external, s->start, s->rank, (uint32_t)i};
	}
	qsort(index.externals, index.n_externals, sizeof *index.externals, compare_ids);
	for (i = 0; i < r->n_bare; i++)
		complete_kernel(r, &index, &r->bare[i]);
	free(index.externals);
	interval_index_free(&index.operators);
	interval_index_free(&index.ranges);
	free_host(r);
}

/* --- metadata of ranks --- */

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

static void add_pg_config(struct member_reader *r, uint32_t rank, struct str list)
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
			text = add_text(r, name);
			if (set != JOB_NONE)
				job_set_group_ranks(j, JOB_PG_CONFIG, rank, map_key(&j->texts, text), set);
		}
	}
	buf_free(&room);
}

/* --- records --- */

/*
 * Returns whether a record identifies a process and a collective, without a rank and a ts: it is a kernel with a group,
 * a Seq and a host. Then sets *process.
 */
static bool find_process(struct member_reader *r, struct event *e, int64_t *process)
{
	const struct str host = r->args[ARG_HOST];
	int64_t pid, seq;

	if (r->content != CONTENT_KERNEL || !json_is_string(host) || !r->args[ARG_GROUP_NAME].p ||
	    !get_int(r, ARG_SEQ, &seq) || !value_integer(event_get(e, EVENT_PID), &pid))
		return false;
	*process = job_add_process(r->job, decode(r, host), pid);
	return true;
}

/* A record without a rank: only a base time that precedes the rank is used. */
static const char *add_without_rank(struct member_reader *r, struct str args)
{
	const struct str value = r->content == CONTENT_BASE ? iter_find(args, STR("value")) : (struct str){NULL, 0};

	if (value.p) {
		r->base_text.n = 0;
		buf_add(&r->base_text, value.p, value.n);
	}
	if (r->content == CONTENT_KERNEL && r->args[ARG_HOST].p) {
		input_lost(r->in, "communication without rank, ts and Seq; skipped");
		return NULL;
	}
	return r->content >= CONTENT_KERNEL && r->content <= CONTENT_RANGE
		   ? "record without a rank; set the rank with trace2ndjson --set rank=N"
		   : NULL;
}

/* Stores a record of a rank; returns whether it is a member kernel. `args` are those of metadata. */
static bool store(struct member_reader *r, struct event *e, uint32_t rank, struct str args)
{
	struct job_rank *to = &r->job->ranks[rank];
	int64_t number;

	switch (r->content) {
	case CONTENT_KERNEL:
		return add_kernel(r, e, rank);
	case CONTENT_CALL:
		if (!event_has(e, EVENT_TS) || !value_integer(event_get(e, EVENT_CORR), &number))
			break;
		r->calls = mem_grow(r->calls, &r->calls_cap, r->n_calls + 1, sizeof *r->calls);
		r->calls[r->n_calls++] =
		    (struct host_id){number, e->ts, rank, (uint32_t)places_put_event(&r->threads, e)};
		break;
	case CONTENT_OPERATOR:
	case CONTENT_RANGE:
		add_span(r, e, rank);
		break;
	case CONTENT_DISTRIBUTED:
		if (value_integer(iter_find(args, STR("world_size")), &number) && number > 0)
			to->world = number;
		add_pg_config(r, rank, iter_find(args, STR("pg_config")));
		break;
	case CONTENT_BASE:
		value_integer(iter_find(args, STR("value")), &to->base);
		break;
	case CONTENT_NOTHING:
		break;
	}
	return false;
}

const char *member_reader_add(struct member_reader *r, struct event *e, bool *is_member)
{
	struct job_rank *found;
	struct str args = STR("{}"); /* of metadata */
	int64_t number;
	uint32_t rank;

	*is_member = false;
	r->content = parse_record(r, e);
	if (r->content != CONTENT_NOTHING || !r->has_rank)
		event_walk(e);
	if (r->content >= CONTENT_DISTRIBUTED && event_get(e, EVENT_ARGS).p) {
		args = event_get(e, EVENT_ARGS);
		event_check(e, args);
	}
	if (!input_valid(r->in, e))
		return NULL;
	r->has_records = true;
	if (r->content == CONTENT_NOTHING && r->has_rank)
		return NULL;
	if (event_get(e, EVENT_RANK).p) {
		if (!value_integer(event_get(e, EVENT_RANK), &number) || number < 0 || number > INT32_MAX)
			return "the rank is not an integer from 0 to 2147483647";
	} else if (!find_process(r, e, &number)) {
		return add_without_rank(r, args);
	}
	rank = job_rank(r->job, number);
	found = &r->job->ranks[rank];
	if (found->file == JOB_NONE)
		found->file = r->file;
	else if (found->file != r->file)
		return "another file also has records of this rank; each file must have its own rank";
	r->has_rank = true;
	if (r->base_text.n) {
		value_integer(buf_str(&r->base_text), &found->base);
		r->base_text.n = 0;
	}
	*is_member = store(r, e, rank, args);
	return NULL;
}

const char *member_reader_end_file(struct member_reader *r, bool *has_records)
{
	const bool rankless = r->has_records && !r->has_rank;

	complete_kernels(r);
	*has_records = r->has_records;
	r->file++;
	r->has_rank = r->has_records = false;
	r->base_text.n = 0;
	return rankless ? "no record has a rank; set the rank with trace2ndjson --set rank=N" : NULL;
}
