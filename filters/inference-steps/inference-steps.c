/*
 * inference-steps: measures the steps of a server of language models: requests, tokens, GPU time, time between steps.
 *
 * in:  {"ts":100,"dur":50,"kind":"range","name":"execute_context_0(0)_generation_8(8)","pid":7,"tid":7}
 *      {"ts":300,"dur":40,"kind":"kernel","name":"gemm","dev":0,"stream":7,"corr":5,"api":{"name":"cudaGraphLaunch",
 *       "ts":120,"dur":9,"pid":7,"tid":7}}
 * out: {"kind":"inference-steps","by":"vllm","phase":"decode","steps":1,"requests":8,"tokens":8,"device_records":1,
 *       "gpu":40,"gpu_busy":40,"wall":40,"wall_p50":40,"wall_p90":40,"wall_p99":40,"wall_busy":40,"graph_gpu":40,
 *       "graphs":1,"calls":0,"busy":1,"gpu_per_token":5,"tokens_per_s":200000000}
 */
#include "json/string.h"
#include "program/filter.h"
#include "program/input_options.h"
#include "program/opt_fields.h"
#include "program/table_options.h"
#include "step_begins.h"
#include "step_figures.h"
#include "step_log.h"
#include "step_rows.h"

#include <inttypes.h>

enum { MARK = 256, MOST_GROUPS = 64 };

struct inference_steps {
	struct input in;
	struct out out;
	struct table_options table;
	bool each;
	const char *regex; /* --mark */
	regex_t mark;
	const char *groups; /* --groups */
	int count_of[MOST_GROUPS];
	size_t n_groups;
	struct step_log log;
	struct buf name; /* the decoded name of a range */
	bool any;        /* a record was read */
};

#define TO(member) OPT_TO(struct inference_steps, member)
static const struct opt options[] = {
    {0, "each", OPT_FLAG, TO(each), "write a row for each step instead of sums by phase"},
    {MARK, "mark", OPT_TEXT("REGEX"), OPT_TAKE,
	"a step begins at each range whose name matches, such as ^ProfilerStep"},
    {0, "groups", OPT_TEXT("NAME,..."), TO(groups),
	"with --mark: the numbers that the groups of REGEX match, in their order:\n"
	"context, generation (requests), context_tokens, generation_tokens (new\n"
	"ones), context_length, generation_length (all tokens attended to)"},
    {'o', "output", TABLE_OPTIONS_FORMAT, TO(table.format),
	"ndjson, csv, tsv, raw, md, table or list (default table on a terminal,\n"
	"otherwise ndjson)"},
    {0},
};

static const struct opt_program program = {
    "Measures the steps of a server of language models: phase, requests, tokens, GPU time.",
    "[--each] [--mark REGEX [--groups NAME,...]] [-u UNIT] [-o FORMAT] [--wide] [FILE...]",
    "trace-join run.json.gz | inference-steps -o table",
    .reads = "records (range, kernel, memcpy, memset)",
    .needs = "ts order, corr-join",
};

static void take_option(void *arg, const struct opt_value *v)
{
	struct inference_steps *s = arg;
	struct fault f;

	if (s->regex)
		regfree(&s->mark);
	s->regex = v->text;
	if (!name_match_compile(&s->mark, v->text, 0, &f))
		opt_regex_refused(v->option, v->text, &f);
}

static void read_groups(struct inference_steps *s)
{
	const char *list = s->groups;
	struct buf text = {0};
	struct str item;
	size_t i, k;

	if (!s->groups)
		return;
	if (!s->regex)
		opt_needs("--groups", "--mark");
	while (opt_item(&list, &text, &item)) {
		for (i = 0; i < STEP_COUNTS && !str_eq(item, str_of(step_mark_count_names[i])); i++)
			;
		if (i == STEP_COUNTS)
			opt_unknown("--groups", item, step_mark_count_names);
		for (k = 0; k < s->n_groups; k++) {
			if (s->count_of[k] == (int)i)
				opt_invalid("--groups", item, "each name once");
		}
		s->count_of[s->n_groups++] = (int)i;
	}
	if (s->n_groups > s->mark.re_nsub)
		opt_invalid("--mark", str_of(s->regex), "a (group) for each name of --groups");
	buf_free(&text);
}

/* Matches the expression of the user. */
static enum step_mark_found match_mark(const struct inference_steps *s, struct str name, struct step_mark *m)
{
	regmatch_t at[MOST_GROUPS + 1];
	bool large = false;
	struct str text;
	int64_t count;
	size_t i;

	if (!name_match_search(&s->mark, name, at, s->n_groups + 1))
		return STEP_MARK_NONE;
	*m = (struct step_mark){.family = "mark"};
	for (i = 0; i < STEP_COUNTS; i++)
		m->counts[i] = -1;
	for (i = 0; i < s->n_groups; i++) {
		if (at[i + 1].rm_so < 0)
			continue;
		text = str_head(str_from(name, (size_t)at[i + 1].rm_so), (size_t)(at[i + 1].rm_eo - at[i + 1].rm_so));
		if (step_mark_number(&text, &count, &large) && !text.n)
			m->counts[s->count_of[i]] = count;
	}
	return large ? STEP_MARK_LARGE : STEP_MARK_FOUND;
}

static void take_range(struct inference_steps *s, struct event *e)
{
	const struct str json = event_get(e, EVENT_NAME);
	enum step_mark_found found;
	struct step_mark mark;

	if (!json_is_string(json))
		return;
	s->name.n = 0;
	json_unescape(&s->name, json_inner(json));
	*buf_room(&s->name, 1) = '\0'; /* for regexec() */
	found = s->regex ? match_mark(s, buf_str(&s->name), &mark) : step_mark_read(buf_str(&s->name), &mark);
	if (found == STEP_MARK_FOUND)
		step_log_add_mark(&s->log, e, &mark);
	else if (found == STEP_MARK_LARGE)
		input_warning(&s->in, "mark of a step with a number beyond int64; not used");
}

static void take_record(struct inference_steps *s, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);
	const bool work = kind == KIND_KERNEL || kind == KIND_MEMCPY || kind == KIND_MEMSET;

	s->any = true;
	if (!event_has_time(e) || (kind != KIND_RANGE && !work) || !input_in_order(&s->in, e->ts))
		return;
	if (work)
		step_log_add_work(&s->log, e, kind);
	else
		take_range(s, e);
}

/* --- results --- */

/* Reports how steps were found without marks: their figures depend on it. */
static void report_launches(const struct step_begins *b)
{
	const struct step_sequence *s;
	uint64_t repeating = 0, single = 0;
	size_t i, launches = 0;

	for (i = 0; i < b->n; i++) {
		s = &b->list[i];
		repeating += s->repeats ? s->n : 0;
		single += s->marked || s->repeats ? 0 : s->n;
		launches = s->repeats && s->launches > launches ? s->launches : launches;
	}
	if (repeating)
		note("no step marks: %" PRIu64 " steps of repeating graph launches, %zu launch%s each", repeating,
		    launches, launches == 1 ? "" : "es");
	if (single)
		note("no step marks: each of %" PRIu64
		     " graph launches counts as a step; a step may be several of them",
		    single);
}

static void report_others(
    const struct inference_steps *s, const struct step_begins *b, const struct step_others *others)
{
	const struct step_log *log = &s->log;

	report_launches(b);
	if (b->differs)
		note("sums differ in %" PRIu64 " marks: their number of tokens is not that of context and generation",
		    b->differs);
	if (others->early)
		note("%" PRIu64 " device %s launched before the first step (%.3f ms)", others->early,
		    others->early == 1 ? "record was" : "records were", (double)others->early_time / 1e6);
	if (others->foreign)
		note("%" PRIu64 " device %s launched by processes without steps", others->foreign,
		    others->foreign == 1 ? "record was" : "records were");
	if (log->unmatched == log->n_work && log->n_work)
		warn("no device record has a call, so no step has work; run: trace-join FILE | inference-steps");
	else if (log->unmatched)
		note("%" PRIu64 " device %s no call in the trace, and %s in no step (%.3f ms)", log->unmatched,
		    log->unmatched == 1 ? "record has" : "records have", log->unmatched == 1 ? "is" : "are",
		    (double)log->unmatched_time / 1e6);
}

static void finish(struct inference_steps *s)
{
	struct step_begins begins;
	struct step_others others;
	struct step_rows *rows;

	step_begins_find(&begins, &s->log, s->regex);
	if (begins.n) {
		rows = step_rows_begin(&s->log, s->each, &s->table, &s->out);
		step_figures_compute(&s->log, &begins, &others, step_rows_add, rows);
		step_rows_end(rows);
		report_others(s, &begins, &others);
	} else if (s->regex && s->any) {
		warn("no range matches '%s' (--mark)", s->regex);
	} else if (s->any && !s->in.failed) {
		warn("no step marks (vLLM, SGLang, ATOM, TensorRT-LLM) and no graph launches; vLLM, and SGLang since "
		     "2026-04, write marks while their profilers run, for nsys with VLLM_NVTX_SCOPES_FOR_PROFILING=1 "
		     "or SGLANG_ENABLE_NVTX_SCHEDULER=1; for other ranges: --mark REGEX");
	}
	s->in.diagnostics.lost |= s->any && !begins.n;
	step_begins_free(&begins);
}

int main(int argc, char **argv)
{
	struct inference_steps s = {.in.times = INPUT_TIMED};
	const struct opt_table tables[] = {
	    {options, &s, take_option}, TABLE_OPTIONS(&s.table), INPUT_OPTIONS(&s.in), {0}};
	const uint32_t kinds = 1u << KIND_RANGE | 1u << KIND_KERNEL | 1u << KIND_MEMCPY | 1u << KIND_MEMSET;
	struct event e;
	char **operands;

	err_init(argv[0]);
	table_options_init(&s.table, TABLE_TABLE, TABLE_NDJSON);
	operands = opt_read(&program, argc, argv, tables);
	read_groups(&s);
	step_log_init(&s.log);
	input_uses_members(&s.in, kinds, INPUT_MEMBERS);
	filter_open(&s.in, operands, &s.out);
	input_stop_on_signal();
	while (input_next(&s.in, &e))
		take_record(&s, &e);
	if (filter_in_order(&s.in, argv, operands))
		finish(&s);
	step_log_free(&s.log);
	buf_free(&s.name);
	if (s.regex)
		regfree(&s.mark);
	return filter_close(&s.in);
}
