/*
 * ndjson2folded: stacks for flame graphs: each stack a line, with the sum of its weights.
 *
 * in:  {"ts":5,"kind":"sample","name":"gemm","comm":"python","stack":["main","train","gemm"],"period":1000}
 *      {"ts":9,"kind":"sample","name":"gemm","comm":"python","stack":["main","train","gemm"],"period":500}
 * out: main;train;gemm 2
 */
#include "ancestry.h"
#include "fields.h"
#include "folded.h"
#include "input.h"
#include "json.h"
#include "opt.h"
#include "walk.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>

enum { ROOT = INPUT_OPTION_END, MARK, PERF };

static const struct opt options[] = {
    {'f', "field", "FIELD", "the weight (1 a record; with --perf the period)"},
    {'g', "group", "FIELD,...", "the frames, from the root on, not those that the record has;\n"
				"FIELD[] is every element of an array"},
    {ROOT, "root", "FIELD,...", "frames below the others: comm,pid,tid,rank or any field"},
    {MARK, "mark", "LETTERS", "mark frames of the kernel with _[k], of JIT code with _[j],\n"
			      "inlined ones with _[i]: any of kji"},
    {PERF, "perf", NULL, "names and weights as stackcollapse-perf.pl has them"},
    INPUT_OPTIONS,
    {0},
};

static const struct program program = {
    "Folds records into stacks for flame graphs: root;caller;leaf WEIGHT.",
    "[-f FIELD] [-g FIELD,...] [--root FIELD,...] [--mark LETTERS] [--perf] [FILE...]",
    "perf script -i perf.data | trace2ndjson -F perf | ndjson2folded --perf | flamegraph.pl >cpu.svg",
    options,
};

struct filter {
	struct fields root, path;
	struct field weight, stack, marks, ranges;
	struct field comm, pid, event, period; /* for --perf */
	bool has_weight, perf;
	bool java;                   /* --perf: the record's root is what FlameGraph takes for Java */
	bool mark[128];              /* by the letter in `marks` */
	struct buf event_seen;       /* --perf: the first one, as JSON text */
	uint64_t other_events, chains_lost;
	struct folded folded;
	struct ancestry ancestry;    /* records that are linked by id and parent */
	struct buf line, text, tidy; /* the stack that is made; a name */
	struct out out;
};

/* --- options --- */

static void take_marks(struct filter *f, const char *arg)
{
	for (; *arg; arg++) {
		if (!strchr("kji", *arg))
			die("--mark: '%c' is none of k (kernel), j (JIT code), i (inlined)", *arg);
		f->mark[(size_t)*arg] = true;
	}
}

static void take_option(struct filter *f, int letter, const char *arg)
{
	switch (letter) {
	case 'f':
		if (f->has_weight)
			die("-f: there is one weight");
		field_option(&f->weight, "-f", arg);
		f->has_weight = true;
		break;
	case 'g':
		fields_option(&f->path, "-g", arg);
		break;
	case ROOT:
		fields_option(&f->root, "--root", arg);
		break;
	case MARK:
		take_marks(f, arg);
		break;
	case PERF:
		f->perf = f->mark['i'] = true;
		break;
	}
}

static void compile(struct filter *f)
{
	field_option(&f->period, "--perf", "period");
	field_option(&f->event, "--perf", "event");
	field_option(&f->stack, "-g", "stack");
	field_option(&f->marks, "--mark", "marks");
	field_option(&f->ranges, "-g", "ranges");
	field_option(&f->comm, "--perf", "comm");
	field_option(&f->pid, "--perf", "pid");
}

/* --- frames --- */

/* What a value says, in f->text. */
static struct str said(struct filter *f, struct str json)
{
	f->text.n = 0;
	if (json.n > 1 && json.p[0] == '"')
		json_unescape(&f->text, (struct str){json.p + 1, json.n - 2});
	else
		buf_add(&f->text, json.p, json.n);
	return (struct str){f->text.p, f->text.n};
}

/* One frame more, by its JSON text; `mark` is its letter in `marks`, 0: none. */
static void frame(struct filter *f, struct str json, char mark)
{
	struct str name = said(f, json);

	if (f->perf) {
		if (str_starts(name, STR("(")))
			return;
		name = folded_tidy(&f->tidy, name, f->java);
	}
	folded_frame(&f->line, name);
	if (mark > 0 && f->mark[(size_t)mark]) {
		char text[] = {'_', '[', mark, ']'};

		if (!str_ends(name, (struct str){text, sizeof text}))
			buf_add(&f->line, text, sizeof text);
	}
}

/* What the record has in a field, as text in f->text; "?" when it has nothing. */
static struct str said_by(struct filter *f, struct field *field, struct event *e)
{
	struct value v;

	return said(f, field_get(field, e, 0, &v) ? v.text : STR("?"));
}

/* A field of --root as a frame: "python", "pid 7". */
static void root_frame(struct filter *f, struct event *e, struct field *root)
{
	struct str text = said_by(f, root, e);

	f->tidy.n = 0;
	if (!str_eq(root->name, STR("comm"))) {
		buf_add(&f->tidy, root->name.p, root->name.n);
		buf_char(&f->tidy, ' ');
	}
	buf_add(&f->tidy, text.p, text.n);
	folded_frame(&f->line, (struct str){f->tidy.p, f->tidy.n});
}

/* comm, pid and tid of --root as stackcollapse-perf.pl joins them: "python", "python-?/7", "python-7/9". */
static void perf_root(struct filter *f, struct event *e)
{
	struct field *comm = NULL, *pid = NULL, *tid = NULL;
	struct str text;
	size_t i;

	for (i = 0; i < f->root.n; i++) {
		struct field *root = &f->root.list[i];
		struct field **is = str_eq(root->name, STR("comm")) ? &comm : str_eq(root->name, STR("pid")) ? &pid :
		    str_eq(root->name, STR("tid")) ? &tid : NULL;

		if (is)
			*is = root;
		else
			root_frame(f, e, root);
	}
	text = said_by(f, comm ? comm : &f->comm, e);
	f->tidy.n = 0;
	for (i = 0; i < text.n; i++)
		buf_char(&f->tidy, text.p[i] == ' ' ? '_' : text.p[i]);
	for (i = 0; i < 2; i++) {
		if (i ? !tid : !pid && !tid)
			continue;
		text = said_by(f, i ? tid : &f->pid, e);
		buf_char(&f->tidy, i ? '/' : '-');
		buf_add(&f->tidy, text.p, text.n);
	}
	folded_frame(&f->line, (struct str){f->tidy.p, f->tidy.n});
}

static void put_root(struct filter *f, struct event *e)
{
	size_t i;

	f->line.n = 0;
	if (f->perf) {
		perf_root(f, e);
		f->java = str_eq((struct str){f->line.p, f->line.n}, STR("java"));
		return;
	}
	for (i = 0; i < f->root.n; i++)
		root_frame(f, e, &f->root.list[i]);
}

/* The elements of an array, with their marks. */
static void put_array(struct filter *f, struct str array, struct str marks)
{
	struct str key, value;
	struct walk w;
	size_t i;

	walk_open(&w, array);
	for (i = 0; walk_next(&w, &key, &value) > 0; i++)
		frame(f, value, i < marks.n ? marks.p[i] : 0);
}

static void put_path(struct filter *f, struct event *e)
{
	struct value v;
	size_t i, j;

	for (i = 0; i < f->path.n; i++) {
		for (j = 0; field_get(&f->path.list[i], e, j, &v); j++)
			frame(f, v.text, 0);
	}
}

/* The frames that the record has by itself; false when it has none, and its name is all there is. */
static bool put_own(struct filter *f, struct event *e)
{
	struct value v, marks;

	if (field_get(&f->stack, e, 0, &v) && v.text.p[0] == '[') {
		if (field_get(&f->marks, e, 0, &marks) && marks.type == VALUE_STRING)
			put_array(f, v.text, (struct str){marks.text.p + 1, marks.text.n - 2});
		else
			put_array(f, v.text, STR(""));
		return true;
	}
	if (field_get(&f->ranges, e, 0, &v) && v.text.p[0] == '[') {
		put_array(f, v.text, STR(""));
		frame(f, event_get(e, EVENT_NAME), 0);
		return true;
	}
	return false;
}

/* --- records --- */

/* False when the record has none, and counts for nothing. */
static bool weight_of(struct filter *f, struct event *e, struct value *v)
{
	if (f->has_weight)
		return field_get(&f->weight, e, 0, v) && (v->type == VALUE_INT || v->type == VALUE_REAL);
	if (f->perf && field_get(&f->period, e, 0, v) && v->type == VALUE_INT)
		return true;
	*v = (struct value){.type = VALUE_INT, .i = 1, .d = 1};
	return true;
}

/* --perf: samples of the event that came first, since periods of others measure something else. */
static bool is_other_event(struct filter *f, struct event *e)
{
	struct value v;

	if (!f->perf || !field_get(&f->event, e, 0, &v))
		return false;
	if (!f->event_seen.n)
		buf_add(&f->event_seen, v.text.p, v.text.n);
	if (str_eq(v.text, (struct str){f->event_seen.p, f->event_seen.n}))
		return false;
	f->other_events++;
	return true;
}

/* Nothing that took time or space: metadata, counters, arrows. */
static bool is_aside(enum event_kind kind)
{
	return kind == KIND_META || kind == KIND_COUNTER || kind == KIND_FLOW || kind == KIND_OTHER;
}

static void take(struct filter *f, struct event *e)
{
	struct value weight;
	enum event_kind kind = event_get_kind(e);
	bool weighs;
	size_t root;

	if (is_other_event(f, e))
		return;
	weighs = weight_of(f, e, &weight);
	put_root(f, e);
	root = f->line.n;
	if (f->path.n) {
		put_path(f, e);
	} else if (!put_own(f, e)) {
		if (is_aside(kind))
			return;
		if (event_get(e, EVENT_ID).p || event_get(e, EVENT_PARENT).p) {
			ancestry_add(&f->ancestry, e, (struct str){f->line.p, root}, weighs ? &weight : NULL);
			return;
		}
		/* A sample without frames is its process's, as FlameGraph counts it. */
		if (kind != KIND_SAMPLE || !root || event_get(e, EVENT_NAME).p)
			frame(f, event_get(e, EVENT_NAME), 0);
	}
	if (!f->line.n)
		folded_frame(&f->line, STR(""));
	if (weighs)
		folded_add(&f->folded, (struct str){f->line.p, f->line.n}, &weight);
}

/* --- the end --- */

/* Stacks of linked records, now that all of them are there. */
static void take_linked(struct filter *f)
{
	const struct ancestry_node *path[ANCESTRY_DEPTH];
	struct str root;
	size_t i, n;

	for (i = 0; i < f->ancestry.n; i++) {
		if (!f->ancestry.nodes[i].weight.type)
			continue;
		n = ancestry_path(&f->ancestry, i, path);
		if (!n) {
			f->chains_lost++;
			continue;
		}
		root = ancestry_root(&f->ancestry, path[0]);
		f->line.n = 0;
		buf_add(&f->line, root.p, root.n);
		f->java = f->perf && str_eq(root, STR("java"));
		while (n-- > 0)
			frame(f, ancestry_name(&f->ancestry, path[n]), 0);
		folded_add(&f->folded, (struct str){f->line.p, f->line.n}, &path[0]->weight);
	}
}

static void tell(struct filter *f, struct input *in)
{
	struct field *asked[] = {&f->weight};

	if (f->has_weight)
		field_hints(asked, 1);
	if (f->other_events)
		warn("%" PRIu64 " samples of other events than %.*s are left out; filter-calls -w 'event == NAME' chooses",
		    f->other_events, STR_FMT(((struct str){f->event_seen.p, f->event_seen.n})));
	if (f->ancestry.orphans)
		warn("%" PRIu64 " stacks end at a parent that is not there", f->ancestry.orphans);
	if (f->chains_lost)
		tally_add_many(&in->tally, TALLY_LOST, "parents in a circle or too deep, record left out",
		    (struct place){in->file ? in->file : "stdin", in->line, 0}, f->chains_lost);
}

static void drop(struct filter *f)
{
	struct field *own[] = {&f->stack, &f->marks, &f->ranges, &f->comm, &f->pid, &f->event, &f->period, &f->weight};
	struct buf *texts[] = {&f->event_seen, &f->line, &f->text, &f->tidy};
	size_t i;

	for (i = 0; i < sizeof own / sizeof *own - !f->has_weight; i++)
		field_free(own[i]);
	for (i = 0; i < sizeof texts / sizeof *texts; i++)
		buf_free(texts[i]);
	fields_free(&f->root);
	fields_free(&f->path);
	folded_free(&f->folded);
	ancestry_free(&f->ancestry);
}

int main(int argc, char **argv)
{
	struct filter f = {0};
	struct input in = {0};
	struct event e;
	const char *arg;
	int letter;

	err_init(argv[0]);
	while ((letter = opt_next(&program, argc, argv, &arg)) != -1) {
		if (!input_option(&in, letter, arg))
			take_option(&f, letter, arg);
	}
	compile(&f);
	opt_need_input(&program, argc, argv);
	out_open(&f.out);
	input_stop_on_signal();
	input_open(&in, argv + optind, &f.out);
	while (input_next(&in, &e))
		take(&f, &e);
	take_linked(&f);
	folded_write(&f.folded, &f.out);
	tell(&f, &in);
	drop(&f);
	return input_finish(&in);
}
