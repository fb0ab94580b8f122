/*
 * ndjson2folded: folds records into stacks for flame graphs: one line for each stack, with the sum of its weights.
 *
 * in:  {"ts":5,"kind":"sample","name":"gemm","comm":"python","stack":["main","train","gemm"],"period":1000}
 *      {"ts":9,"kind":"sample","name":"gemm","comm":"python","stack":["main","train","gemm"],"period":500}
 * out: main;train;gemm 2
 */
#include "folded_stacks.h"
#include "stack_frames.h"
#include "record/id_tree.h"
#include "program/filter.h"
#include "program/input_options.h"
#include "json/write.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ROOT = 256, MARK, PERF };

static const struct opt options[] = {
    {'f', "field", OPT_TEXT("FIELD"), OPT_TAKE,
	"field to use as the weight (default 1 per record; with --perf the period)"},
    {'g', "group", OPT_TEXT("KEY,..."), OPT_TAKE,
	"use these fields as frames, root first, instead of the record's stack;\n"
	"FIELD[] uses every element of an array"},
    {ROOT, "root", OPT_TEXT("FIELD,..."), OPT_TAKE,
	"add frames of these fields at the root: comm, pid, tid, rank, ..."},
    {MARK, "mark", OPT_TEXT("LETTERS"), OPT_TAKE,
	"append _[k] to frames of the OS kernel, _[j] to frames of JIT code and\n"
	"_[i] to inlined frames, for the letters in LETTERS, such as kji"},
    {PERF, "perf", OPT_FLAG, OPT_TAKE, "write names and weights as stackcollapse-perf.pl does"},
    {0},
};

static const struct opt_program program = {
    "Folds records into stacks for flame graphs: root;caller;leaf WEIGHT.",
    "[-f FIELD] [-g KEY,...] [--root FIELD,...] [--mark LETTERS] [--perf] [FILE...]",
    "perf script -i perf.data | trace2ndjson -F perf | ndjson2folded --perf | flamegraph.pl >cpu.svg",
    .reads = "records, table",
    .writes = "folded stacks",
};

enum { DEPTH_MOST = 4096 }; /* maximum depth of a stack of linked records */

/* The stored properties of a record that is linked by id and parent. */
struct linked_frame {
	size_t name, root;   /* indexes in `texts`; an absent name has the index of "" */
	struct value weight; /* VALUE_NONE: the record has no weight; weight.text is not stored */
};

struct ndjson2folded {
	struct stack_frames_options frames_options;
	struct stack_frames *frames;
	struct field weight;        /* -f */
	struct field event, period; /* for --perf */
	bool has_weight;
	bool folds, left_out;  /* there are records that take time or space; that do not */
	struct buf event_seen; /* --perf: the event of the first sample, as JSON text */
	uint64_t other_events, chains_lost, orphans;
	struct folded_stacks *folded;
	struct id_tree tree;         /* records that are linked by id and parent */
	struct linked_frame *linked; /* indexed by node */
	size_t linked_cap;
	struct map texts;
	struct out out;
};

/* --- options --- */

static void take_option(void *arg, const struct opt_value *v)
{
	struct ndjson2folded *f = arg;
	const char *mark;

	switch (v->opt->letter) {
	case 'f':
		if (f->has_weight)
			die("-f can be given only once");
		opt_field(&f->weight, v->option, v->text);
		f->has_weight = true;
		break;
	case 'g':
		opt_fields_add(&f->frames_options.path, v->option, v->text);
		break;
	case ROOT:
		opt_fields_add(&f->frames_options.root, v->option, v->text);
		break;
	case MARK:
		for (mark = v->text; *mark; mark++) {
			if (!strchr(STACK_FRAMES_MARKS, *mark))
				opt_invalid("--mark", (struct str){mark, 1}, "k (kernel), j (JIT code) or i (inlined)");
			f->frames_options.mark[(size_t)*mark] = true;
		}
		break;
	case PERF:
		f->frames_options.perf = f->frames_options.mark['i'] = true;
		break;
	}
}

/* --- records --- */

/* Sets *v to the weight of the record. Returns false when it has no weight; such records are not counted. */
static bool weight_of(struct ndjson2folded *f, struct event *e, struct value *v)
{
	if (f->has_weight)
		return field_get(&f->weight, e, 0, v) && value_is_number(v);
	if (f->frames_options.perf && field_get(&f->period, e, 0, v) && v->type == VALUE_INT)
		return true;
	*v = (struct value){.type = VALUE_INT, .i = 1, .d = 1};
	return true;
}

static void fold_record(struct ndjson2folded *f, struct input *in, struct event *e)
{
	struct stack_frames *frames = f->frames;
	const enum event_kind kind = event_get_kind(e);
	struct value event = {.type = VALUE_NONE}, weight;
	struct linked_frame *l;
	bool weighs, has_own, linked;
	struct str name;

	if (f->frames_options.perf)
		field_get(&f->event, e, 0, &event);
	/* The period of a sample of another event than the first one measures another quantity. */
	if (event.text.p && f->event_seen.n && !str_eq(event.text, buf_str(&f->event_seen))) {
		f->other_events += input_valid(in, e);
		return;
	}
	weighs = weight_of(f, e, &weight);
	stack_frames_begin(frames, e);
	has_own = stack_frames_add_own(frames, e);
	linked = !has_own && (event_get(e, EVENT_ID).p || event_get(e, EVENT_PARENT).p);
	name = event_get(e, EVENT_NAME);
	if (!input_valid(in, e))
		return;
	if (!f->event_seen.n)
		buf_add(&f->event_seen, event.text.p, event.text.n);
	if (!has_own && (kind == KIND_META || kind == KIND_COUNTER || kind == KIND_FLOW || kind == KIND_OTHER)) {
		f->left_out = true; /* it takes neither time nor space */
		return;
	}
	f->folds = true;
	if (linked) {
		f->linked = mem_grow(f->linked, &f->linked_cap, f->tree.n + 1, sizeof *f->linked);
		l = &f->linked[f->tree.n];
		l->name = map_put(&f->texts, name);
		l->root = map_put(&f->texts, stack_frames_line(frames));
		l->weight = weighs ? weight : (struct value){.type = VALUE_NONE};
		id_tree_add(&f->tree, e);
		return;
	}
	/* As in FlameGraph, a sample that has neither frames nor a name gets only its root frames. */
	if (!has_own && (kind != KIND_SAMPLE || !stack_frames_line(frames).n || name.p))
		stack_frames_add(frames, name);
	if (!stack_frames_line(frames).n)
		stack_frames_add(frames, STR(""));
	if (weighs)
		folded_stacks_add(f->folded, stack_frames_line(frames), &weight);
}

/* --- end of input --- */

/* Adds the stack of a linked record; all records must have been linked before. */
static void fold_linked(struct ndjson2folded *f, size_t node)
{
	const struct linked_frame *l = &f->linked[node];
	const struct id_tree_node *nodes = f->tree.nodes;
	size_t path[DEPTH_MOST], n = 0, at = node;

	if (nodes[node].depth >= DEPTH_MOST) {
		f->chains_lost++;
		return;
	}
	for (; at != ID_TREE_NONE; at = nodes[at].parent)
		path[n++] = at;
	if (nodes[path[n - 1]].cut) {
		f->chains_lost++;
		return;
	}
	f->orphans += nodes[path[n - 1]].orphan;
	stack_frames_begin_at(f->frames, map_key(&f->texts, l->root));
	while (n-- > 0)
		stack_frames_add(f->frames, map_key(&f->texts, f->linked[path[n]].name));
	folded_stacks_add(f->folded, stack_frames_line(f->frames), &l->weight);
}

static void report_left_out(struct ndjson2folded *f, struct input *in)
{
	if (f->has_weight)
		filter_hint_field(&f->weight, true);
	if (f->left_out && !f->folds)
		hint("no record takes time or space: their kinds are meta, counter, flow or other");
	if (f->other_events)
		warn("%" PRIu64
		     " samples of events other than %.*s skipped; to select one: filter-calls -w 'event == NAME'",
		    f->other_events, STR_FMT(buf_str(&f->event_seen)));
	if (f->orphans)
		note("%" PRIu64 " stacks are incomplete: the parent of their outermost record is not in the input",
		    f->orphans);
	if (f->chains_lost)
		diagnostics_add_many(&in->diagnostics, DIAGNOSTICS_LOST,
		    "parents form a cycle or are nested too deep; record skipped",
		    (struct fault_location){in->file, in->line, 0}, f->chains_lost);
}

static void drop(struct ndjson2folded *f)
{
	field_free(&f->event);
	field_free(&f->period);
	if (f->has_weight)
		field_free(&f->weight);
	stack_frames_free(f->frames);
	opt_fields_free(&f->frames_options.root);
	opt_fields_free(&f->frames_options.path);
	buf_free(&f->event_seen);
	folded_stacks_free(f->folded);
	id_tree_free(&f->tree);
	free(f->linked);
	map_free(&f->texts);
}

int main(int argc, char **argv)
{
	struct ndjson2folded f = {0};
	struct input in = {0};
	const struct opt_table tables[] = {{options, &f, take_option}, INPUT_OPTIONS(&in), {0}};
	struct event e;
	char **operands;
	size_t i;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	opt_field(&f.period, "--perf", "period");
	opt_field(&f.event, "--perf", "event");
	f.frames = stack_frames_new(&f.frames_options);
	f.folded = folded_stacks_new();
	input_stop_on_signal();
	input_uses_members(&in, UINT32_MAX, 1u << EVENT_KIND);
	filter_open(&in, operands, &f.out);
	while (input_next(&in, &e))
		fold_record(&f, &in, &e);
	id_tree_link(&f.tree);
	for (i = 0; i < f.tree.n; i++) {
		if (f.linked[i].weight.type != VALUE_NONE)
			fold_linked(&f, i);
	}
	folded_stacks_write(f.folded, &f.out);
	report_left_out(&f, &in);
	drop(&f);
	return filter_close(&in);
}
