#include "run_reader.h"

#include "base/hash.h"
#include "compared_run.h"
#include "program/filter.h"
#include "program/opt_fields.h"

#include <stdlib.h>

void run_reader_init(struct run_reader *r)
{
	static const char *const options[] = {"-f", "--step", "--parent"};
	struct buf name = {0}, quoted = {0};
	struct fault fault;
	size_t i;

	for (i = 0; i < sizeof options / sizeof *options; i++) {
		if (r->names[i])
			opt_field(&r->fields[i], options[i], r->names[i]);
	}
	r->facts[0].shapes = r->facts[1].shapes = r->names[RUN_STEP] || r->names[RUN_PARENT];
	r->fields[RUN_VALUE].numeric = true;
	buf_text(&name, r->names[RUN_VALUE]);
	buf_lit(&name, "_sum");
	field_quote(&quoted, buf_str(&name));
	field_compile(&r->fields[RUN_SUM], buf_str(&quoted), &fault);
	field_compile(&r->fields[RUN_COUNT], STR("count"), &fault);
	if (r->launched)
		field_compile(&r->fields[RUN_LAUNCH], STR("api"), &fault);
	bufs_free(&name, &quoted);
}

/*
 * Gets the sum of a record, and the number of calls that it sums up: 1 unless groupby wrote it. Returns false if the
 * record has no number in the field, or was lost.
 */
static bool read_sum(struct run_reader *r, struct input *in, struct event *e, uint64_t *count, struct value *v)
{
	struct field *value = &r->fields[RUN_VALUE];
	struct value n;

	*count = 1;
	value->records++;
	if (!field_get(&r->fields[RUN_SUM], e, 0, v)) {
		if (!field_get(value, e, 0, v))
			return false;
	} else if (!field_get(&r->fields[RUN_COUNT], e, 0, &n) || n.type != VALUE_INT || n.i < 1) {
		input_lost(in, "a sum without the count of its records; skipped (needs groupby -a count,sum)");
		return false;
	} else {
		*count = (uint64_t)n.i;
	}
	value->found++;
	return v->type == VALUE_INT || v->type == VALUE_REAL;
}

/* Forgets the sums of records that are not preferred. Groups have no kind of event, and are kept. */
static void prefer(struct run_reader *r)
{
	struct verdict_runs *runs = r->runs;
	size_t i;

	r->preferred = true;
	for (i = 0; i < runs->n; i++) {
		if (runs->runs[i].provisional)
			compared_run_clear(&runs->runs[i]);
	}
	if (r->origins)
		memset(r->origins, 0, r->origins_cap * sizeof *r->origins);
	runs->wall = false;
}

/* Returns whether a record is compared. */
static bool is_compared(struct run_reader *r, struct compared_run *run, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);
	const bool preferred = kind < KIND_N && (r->prefer >> kind & 1);
	struct value launch;

	if (kind == KIND_META)
		return false;
	if (kind >= KIND_N)
		return true;
	if (preferred && !r->preferred)
		prefer(r);
	if (r->preferred && !preferred)
		return false;
	if (r->launched && event_kind_is_device(kind) && !field_get(&r->fields[RUN_LAUNCH], e, 0, &launch)) {
		run->without_launch++;
		return false;
	}
	run->provisional = !preferred;
	r->runs->wall = r->runs->wall || !event_kind_is_device(kind);
	return true;
}

/* Stores the kind and the parent of the first record of an item. */
static void take_origin(struct run_reader *r, struct event *e, size_t item)
{
	struct value v;

	r->origins = mem_grow_zero(r->origins, &r->origins_cap, item + 1, sizeof *r->origins);
	if (r->origins[item].kind)
		return;
	r->origins[item].kind = (size_t)event_get_kind(e) + 1;
	if (field_get(&r->fields[RUN_PARENT], e, 0, &v))
		r->origins[item].parent = value_ids_put(&r->parents, v.text) + 1;
}

static void take_record(struct run_reader *r, struct compared_run *run, struct input *in, struct event *e)
{
	size_t step = COMPARED_RUN_NO_STEP, n, i;
	const uint32_t *found;
	struct value v;
	uint64_t count;
	struct run_facts *facts = run == verdict_run(r->runs, 0)   ? &r->facts[0]
				  : run == verdict_run(r->runs, 1) ? &r->facts[1]
								   : NULL;

	if (!is_compared(r, run, e)) {
		if (facts)
			run_facts_take(facts, e);
		return;
	}
	if (r->names[RUN_STEP] && field_get(&r->fields[RUN_STEP], e, 0, &v))
		step = value_ids_put(&run->steps, v.text);
	if (!read_sum(r, in, e, &count, &v))
		return;
	r->fields[RUN_VALUE].numbers++;
	n = groups_of(&r->items, e, &found);
	if (facts)
		run_facts_take(facts, e);
	run->digest += hash_str(e->raw);
	for (i = 0; i < n; i++) {
		compared_run_add(run, found[i], count, &v, step);
		if (r->names[RUN_PARENT])
			take_origin(r, e, found[i]);
	}
}

int run_reader_read(struct run_reader *r, struct compared_run *run, char **operands, struct out *out)
{
	struct input in = {.options = r->options, .report = filter_report};
	struct event e;
	size_t i;
	int status;

	for (i = 0; i < r->items.n_keys; i++)
		input_uses(&in, groups_key_field(&r->items, i));
	for (i = 0; i < RUN_FIELDS; i++) {
		if (r->fields[i].spec)
			input_uses(&in, &r->fields[i]);
	}
	input_uses_members(&in, UINT32_MAX, 1u << EVENT_KIND);
	input_open(&in, operands, out);
	while (input_next(&in, &e)) {
		r->source_known = r->source_known || source_kind_look(&r->source, &e);
		run->any = true;
		take_record(r, run, &in, &e);
	}
	status = filter_close_input(&in);
	filter_hint_empty(&in);
	return status;
}

void run_reader_free(struct run_reader *r)
{
	size_t i;

	groups_free(&r->items);
	for (i = 0; i < RUN_FIELDS; i++)
		field_free(&r->fields[i]);
	run_facts_free(&r->facts[0]);
	run_facts_free(&r->facts[1]);
	value_ids_free(&r->parents);
	free(r->origins);
}
