/*
 * what-if: simulates how long a step of a training job would take if some operations took their ideal time.
 *
 * in:  {"ts":48943520,"dur":63458979,"kind":"range","name":"forward-compute","pid":0,"tid":0,
 *       "args":{"step":23,"model_chunk":0,"mb_id":0,"seq_id":0}}
 *      {"ts":112404069,"dur":380039,"kind":"range","name":"forward-send","pid":0,"tid":1,
 *       "args":{"step":23,"model_chunk":-1,"mb_id":-1,"seq_id":0}}
 *      {"kind":"meta","name":"thread_name","pid":0,"tid":0,"args":{"name":"PP rank 0, TP rank 0, compute"}}
 * out: {"kind":"what-if","slowdown":1.178702069,"time":2172696844,"ideal_time":1843296029,"slowest_part":0.031404262,
 *       "last_stage_part":1.219356861,"slowest":[7],"steps":32,"dps":2,"stages":4,"operations":6784}
 */
#include "program/filter.h"
#include "program/input_options.h"
#include "program/opt_fields.h"
#include "operation_reader.h"
#include "slowdowns.h"
#include "step_model.h"

#include <inttypes.h>

enum { STEPS = 256, MAP };
static const char *const write_names[] = {"summary", "types", "workers", "steps", NULL};

struct what_if {
	struct input in;
	struct out out;
	struct training_job job;
	struct step_list selected;
	struct operation_reader reader;
	struct step_model model;
	struct slowdowns slowdowns;
	int64_t shards; /* --dsp */
	enum what_if_write what;
};

#define TO(member) OPT_TO(struct what_if, member)
static const struct opt options[] = {
    {STEPS, "steps", OPT_TEXT("LIST"), OPT_TAKE, "use only these steps, such as 16,21-30"},
    {0, "dsp", OPT_COUNT("N", 1), TO(shards),
	"the parameters of each DP rank are sharded over N ranks (default 1); a\n"
	"job with one DP rank and N = 1 has no collectives of parameters"},
    {MAP, "map", OPT_TEXT("FILE"), OPT_TAKE,
	"records whose name matches an expression in FILE are operations of a\n"
	"type; each line is REGEX<tab>TYPE. The types are: forward-compute,\n"
	"backward-compute, forward-send, forward-recv, backward-send,\n"
	"backward-recv, params-all-gather, grads-reduce-scatter,\n"
	"separate-grads-all-reduce, layernorm-grads-all-reduce,\n"
	"embedding-grads-all-reduce, optimizer-clip-main-grad, gc, optimizer"},
    {0, "write", OPT_CHOICE("summary|types|workers|steps", write_names), TO(what),
	"write one record for the job (default), for each type of operation, for\n"
	"each rank, or for each step"},
    {0},
};

static const struct opt_program program = {
    "Simulates the time of a training job if types of operations, ranks or stages took their ideal time.",
    "[--steps LIST] [--dsp N] [--map FILE] [--write summary|types|workers|steps] [FILE...]",
    "trace2ndjson timeline.json.gz | what-if --write types | ndjson2table -s slowdown",
    .reads = "records (op)",
    .writes = "records (what-if)",
    .needs = "operations of a training job",
};

static void set_option(void *arg, const struct opt_value *v)
{
	struct what_if *w = arg;

	if (v->opt->letter == MAP)
		opt_label_file(v->text, &w->reader.names, operation_reader_map, &w->reader);
	else if (!step_list_add(&w->selected, str_of(v->text)))
		opt_invalid(v->option, str_of(v->text), "a list of steps, such as 16,21-30");
}

static void report_steps(struct what_if *w)
{
	const struct training_job *j = &w->job;
	size_t i;

	if (j->unequal_dps)
		warn("steps left out because DP ranks have different operations: %" PRIu64 ", first step %" PRId64,
		    j->unequal_dps, j->first_unequal_dps);
	if (j->unequal_steps)
		warn("steps left out because they have other operations than step %" PRId64 ": %" PRIu64
		     ", first step %" PRId64,
		    j->ops[0].step, j->unequal_steps, j->first_unequal);
	w->in.diagnostics.lost |= j->unequal_dps || j->unequal_steps;
	for (i = 0; i < w->selected.n; i++) {
		const struct step_range *r = &w->selected.ranges[i];

		if (r->found)
			continue;
		if (r->from == r->to)
			warn("--steps: no operations of step %" PRId64, r->from);
		else
			warn("--steps: no operations of the steps %" PRId64 " to %" PRId64, r->from, r->to);
		w->in.diagnostics.lost = true;
	}
}

/* Finds the steps and the model. Returns false, with a message in *why unless there are no steps. */
static bool find_model(struct what_if *w, struct buf *why)
{
	if (!training_job_arrange(&w->job, why))
		return false;
	if (w->job.doubles)
		note("operations that are in the input twice: %" PRIu64 "; one of each is used", w->job.doubles);
	if (w->job.clashes)
		warn("operations left out because another one has the same number (seq_id): %" PRIu64, w->job.clashes);
	w->in.diagnostics.lost |= w->job.clashes > 0;
	training_job_select_steps(&w->job);
	report_steps(w);
	return w->job.n_steps && step_model_make(&w->model, w->job.ops, w->job.per_dp, w->job.n_stages,
				     w->job.n_dps > 1 || w->shards > 1, why);
}

/*
 * Reports why there is no model: `why` is empty if there are no operations or no steps that can be used. If a file
 * could not be read, this has been reported, and is the reason why operations contradict each other.
 */
static int report_no_model(struct what_if *w, const struct buf *why)
{
	if (w->in.failed)
		return STATUS_FAIL;
	if (w->job.n_steps)
		warn("step %" PRId64 ": %.*s", w->job.ops[0].step, (int)why->n, why->p);
	else if (why->n)
		warn("%.*s", (int)why->n, why->p);
	else if (!w->in.diagnostics.lost)
		warn("no operations of a training job");
	w->in.diagnostics.lost = true;
	return why->n ? STATUS_FAIL : STATUS_OK;
}

/* Returns STATUS_FAIL if the operations contradict each other. */
static int simulate(struct what_if *w)
{
	struct buf why = {0};
	int status;

	if (!w->job.n || !find_model(w, &why)) {
		status = report_no_model(w, &why);
		buf_free(&why);
		return status;
	}
	slowdowns_compute(&w->slowdowns, &w->job, &w->model);
	if (w->slowdowns.ideal_time <= 0) {
		warn("the ideal time of a step is not positive; there are no slowdowns");
		w->in.diagnostics.lost = true;
	}
	slowdowns_write(&w->slowdowns, w->what, &w->out);
	return STATUS_OK;
}

int main(int argc, char **argv)
{
	struct what_if w = {.in.times = INPUT_TIMED, .shards = 1};
	const struct opt_table tables[] = {{options, &w, set_option}, INPUT_OPTIONS(&w.in), {0}};
	struct event e;
	int status, closed;

	err_init(argv[0]);
	w.reader.job = &w.job;
	w.reader.steps = &w.selected;
	w.reader.in = &w.in;
	input_uses_members(&w.in, UINT32_MAX, 1u << EVENT_KIND);
	filter_open(&w.in, opt_read(&program, argc, argv, tables), &w.out);
	input_stop_on_signal();
	while (input_next(&w.in, &e))
		operation_reader_add(&w.reader, &e);
	status = simulate(&w);
	closed = filter_close(&w.in);
	slowdowns_free(&w.slowdowns);
	step_model_free(&w.model);
	operation_reader_free(&w.reader);
	step_list_free(&w.selected);
	training_job_free(&w.job);
	return closed > status ? closed : status;
}
