#include "slowdowns.h"

#include "base/int_math.h"
#include "base/order.h"
#include "base/select.h"
#include "json/write.h"
#include "record/record_line.h"

#include <math.h>
#include <stdlib.h>

/* The slowest 3 % of the workers, but at least one, are the slowest workers. */
enum { SLOWEST_PERCENT = 3 };

/* Finds the mean and the ideal duration of the operations of each type. */
static void find_durations(struct slowdowns *f)
{
	const struct training_job *j = f->job;
	int64_t *list = mem_alloc((j->n + 1) * sizeof *list);
	struct select_pair middle;
	struct slowdown_type *t;
	size_t type, i, n;
	int128 sum;

	for (type = 0; type < OPERATION_TYPE_N; type++) {
		for (i = 0, n = 0, sum = 0; i < j->n; i++) {
			if (j->ops[i].type == type) {
				list[n++] = j->ops[i].dur;
				sum += j->ops[i].dur;
			}
		}
		if (!n)
			continue;
		t = &f->types[type];
		t->count = n;
		t->ideal = t->mean = (double)((long double)sum / (long double)n);
		if (operation_type_computes((enum operation_type)type))
			continue;
		middle = select_pair(list, n, (n - 1) / 2);
		t->ideal = ((double)middle.value + (double)(n % 2 ? middle.value : middle.next)) / 2;
	}
	free(list);
}

/* --- scenarios --- */

struct scenarios {
	struct slowdowns *f;
	const struct training_job *j;
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
	size_t i;

	for (i = 0; i < s->j->n_steps; i++) {
		time = step_simulation_run(&s->simulation, training_job_step(s->j, i), &s->what);
		if (each)
			each[i] = time;
		sum += time;
	}
	return sum / (double)s->j->n_steps;
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

/* Returns the score of a worker: the lesser of the times for its DP rank and its stage. */
static double worker_time(const struct slowdowns *f, size_t worker)
{
	const size_t stages = f->job->n_stages;
	const double dp = f->dp_times[worker / stages], stage = f->stage_times[worker % stages];

	return dp < stage ? dp : stage;
}

static int compare_scores(const void *arg, size_t a, size_t b)
{
	const struct slowdowns *f = arg;
	const double x = worker_time(f, a), y = worker_time(f, b);

	return x > y ? -1 : x < y ? 1 : int_compare(f->job->ranks[a], f->job->ranks[b]);
}

static void run_scenarios(struct scenarios *s)
{
	struct slowdowns *f = s->f;
	const size_t workers = s->j->n_dps * s->j->n_stages;
	size_t *order, i;

	/* All DP ranks are equal if all durations are ideal, and so are all steps. */
	set_types(s, true);
	s->what.n_dps = 1;
	f->ideal_time = step_simulation_run(&s->simulation, s->j->ops, &s->what);
	s->what.n_dps = s->j->n_dps;
	set_workers(s, true);
	f->time = mean_time(s, f->step_times);
	for (i = 0; i < OPERATION_TYPE_N; i++) {
		if (!f->types[i].count)
			continue;
		set_types(s, false);
		s->what.types[i] = true;
		if (operation_type_is_message((enum operation_type)i))
			s->what.types[operation_type_partner((enum operation_type)i)] = true;
		f->types[i].time = mean_time(s, NULL);
	}
	set_types(s, true);
	set_workers(s, false);
	for (i = 0; i < s->j->n_dps; i++)
		f->dp_times[i] = dp_time(s, i);
	for (i = 0; i < s->j->n_stages; i++)
		f->stage_times[i] = stage_time(s, i, true);
	f->n_slowest = (workers * SLOWEST_PERCENT + 99) / 100;
	f->slowest = mem_alloc((f->n_slowest + 1) * sizeof *f->slowest);
	order = order_sort(workers, compare_scores, f);
	set_workers(s, true);
	for (i = 0; i < f->n_slowest; i++) {
		f->slowest[i] = (uint32_t)order[i];
		s->workers[order[i]] = false;
	}
	free(order);
	f->without_slowest = mean_time(s, NULL);
	f->without_last_stage = stage_time(s, s->j->n_stages - 1, false);
}

void slowdowns_compute(struct slowdowns *f, const struct training_job *j, const struct step_model *m)
{
	struct scenarios s = {.f = f, .j = j, .simulation.model = m};
	size_t i;

	*f = (struct slowdowns){.job = j};
	f->step_times = mem_alloc((j->n_steps + 1) * sizeof *f->step_times);
	f->dp_times = mem_alloc((j->n_dps + 1) * sizeof *f->dp_times);
	f->stage_times = mem_alloc((j->n_stages + 1) * sizeof *f->stage_times);
	find_durations(f);
	for (i = 0; i < OPERATION_TYPE_N; i++)
		s.simulation.ideal[i] = f->types[i].ideal;
	s.workers = mem_zero(j->n_dps * j->n_stages + 1, sizeof *s.workers);
	s.dps = mem_alloc((j->n_dps + 1) * sizeof *s.dps);
	for (i = 0; i < j->n_dps; i++)
		s.dps[i] = (uint32_t)i;
	s.what.workers = s.workers;
	s.what.dps = s.dps;
	run_scenarios(&s);
	step_simulation_free(&s.simulation);
	mem_free(s.workers, s.dps);
}

void slowdowns_free(struct slowdowns *f)
{
	mem_free(f->step_times, f->dp_times, f->stage_times, f->slowest);
}

/* --- records --- */

/* A record that is being written. */
struct slowdown_record {
	struct buf text;
	const struct slowdowns *f;
	struct out *out;
};

/* Writes a time as the nearest integer, limited to int64. */
static void put_time(struct slowdown_record *r, const char *key, double ns)
{
	const double most = 9.2e18;

	json_write_int(&r->text, key, llround(ns > most ? most : ns < -most ? -most : ns));
}

/* Writes a time divided by the ideal time; nothing if there is no ideal time. */
static void put_slowdown(struct slowdown_record *r, const char *key, double time)
{
	const double ideal = r->f->ideal_time;

	if (ideal > 0)
		json_write_double(&r->text, key, time / ideal);
}

static void write_summary(struct slowdown_record *r)
{
	const struct slowdowns *f = r->f;
	const struct training_job *j = r->f->job;
	const double lost = f->time - f->ideal_time;
	size_t i;

	record_line_begin(&r->text, "what-if");
	put_slowdown(r, "slowdown", f->time);
	put_time(r, "time", f->time);
	put_time(r, "ideal_time", f->ideal_time);
	/* By which part of the lost time the job would be shorter. */
	if (f->time != f->ideal_time) {
		json_write_double(&r->text, "slowest_part", (f->time - f->without_slowest) / lost);
		json_write_double(&r->text, "last_stage_part", (f->time - f->without_last_stage) / lost);
	}
	json_write_begin(&r->text, "slowest", '[');
	for (i = 0; i < f->n_slowest; i++)
		json_write_int(&r->text, NULL, j->ranks[f->slowest[i]]);
	json_write_end(&r->text, ']');
	json_write_int(&r->text, "steps", (int64_t)j->n_steps);
	json_write_int(&r->text, "dps", (int64_t)j->n_dps);
	json_write_int(&r->text, "stages", (int64_t)j->n_stages);
	json_write_int(&r->text, "operations", (int64_t)j->n);
	record_line_end(&r->text, r->out);
}

static void write_types(struct slowdown_record *r)
{
	size_t i;

	for (i = 0; i < OPERATION_TYPE_N; i++) {
		const struct slowdown_type *t = &r->f->types[i];
		const enum operation_type type = (enum operation_type)i;

		if (!t->count)
			continue;
		record_line_begin(&r->text, "what-if");
		json_write_text(&r->text, "name", operation_type_name(type));
		if (operation_type_is_message(type))
			json_write_text(&r->text, "with", operation_type_name(operation_type_partner(type)));
		put_slowdown(r, "slowdown", t->time);
		put_time(r, "time", t->time);
		json_write_int(&r->text, "count", (int64_t)t->count);
		put_time(r, "mean_dur", t->mean);
		put_time(r, "ideal_dur", t->ideal);
		record_line_end(&r->text, r->out);
	}
}

static int compare_ranks(const void *arg, size_t a, size_t b)
{
	const struct training_job *j = arg;

	return int_compare(j->ranks[a], j->ranks[b]);
}

static void write_workers(struct slowdown_record *r)
{
	const struct slowdowns *f = r->f;
	const struct training_job *j = r->f->job;
	const size_t n = j->n_dps * j->n_stages;
	size_t *order = order_sort(n, compare_ranks, j), i;

	for (i = 0; i < n && !r->out->error; i++) {
		const size_t w = order[i];

		record_line_begin(&r->text, "what-if");
		json_write_int(&r->text, "rank", j->ranks[w]);
		json_write_int(&r->text, "dp", j->dps[w / j->n_stages]);
		json_write_int(&r->text, "stage", (int64_t)(w % j->n_stages));
		put_slowdown(r, "slowdown", worker_time(f, w));
		put_slowdown(r, "dp_slowdown", f->dp_times[w / j->n_stages]);
		put_slowdown(r, "stage_slowdown", f->stage_times[w % j->n_stages]);
		record_line_end(&r->text, r->out);
	}
	free(order);
}

static void write_steps(struct slowdown_record *r)
{
	const struct slowdowns *f = r->f;
	size_t i;

	for (i = 0; i < f->job->n_steps && !r->out->error; i++) {
		record_line_begin(&r->text, "what-if");
		json_write_int(&r->text, "step", training_job_step(f->job, i)->step);
		put_slowdown(r, "slowdown", f->step_times[i]);
		put_time(r, "time", f->step_times[i]);
		put_time(r, "ideal_time", f->ideal_time);
		record_line_end(&r->text, r->out);
	}
}

void slowdowns_write(const struct slowdowns *f, enum what_if_write what, struct out *out)
{
	static void (*const write[])(struct slowdown_record *) = {
	    write_summary, write_types, write_workers, write_steps};
	struct slowdown_record r = {.f = f, .out = out};

	write[what](&r);
	buf_free(&r.text);
}
