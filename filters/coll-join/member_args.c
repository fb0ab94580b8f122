#include "member_args.h"

#include "base/word_table.h"
#include "json/iter_inline.h"
#include "json/string.h"
#include "json/value.h"

#include <stdlib.h>

#define MEMBER_ARGS_WORD(id, name) {name, sizeof(name) - 1},
static const struct str words[] = {MEMBER_ARGS(MEMBER_ARGS_WORD)};
static struct word_table table = {.list = words, .n = MEMBER_ARGS_N};

bool member_args_read(struct member_args *a, struct str args)
{
	struct str key, value;
	struct iter w;
	size_t i;
	int r;

	memset(a->value, 0, sizeof a->value);
	if (!args.p || args.p[0] != '{')
		return true;
	iter_init(&w, args);
	while ((r = iter_quick(&w, &key, &value)) > 0) {
		i = word_table_find(&table, key, word_table_head(key.p, key.n));
		if (i < MEMBER_ARGS_N)
			a->value[i] = str_eq(value, STR("null")) ? (struct str){NULL, 0} : value;
	}
	return r == 0;
}

/* Returns the decoded text of a value; valid until the next call. */
static struct str decode(struct member_args *a, struct str json)
{
	struct str inner;

	if (!json_is_string(json))
		return json;
	inner = json_inner(json);
	if (!inner.n || !memchr(inner.p, '\\', inner.n))
		return inner;
	a->text.n = 0;
	json_unescape(&a->text, inner);
	return (struct str){a->text.p, a->text.n};
}

bool member_args_is_communication(const struct member_args *a)
{
	const struct str name = a->value[MEMBER_ARGS_COLLECTIVE];

	return json_is_string(name) && name.n > 2 && !str_eq(name, STR("\"wait\"")) && !str_eq(name, STR("\"init\""));
}

bool member_args_int(const struct member_args *a, int i, int64_t *v)
{
	return value_integer(a->value[i], v);
}

uint32_t member_args_text(struct member_args *a, struct job *j, struct str json)
{
	return json.p ? (uint32_t)map_put(&j->texts, decode(a, json)) : JOB_NONE;
}

bool member_args_process(struct member_args *a, struct job *j, struct str pid, int64_t *process)
{
	const struct str host = a->value[MEMBER_ARGS_HOST];
	int64_t number, seq;

	if (!json_is_string(host) || !a->value[MEMBER_ARGS_GROUP_NAME].p ||
	    !member_args_int(a, MEMBER_ARGS_SEQ, &seq) || !value_integer(pid, &number))
		return false;
	*process = job_add_process(j, decode(a, host), number);
	return true;
}

/*
 * Returns the bytes of a collective from the size of one rank's part, which NCCL Inspector gives; -1 if it is unknown.
 * As with elements, it is the larger one of a rank's input and output.
 */
static int64_t bytes_of_part(const struct member_args *a, uint32_t operation)
{
	int64_t part, size, bytes;

	if (!member_args_int(a, MEMBER_ARGS_MESSAGE, &part) || part < 0)
		return -1;
	if (operation != OPERATION_ALL_GATHER && operation != OPERATION_REDUCE_SCATTER)
		return part;
	if (!member_args_int(a, MEMBER_ARGS_SIZE, &size) || size < 1 || __builtin_mul_overflow(part, size, &bytes))
		return -1;
	return bytes;
}

static int64_t count(const struct member_args *a, int i, int old)
{
	int64_t v;

	return (member_args_int(a, i, &v) || member_args_int(a, old, &v)) && v >= 0 ? v : -1;
}

/* Returns the set of ranks of a list, by its number in j->texts; JOB_NONE if the list is not complete. */
static uint32_t complete_list(struct member_args *a, struct job *j, uint32_t list)
{
	uint32_t set;

	if (list >= a->lists) {
		a->list_sets = mem_grow(a->list_sets, &a->lists_cap, list + (size_t)1, sizeof *a->list_sets);
		memset(a->list_sets + a->lists, 0, (a->lists_cap - a->lists) * sizeof *a->list_sets);
		a->lists = a->lists_cap;
	}
	if (!a->list_sets[list]) {
		set = job_add_rank_list(j, map_key(&j->texts, list));
		a->list_sets[list] = set == JOB_NONE ? 1 : set + 2;
	}
	return a->list_sets[list] == 1 ? JOB_NONE : a->list_sets[list] - 2;
}

/* Stores the ranks that record_param_comms gives as start and stride. */
static void keep_stride(const struct member_args *a, struct job *j, uint32_t rank, struct str name, int64_t size)
{
	int64_t start, stride;
	uint32_t set;

	if (!member_args_int(a, MEMBER_ARGS_START, &start) || !member_args_int(a, MEMBER_ARGS_STRIDE, &stride))
		return;
	set = job_add_rank_range(j, start, stride, size);
	if (set != JOB_NONE)
		job_set_group_ranks(j, JOB_STRIDE, rank, name, set);
}

static uint32_t find_group(struct member_args *a, struct job *j, uint32_t rank)
{
	const struct str name =
	    a->value[a->value[MEMBER_ARGS_GROUP_NAME].p ? MEMBER_ARGS_GROUP_NAME : MEMBER_ARGS_GROUP_ID];
	struct job_named_group g = {.name = member_args_text(a, j, name), .rank = rank};
	uint32_t set = JOB_NONE;
	size_t n;

	g.list = member_args_text(a, j, a->value[MEMBER_ARGS_GROUP_RANKS]);
	if (!member_args_int(a, MEMBER_ARGS_SIZE, &g.size) || g.size < 0)
		g.size = 0;
	if (g.list != JOB_NONE)
		set = complete_list(a, j, g.list);
	if (set == JOB_NONE && g.name == JOB_NONE)
		return JOB_NONE;
	if (set != JOB_NONE) {
		g.rank = JOB_NONE;
		job_rank_set(j, set, &n);
		a->contradiction = g.size && (size_t)g.size != n;
		g.size = (int64_t)n;
	} else {
		keep_stride(a, j, rank, map_key(&j->texts, g.name), g.size);
	}
	g.is_default = g.list != JOB_NONE && str_eq(map_key(&j->texts, g.list), STR("[]")) &&
		       str_eq(a->value[MEMBER_ARGS_GROUP_TEXT], STR("\"default_pg\""));
	return job_add_group(j, &g);
}

uint32_t member_args_describe(struct member_args *a, struct job *j, uint32_t rank)
{
	struct job_description d = {.name = JOB_NONE, .peer = -1, .described = 1};
	int64_t peer;

	a->contradiction = false;
	d.operation = (uint32_t)operation_of_call(&j->operations, decode(a, a->value[MEMBER_ARGS_COLLECTIVE]));
	d.dtype = member_args_text(a, j, a->value[MEMBER_ARGS_DTYPE]);
	d.group = find_group(a, j, rank);
	d.in = count(a, MEMBER_ARGS_IN, MEMBER_ARGS_IN_OLD);
	d.out = count(a, MEMBER_ARGS_OUT, MEMBER_ARGS_OUT_OLD);
	d.bytes = bytes_of_part(a, d.operation);
	if (operation_is_pair(d.operation) &&
	    member_args_int(a, d.operation == OPERATION_SEND ? MEMBER_ARGS_DESTINATION : MEMBER_ARGS_SOURCE, &peer) &&
	    peer >= 0)
		d.peer = peer;
	return job_add_description(j, &d);
}

/* Converts an unsigned decimal integer without leading zeros; returns false for any other text. */
static bool read_u64(struct str text, uint64_t *v)
{
	size_t i;

	*v = 0;
	if (!str_all(text, is_digit) || (text.n > 1 && text.p[0] == '0'))
		return false;
	for (i = 0; i < text.n; i++) {
		if (__builtin_mul_overflow(*v, 10, v) || __builtin_add_overflow(*v, (uint64_t)(text.p[i] - '0'), v))
			return false;
	}
	return true;
}

void member_args_number(struct member_args *a, struct job *j, struct job_kernel *k)
{
	const struct str comms = a->value[MEMBER_ARGS_COMMS];

	if (member_args_int(a, MEMBER_ARGS_SEQ, &k->seq))
		k->flags |= JOB_HAS_SEQ;
	if (!comms.p)
		return;
	k->flags |= JOB_HAS_COMMS;
	if (!read_u64(decode(a, comms), &k->comms)) {
		k->comms = member_args_text(a, j, comms);
		k->flags |= JOB_COMMS_TEXT;
	}
}

void member_args_free(struct member_args *a)
{
	buf_free(&a->text);
	free(a->list_sets);
}
