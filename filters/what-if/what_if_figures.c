#include "what_if_figures.h"

#include "base/int_math.h"
#include "base/order.h"

#include <stdlib.h>

/* The slowest 3 % of the workers, but at least one, are the slowest workers. */
enum { SLOWEST_PERCENT = 3 };

/* --- ideal durations --- */

static int compare_int(const void *a, const void *b)
{
	return int_compare(*(const int64_t *)a, *(const int64_t *)b);
}

static double median(int64_t *list, size_t n)
{
	qsort(list, n, sizeof *list, compare_int);
	return n % 2 ? (double)list[n / 2] : ((double)list[n / 2 - 1] + (double)list[n / 2]) / 2;
}

/* Returns the operations of a step, and sets *n to their number. */
static const struct operation *step_ops(
    const struct training_job *j, const struct training_steps *steps, size_t step, size_t *n)
{
	*n = steps->per_dp * j->n_dps;
	return &j->ops[steps->list[step].first];
}

static void find_durations(struct what_if_figures *f, const struct training_job *j, const struct training_steps *steps,
    enum operation_type type)
{
	struct what_if_type *t = &f->types[type];
	int64_t *list = mem_alloc((t->count + 1) * sizeof *list);
	size_t step, i, n, k = 0;
	int128 sum = 0;

	for (step = 0; step < steps->n; step++) {
		const struct operation *ops = step_ops(j, steps, step, &n);

		for (i = 0; i < n; i++) {
			if (ops[i].type == type) {
				list[k++] = ops[i].dur;
				sum += ops[i].dur;
			}
		}
	}
	t->mean = (double)((long double)sum / (long double)k);
	t->ideal = operation_type_computes(type) ? t->mean : median(list, k);
	free(list);
}

static void find_ideals(struct what_if_figures *f, const struct training_job *j, const struct training_steps *steps)
{
	size_t step, i, n;

	for (step = 0; step < steps->n; step++) {
		const struct operation *ops = step_ops(j, steps, step, &n);

		for (i = 0; i < n; i++)
			f->types[ops[i].type].count++;
	}
	for (i = 0; i < OPERATION_TYPE_N; i++) {
		if (f->types[i].count)
			find_durations(f, j, steps, (enum operation_type)i);
	}
}

/* --- scenarios --- */

struct scenarios {
	const struct training_job *j;
	const struct training_steps *steps;
	struct step_simulation simulation;
	struct scenario what;
	bool *workers; /* what.workers */
	uint32_t *dps; /* all DP ranks */
};

static void set_types(struct scenarios *s, bool value)
{
	memset(s->what.types, value, sizeof s->what.types);
}

static void set_workers(struct scenarios *s, bool value)
{
	memset(s->workers, value, s->j->n_dps * s->j->n_stages * sizeof *s->workers);
}

/* Returns the mean time of all steps; sets each[step] to the time of a step unless `each` is NULL. */
static double mean_time(struct scenarios *s, double *each)
{
	double sum = 0, time;
	size_t i, n;

	for (i = 0; i < s->steps->n; i++) {
		time = step_simulation_run(&s->simulation, step_ops(s->j, s->steps, i, &n), &s->what);
		if (each)
			each[i] = time;
		sum += time;
	}
	return sum / (double)s->steps->n;
}

/* All DP ranks are equal if all durations are ideal, and so are all steps. */
static double ideal_time(struct scenarios *s)
{
	size_t n;

	set_workers(s, false);
	s->what.n_dps = 1;
	return step_simulation_run(&s->simulation, step_ops(s->j, s->steps, 0, &n), &s->what);
}

/* Only types[type], or the two types of a message. */
static double type_time(struct scenarios *s, enum operation_type type)
{
	set_types(s, false);
	s->what.types[type] = true;
	if (operation_type_is_message(type))
		s->what.types[operation_type_partner(type)] = true;
	return mean_time(s, NULL);
}

/* No worker is selected before and after the call. The other DP ranks are equal, so only one of them is simulated. */
static double dp_time(struct scenarios *s, size_t dp)
{
	const uint32_t dps[] = {(uint32_t)dp, dp ? 0 : 1};
	bool *own = s->workers + dp * s->j->n_stages;
	double time;

	memset(own, true, s->j->n_stages * sizeof *own);
	s->what.dps = dps;
	s->what.n_dps = s->j->n_dps > 1 ? 2 : 1;
	time = mean_time(s, NULL);
	s->what.dps = s->dps;
	s->what.n_dps = s->j->n_dps;
	memset(own, false, s->j->n_stages * sizeof *own);
	return time;
}

static double stage_time(struct scenarios *s, size_t stage, bool recorded)
{
	size_t dp;

	set_workers(s, !recorded);
	for (dp = 0; dp < s->j->n_dps; dp++)
		s->workers[dp * s->j->n_stages + stage] = recorded;
	return mean_time(s, NULL);
}

/* --- the slowest workers --- */

double what_if_figures_worker_time(const struct what_if_figures *f, const struct training_job *j, size_t worker)
{
	const double dp = f->dp_times[worker / j->n_stages], stage = f->stage_times[worker % j->n_stages];

	return dp < stage ? dp : stage;
}

struct scores {
	const struct what_if_figures *f;
	const struct training_job *j;
};

static int compare_scores(const void *arg, size_t a, size_t b)
{
	const struct scores *s = arg;
	const double x = what_if_figures_worker_time(s->f, s->j, a), y = what_if_figures_worker_time(s->f, s->j, b);

	return x > y ? -1 : x < y ? 1 : int_compare(s->j->ranks[a], s->j->ranks[b]);
}

static void find_slowest(struct what_if_figures *f, const struct training_job *j)
{
	const size_t n = j->n_dps * j->n_stages;
	const struct scores scores = {f, j};
	size_t *order = order_sort(n, compare_scores, &scores), i;

	f->n_slowest = (n * SLOWEST_PERCENT + 99) / 100;
	f->slowest = mem_alloc((f->n_slowest + 1) * sizeof *f->slowest);
	for (i = 0; i < f->n_slowest; i++)
		f->slowest[i] = (uint32_t)order[i];
	free(order);
}

static double time_without_slowest(struct scenarios *s, const struct what_if_figures *f)
{
	size_t i;

	set_workers(s, true);
	for (i = 0; i < f->n_slowest; i++)
		s->workers[f->slowest[i]] = false;
	return mean_time(s, NULL);
}

/* --- all figures --- */

static void run_scenarios(struct what_if_figures *f, struct scenarios *s)
{
	size_t i;

	set_types(s, true);
	f->ideal_time = ideal_time(s);
	s->what.n_dps = s->j->n_dps;
	set_workers(s, true);
	f->time = mean_time(s, f->step_times);
	for (i = 0; i < OPERATION_TYPE_N; i++) {
		if (f->types[i].count)
			f->types[i].time = type_time(s, (enum operation_type)i);
	}
	set_types(s, true);
	set_workers(s, false);
	for (i = 0; i < s->j->n_dps; i++)
		f->dp_times[i] = dp_time(s, i);
	for (i = 0; i < s->j->n_stages; i++)
		f->stage_times[i] = stage_time(s, i, true);
	find_slowest(f, s->j);
	f->without_slowest = time_without_slowest(s, f);
	f->without_last_stage = stage_time(s, s->j->n_stages - 1, false);
}

void what_if_figures_compute(struct what_if_figures *f, const struct training_job *j,
    const struct training_steps *steps, const struct step_model *m)
{
	struct scenarios s = {.j = j, .steps = steps, .simulation.model = m};
	size_t i;

	*f = (struct what_if_figures){.time = 0};
	f->step_times = mem_alloc((steps->n + 1) * sizeof *f->step_times);
	f->dp_times = mem_alloc((j->n_dps + 1) * sizeof *f->dp_times);
	f->stage_times = mem_alloc((j->n_stages + 1) * sizeof *f->stage_times);
	find_ideals(f, j, steps);
	for (i = 0; i < OPERATION_TYPE_N; i++)
		s.simulation.ideal[i] = f->types[i].ideal;
	s.workers = mem_zero(j->n_dps * j->n_stages + 1, sizeof *s.workers);
	s.dps = mem_alloc((j->n_dps + 1) * sizeof *s.dps);
	for (i = 0; i < j->n_dps; i++)
		s.dps[i] = (uint32_t)i;
	s.what.workers = s.workers;
	s.what.dps = s.dps;
	run_scenarios(f, &s);
	step_simulation_free(&s.simulation);
	free(s.workers);
	free(s.dps);
}

void what_if_figures_free(struct what_if_figures *f)
{
	free(f->step_times);
	free(f->dp_times);
	free(f->stage_times);
	free(f->slowest);
}
