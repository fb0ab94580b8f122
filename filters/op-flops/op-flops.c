/*
 * op-flops: adds to each operator the floating point operations and bytes that its arguments say.
 *
 * in:  {"ts":100,"dur":50,"kind":"op","name":"aten::linear","pid":7,"tid":7,"args":{"Input Dims":[[8,64],[32,64], ...
 *      {"ts":110,"dur":30,"kind":"op","name":"aten::mm","pid":7,"tid":7,"args":{"Input Dims":[[8,64],[64,32]], ...
 * out: {"ts":100,"dur":50,"kind":"op","name":"aten::linear","pid":7,"tid":7,"model":"none","args":{ ...
 *      {"ts":110,"dur":30,"kind":"op","name":"aten::mm","pid":7,"tid":7,"bytes":5632,"model":"gemm","flops":32768,
 *       "peak":"bf16","args":{ ...
 */
#include "counted_ops.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "json/scan.h"
#include "json/string.h"
#include "record/event_api.h"
#include "record/event_attach.h"
#include "record/member_edit.h"
#include "program/filter.h"
#include "program/input_options.h"

enum { MOE = 256 };
/* The members that an operator gets, in the order of member_edits. */
enum { BYTES, MODEL, FLOPS, PEAK, ATTENTION, EXPERTS, MEMBERS };

struct op_flops {
	struct counted_ops counted;
	struct member_edits edits;
	bool ops; /* there are operators */
	struct input in;
	struct out out;
};

static const struct opt options[] = {
    {MOE, "moe", OPT_TEXT("NAME=VALUE,..."), OPT_TAKE,
	"what is known about the experts of vllm::moe_forward: topk=K experts\n"
	"for each token, inter=N features between the two projections, gated,\n"
	"weight=TYPE (mxfp4, nvfp4, fp8, bf16 ...)"},
    {0},
};

static const struct opt_program program = {
    "Adds floating point operations and bytes to operators.",
    "[--moe NAME=VALUE,...] [FILE...]",
    "trace2ndjson run.json.gz | ts-sort | op-flops | groupby -g model -f flops",
    .reads = "records (op)",
    .writes = "records",
    .needs = "ts order, record_shapes=True",
};

static void take_option(void *arg, const struct opt_value *v)
{
	struct str rest = str_of(v->text), item;

	while (str_split(&rest, ',', &item)) {
		if (!moe_facts_read(&((struct op_flops *)arg)->counted.moe, item))
			opt_invalid(v->option, str_of(v->text),
			    "topk=K, inter=N, gated, weight=mxfp4|nvfp4|fp8|int8|bf16|fp16|fp32");
	}
}

/* --- the members of a record --- */

static void set_name(struct op_flops *f, size_t member, const char *text)
{
	struct buf *b = &f->edits.list[member].text;

	b->n = 0;
	json_quote(b, str_of(text));
	f->edits.list[member].with = buf_str(b);
}

static void put_number(struct buf *b, const char *before, int64_t v)
{
	buf_text(b, before);
	num_add_i64(b, v);
}

static void set_number(struct op_flops *f, size_t member, int64_t v)
{
	struct buf *b = &f->edits.list[member].text;

	if (v < 0)
		return;
	b->n = 0;
	put_number(b, "", v);
	f->edits.list[member].with = buf_str(b);
}

/* Adds a projection of experts to the member `experts`. */
static void add_work(struct buf *b, const char *name, const struct op_work *work)
{
	put_number(b, name, work->flops);
	if (work->bytes >= 0)
		put_number(b, ",\"bytes\":", work->bytes);
	buf_char(b, '}');
}

/* Sets the numbers that a later program needs: those of attention without the sums of its step, those of experts. */
static void set_parts(struct op_flops *f, const struct op_cost *cost)
{
	struct buf *b = &f->edits.list[ATTENTION].text;

	if (cost->by_step && cost->all.flops < 0) {
		b->n = 0;
		put_number(b, "{\"pair\":", cost->per_pair);
		put_number(b, ",\"query\":", cost->per_query);
		put_number(b, ",\"key\":", cost->per_key);
		buf_char(b, '}');
		f->edits.list[ATTENTION].with = buf_str(b);
	}
	if (cost->up.flops >= 0) {
		b = &f->edits.list[EXPERTS].text;
		b->n = 0;
		add_work(b, "{\"up\":{\"flops\":", &cost->up);
		add_work(b, ",\"down\":{\"flops\":", &cost->down);
		buf_char(b, '}');
		f->edits.list[EXPERTS].with = buf_str(b);
	}
}

static void write_op(struct op_flops *f, const struct op_note *note, struct event *e)
{
	const struct op_cost *cost = &note->cost;
	const bool known = note->state == OP_COUNTS && (cost->all.flops >= 0 || cost->all.bytes >= 0);
	static const char inside[32 + SCAN_PAD] = ",\"model\":\"inside\"", none[32 + SCAN_PAD] = ",\"model\":\"none\"";
	size_t i;

	if (note->state != OP_COUNTS && !iter_may_find(e->raw, "mod") && !iter_may_find(e->raw, "flo")) {
		event_attach_write(&f->out, e, str_of(note->state == OP_INSIDE ? inside : none));
		return;
	}
	member_edits_find(&f->edits, e);
	for (i = 0; i < MEMBERS; i++)
		f->edits.list[i].with = i == BYTES ? f->edits.list[i].old : (struct str){NULL, 0};
	set_name(f, MODEL, known ? op_family_name(note->rule->family) : note->state == OP_INSIDE ? "inside" : "none");
	if (note->state == OP_COUNTS) {
		set_number(f, FLOPS, cost->all.flops);
		set_number(f, BYTES, cost->all.bytes);
		if (cost->peak)
			set_name(f, PEAK, cost->peak);
		set_parts(f, cost);
	}
	member_edits_write(&f->edits, &f->out, e);
}

/* Reads a number of the member `attention`; -1 if it is absent. */
static int64_t part_of(struct str attention, struct str name)
{
	int64_t v;

	return num_int(iter_find(attention, name), &v) == NUM_OK ? v : -1;
}

/*
 * Writes a device record. A kernel of a graph can have the member `attention` of the operator in the capture
 * (graph-attach --take); it gets the operations of the step in which it was launched.
 */
static void write_device(struct op_flops *f, struct event *e, int64_t launch)
{
	const struct step_sums *step = step_marks_find(&f->counted.marks, launch);
	struct op_cost cost;
	size_t i;

	member_edits_find(&f->edits, e);
	for (i = 0; i < MEMBERS; i++)
		f->edits.list[i].with = f->edits.list[i].old;
	cost.per_pair = part_of(f->edits.list[ATTENTION].old, STR("pair"));
	cost.per_query = part_of(f->edits.list[ATTENTION].old, STR("query"));
	cost.per_key = part_of(f->edits.list[ATTENTION].old, STR("key"));
	if (!step || cost.per_pair < 0) {
		event_copy(&f->out, e);
		return;
	}
	op_cost_of_step(&cost, step);
	set_name(f, MODEL, "attention");
	set_number(f, FLOPS, cost.all.flops);
	set_number(f, BYTES, cost.all.bytes);
	f->edits.list[ATTENTION].with = (struct str){NULL, 0};
	member_edits_write(&f->edits, &f->out, e);
}

static void write_record(struct op_flops *f, const struct op_note *note, struct event *e)
{
	if (note->state == OP_OTHER)
		event_copy(&f->out, e);
	else if (note->state == OP_BY_STEP)
		write_device(f, e, note->ts);
	else
		write_op(f, note, e);
}

/* --- the loop --- */

/* Writes the records that wait, until one that is not decided. */
static void release(struct op_flops *f)
{
	struct op_note *note;
	struct event e;

	while ((note = event_queue_first(&f->counted.queue, NULL)) && note->state != OP_WAITS) {
		event_queue_first(&f->counted.queue, &e);
		write_record(f, note, &e);
		event_queue_pop(&f->counted.queue);
		f->counted.popped++;
	}
}

/* Returns whether a device record has the member `attention`, and sets *launch to the time of its launch. */
static bool needs_step(struct event *e, int64_t *launch)
{
	struct event_api call;

	if (!iter_may_find(e->raw, "att") || !iter_find(e->raw, STR("attention")).p)
		return false;
	*launch = event_api_find(&call, e) ? call.ts : e->ts;
	return true;
}

/* Takes an operator. Returns false if its arguments are damaged. */
static bool take_op(struct op_flops *f, struct op_note *note, struct event *e)
{
	struct str args;

	f->ops = true;
	counted_ops_find(&f->counted, note, e, event_get(e, EVENT_NAME));
	if (!counted_ops_needs(note))
		return true;
	args = event_get(e, EVENT_ARGS);
	event_check(e, args);
	if (!input_valid(&f->in, e))
		return false;
	counted_ops_take(&f->counted, note, args);
	return true;
}

static void take(struct op_flops *f, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);
	const bool timed = event_has_time(e);
	struct op_note note = {.state = OP_OTHER};
	struct str name;

	if (timed) {
		if (!input_in_order(&f->in, e->ts))
			return;
		counted_ops_advance(&f->counted, e->ts);
		release(f);
	}
	if (timed && kind == KIND_OP) {
		if (!take_op(f, &note, e))
			return;
	} else if (timed && kind == KIND_RANGE) {
		name = event_get(e, EVENT_NAME);
		if (json_is_string(name))
			step_marks_add(&f->counted.marks, json_inner(name), e->ts);
	} else if (event_kind_is_device(kind) && needs_step(e, &note.ts)) {
		note.state = OP_BY_STEP;
	}
	if (f->counted.queue.n || note.state == OP_WAITS) {
		event_walk(e);
		filter_hold(&f->counted.queue, e, &note);
		counted_ops_pushed(&f->counted, &note);
	} else {
		write_record(f, &note, e);
	}
}

int main(int argc, char **argv)
{
	static const char *const members[] = {"bytes", "model", "flops", "peak", "attention", "experts"};
	struct op_flops f = {.in.times = INPUT_SORTED,
	    .counted.threads = {.members = {EVENT_RANK, EVENT_PID, EVENT_TID}, .n_members = 3},
	    .counted.queue.each = sizeof(struct op_note)};
	const struct opt_table tables[] = {{options, &f, take_option}, INPUT_OPTIONS(&f.in), {0}};
	struct event e;
	char **operands;
	size_t i;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	for (i = 0; i < MEMBERS; i++)
		member_edits_add(&f.edits, str_of(members[i]));
	input_uses_members(&f.in, UINT32_MAX, INPUT_MEMBERS);
	filter_open(&f.in, operands, &f.out);
	while (input_next(&f.in, &e))
		take(&f, &e);
	counted_ops_advance(&f.counted, INT64_MAX);
	release(&f);
	if (filter_in_order(&f.in, argv, operands) && f.ops && !f.counted.shapes)
		hint("no operator has its arguments (Input Dims); record with record_shapes=True");
	counted_ops_free(&f.counted);
	member_edits_free(&f.edits);
	return filter_close(&f.in);
}
