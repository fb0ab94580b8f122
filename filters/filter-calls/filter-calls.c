/*
 * filter-calls: writes the selected records of the stream unchanged.
 *
 * in:  {"ts":100,"dur":40,"kind":"api","name":"cudaLaunchKernel","tid":7}
 *      {"ts":160,"dur":90,"kind":"kernel","name":"gemm","dev":0,"stream":7}
 * out, with -k kernel -w 'dur>50ns':
 *      {"ts":160,"dur":90,"kind":"kernel","name":"gemm","dev":0,"stream":7}
 */
#include "kind_selection.h"
#include "marker_section.h"
#include "name_labels.h"
#include "program/filter.h"
#include "program/opt_fields.h"
#include "program/input_options.h"
#include "time_window.h"

#include <stdlib.h>

enum { START = 256, END, LABEL };

struct filter_calls {
	struct kind_selection kinds;
	struct name_match names;
	const char *name; /* the last -n */
	struct time_window window;
	bool outside;                  /* a record with a ts was not in the window */
	struct opt_value bare;         /* the last option with a time in ns that lacks a unit; its text may be NULL */
	size_t bare_at;                /* the index of this condition, if it is -w */
	struct marker_section section; /* --marker */
	struct conditions where;
	struct name_labels **labels;
	size_t n_labels, labels_cap;
	/* options for names; processed after all other options, since -i affects them and may come last */
	struct opt_value *waiting;
	size_t n_waiting, waiting_cap;
	bool fold, invert, count_only, meta;
	bool timed; /* the time of a record matters: a time window or a marker is given */
	/* most: maximum number of records to write, -1 for no limit; kept: number of selected records so far */
	int64_t most, kept;
};

#define TO(member) OPT_TO(struct filter_calls, member)
static const struct opt options[] = {
    {'n', "name", OPT_TEXT("NAME"), OPT_TAKE, "select records with exactly this name"},
    {'e', "regex", OPT_TEXT("REGEX"), OPT_TAKE, "select records whose name matches this extended regular expression"},
    {'i', "ignore-case", OPT_FLAG, TO(fold), "ignore the case of ASCII letters in names"},
    {'k', "kind", OPT_OPEN_SET("KIND,...", event_kind_names), OPT_TAKE, "select records of these kinds"},
    {'w', "where", OPT_TEXT("COND"), OPT_TAKE,
	"select records that have FIELD, do not have it (!FIELD), or satisfy\n"
	"FIELD OP VALUE; OP is one of == != < <= > >= =~ !~"},
    {START, "from", OPT_STAMP("T"), OPT_TAKE,
	"start of the time window: select records that overlap it; T is in ns\n"
	"on the trace's clock, or has the unit us, ms or s; +T is measured from\n"
	"the first ts of the input"},
    {END, "until", OPT_STAMP("T"), OPT_TAKE, "end of the time window, not included"},
    {0, "starts", OPT_FLAG, TO(window.starts), "with --from or --until: select only records that start in the window"},
    {0, "inside", OPT_FLAG, TO(window.inside),
	"with --from or --until: select only records that start and end in the\n"
	"window"},
    {0, "marker", OPT_TEXT("REGEX"), TO(section.marker),
	"start the selection at the first record whose name matches (a marker);\n"
	"the input must be in ts order"},
    {0, "skip", OPT_COUNT("N", 0), TO(section.skip), "with --marker: start at marker N, counted from 0 (default 0)"},
    {0, "count", OPT_COUNT("M", 1), TO(section.count),
	"with --marker: select only M sections, each from a marker to the next"},
    {0, "meta", OPT_FLAG, TO(meta),
	"with --from, --until or --marker: also select all records of kind meta,\n"
	"such as the names of processes and threads"},
    {'v', "invert-match", OPT_FLAG, TO(invert), "invert the selection: write the records that would be left out"},
    {'c', "count-only", OPT_FLAG, TO(count_only), "write only the number of selected records"},
    {'m', "max-count", OPT_COUNT("N", 0), TO(most), "stop after N selected records and read no more input"},
    {LABEL, "label", OPT_TEXT("FIELD=FILE"), OPT_TAKE,
	"add the member FIELD with a label from FILE, whose lines are\n"
	"REGEX<tab>LABEL; the first REGEX that matches the name is used"},
    /* options of versions before 0.3.0 */
    {0, "to", OPT_RENAMED("until"), OPT_TAKE, NULL},
    {0, "within", OPT_RENAMED("inside"), OPT_TAKE, NULL},
    {0, "whole", OPT_RENAMED("inside"), OPT_TAKE, NULL},
    {0},
};

static const struct opt_program program = {
    "Selects the records that satisfy all conditions; -n and -e are alternatives.",
    "[-n NAME]... [-e REGEX]... [-i] [-k KIND,...] [-w COND]... [--from T] [--until T] [--starts | --inside] "
    "[--marker REGEX [--skip N] [--count M]] [--meta] [-v] [-c] [-m N] [--label FIELD=FILE]... [--piece K/N] "
    "[FILE...]",
    "trace2ndjson run.json.gz | filter-calls -k kernel -e gemm -w 'dur>10us'",
    .reads = "records, table",
    .writes = "records, table",
};

/* --- options --- */

/* Returns true if the text ends in a number of at most three digits, such as 10: a time that is rarely meant in ns. */
static bool lacks_unit(struct str text)
{
	size_t at = text.n;

	while (at > 0 && text.p[at - 1] >= '0' && text.p[at - 1] <= '9')
		at--;
	return at < text.n && text.n - at <= 3 && text.p[at] != '0' && (at == 0 || strchr("<>= ", text.p[at - 1]));
}

static void take_option(void *arg, const struct opt_value *v)
{
	struct filter_calls *f = arg;
	const struct field *field;

	if (v->opt->letter == 'w') {
		opt_condition(&f->where, v->option, v->text);
		field = conditions_field(&f->where, f->where.n - 1);
		if (field && field->member == EVENT_DUR && lacks_unit(str_of(v->text))) {
			f->bare = *v;
			f->bare_at = f->where.n - 1;
		}
	} else if (v->opt->letter == 'k') {
		kind_selection_option(&f->kinds, v);
	} else if (v->opt->letter == START || v->opt->letter == END) {
		time_window_bound(v->opt->letter == START ? &f->window.from : &f->window.to, v);
		if (lacks_unit(str_of(v->text)))
			f->bare = *v;
	} else {
		f->waiting = mem_grow(f->waiting, &f->waiting_cap, f->n_waiting + 1, sizeof *f->waiting);
		f->waiting[f->n_waiting++] = *v;
	}
}

static char **read_options(struct filter_calls *f, struct input *in, int argc, char **argv)
{
	const struct opt_table tables[] = {{options, f, take_option}, PIECE_OPTIONS(in), INPUT_OPTIONS(in), {0}};
	char **operands = opt_read(&program, argc, argv, tables);
	const struct opt_value *v;

	time_window_check(&f->window);
	marker_section_init(&f->section, f->fold);
	f->names.fold = f->fold;
	for (v = f->waiting; f->n_waiting && v < f->waiting + f->n_waiting; v++) {
		if (v->opt->letter == 'n') {
			f->name = v->text;
			name_match_name(&f->names, str_of(v->text));
		} else if (v->opt->letter == 'e') {
			opt_name_regex(&f->names, v->option, v->text);
		} else {
			f->labels = mem_grow(f->labels, &f->labels_cap, f->n_labels + 1, sizeof *f->labels);
			f->labels[f->n_labels++] = name_labels_option(v->option, v->text, f->fold);
		}
	}
	free(f->waiting);
	f->timed = time_window_given(&f->window) || f->section.marker;
	if (f->timed)
		in->times = INPUT_TIMED;
	else if (f->meta)
		opt_needs("--meta", "--from, --until or --marker");
	/*
	 * Records of other kinds are skipped, except if -v selects them, or if they can be markers or the record from
	 * which +T is measured (the first record with a ts).
	 */
	if (!f->invert && !f->section.marker && !f->window.relative && !f->kinds.others.n)
		in->only = f->kinds.kinds;
	return operands;
}

/* --- deciding, cheap tests first --- */

/* Returns true for a meta record that belongs to every window and every section. */
static bool is_of_all(const struct filter_calls *f, struct event *e)
{
	return f->meta && event_get_kind(e) == KIND_META;
}

static bool in_window(const struct filter_calls *f, struct event *e)
{
	return !time_window_given(&f->window) || is_of_all(f, e) || time_window_holds(&f->window, e);
}

/*
 * Returns true if the kind, the name and the fields of the record match. The time window is tested too, if it is known,
 * so that records outside it need not be read further.
 */
static bool matches(struct filter_calls *f, struct event *e)
{
	if (f->timed || (f->n_labels && f->invert))
		event_walk(e);
	if (kind_selection_given(&f->kinds) && !kind_selection_holds(&f->kinds, e))
		return false;
	if (f->timed && time_window_known(&f->window) && !in_window(f, e)) {
		f->outside = f->outside || event_has_time(e);
		return false;
	}
	if (f->names.n && name_match_first(&f->names, event_get(e, EVENT_NAME)) == NAME_MATCH_NONE)
		return false;
	if (f->where.n && !conditions_hold(&f->where, e))
		return false;
	if (f->n_labels)
		event_walk(e);
	return true;
}

/* Returns true if the record is written: tests its position in the stream. `match`: the result of matches(). */
static bool decide(struct filter_calls *f, struct input *in, struct event *e, bool match)
{
	bool inside = true;

	if (!f->timed)
		return match != f->invert;
	if (f->section.marker) {
		if (event_has_time(e) && !input_in_order(in, e->ts))
			return false;
		inside = marker_section_next(&f->section, e);
	}
	if (!time_window_base(&f->window, e))
		input_warning(
		    in, "ts is earlier than the first ts of the input, from which +T is measured; run ts-sort first");
	return ((inside || is_of_all(f, e)) && match && in_window(f, e)) != f->invert;
}

/* --- end of input --- */

/*
 * If a time without a unit selects all records or none, prints a hint that it is in ns. A condition that another one
 * follows may have selected records that the other one left out.
 */
static void hint_unit(const struct filter_calls *f, const struct input *in)
{
	const bool condition = f->bare.opt && f->bare.opt->letter == 'w';
	const uint64_t tested = condition ? conditions_field(&f->where, f->bare_at)->found : 1;
	const bool all = condition ? (uint64_t)f->kept == tested : !f->outside;
	const bool none = !f->kept && (!condition || f->bare_at + 1 == f->where.n);

	if (f->bare.text && in->line && tested && (all || none))
		hint("%s: '%s' is in ns; other units are us, ms and s, such as 2ms%s", f->bare.option, f->bare.text,
		    condition ? "" : ", and +2ms is measured from the first ts");
}

/* Prints hints about fields that no record had, names and kinds that selected nothing, and markers not found. */
static void hint_nothing(const struct filter_calls *f, const struct input *in)
{
	hint_unit(f, in);
	filter_hint_conditions(&f->where, !in->options.piece.of);
	if (f->section.marker && !in->options.piece.of && !in->failed)
		marker_section_hint(&f->section);
	if (f->kept || f->invert || f->section.marker || f->where.n || time_window_given(&f->window) || !in->line)
		return;
	if (f->name && *f->name)
		hint("no record has the name '%s'; -n compares whole names, -e searches in them", f->name);
	else if (kind_selection_given(&f->kinds) && !f->names.n)
		hint("no record has this kind (-k); stats --fields lists the kinds");
}

int main(int argc, char **argv)
{
	struct filter_calls f = {.most = -1};
	struct input in = {0};
	struct event e;
	struct out out;
	char **operands;
	struct str text;
	bool match;
	size_t i;

	err_init(argv[0]);
	operands = read_options(&f, &in, argc, argv);
	input_uses_members(&in, UINT32_MAX, 1u << EVENT_KIND);
	filter_open(&in, operands, &out);
	while (f.kept != f.most && input_next(&in, &e)) {
		match = matches(&f, &e);
		if (!input_valid(&in, &e) || !decide(&f, &in, &e, match))
			continue;
		f.kept++;
		text = e.raw;
		for (i = 0; i < f.n_labels && !f.count_only; i++)
			text = name_labels_put(f.labels[i], &e, text);
		if (!f.count_only)
			out_line(&out, text);
	}
	if (filter_in_order(&in, argv, operands) && f.kept != f.most)
		hint_nothing(&f, &in);
	if (f.count_only && !in.unordered) {
		out_i64(&out, f.kept);
		out_char(&out, '\n');
	}
	conditions_free(&f.where);
	while (f.n_labels)
		name_labels_free(f.labels[--f.n_labels]);
	free(f.labels);
	name_match_free(&f.names);
	kind_selection_free(&f.kinds);
	marker_section_free(&f.section);
	return filter_close(&in);
}
