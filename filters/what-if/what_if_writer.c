#include "what_if_writer.h"

#include "base/order.h"
#include "base/int_math.h"
#include "json/write.h"

#include <math.h>
#include <stdlib.h>

/* A record that is being written. */
struct record {
	struct buf text;
	const struct what_if_source *source;
	struct out *out;
};

static void begin(struct record *r)
{
	r->text.n = 0;
	json_write_begin(&r->text, NULL, '{');
	json_write_json(&r->text, "kind", STR("\"what-if\""));
}

static void end(struct record *r)
{
	json_write_end(&r->text, '}');
	out_line(r->out, json_write_str(&r->text));
}

/* Writes a time as the nearest integer, limited to int64. */
static void put_time(struct record *r, const char *key, double ns)
{
	const double most = 9.2e18;

	json_write_int(&r->text, key, llround(ns > most ? most : ns < -most ? -most : ns));
}

/* Writes a time divided by the ideal time; nothing if there is no ideal time. */
static void put_slowdown(struct record *r, const char *key, double time)
{
	const double ideal = r->source->figures->ideal_time;

	if (ideal > 0)
		json_write_double(&r->text, key, time / ideal);
}

/* Writes by which part of the lost time the job would be shorter; nothing if no time is lost. */
static void put_part(struct record *r, const char *key, double time)
{
	const struct what_if_figures *f = r->source->figures;

	if (f->time != f->ideal_time)
		json_write_double(&r->text, key, (f->time - time) / (f->time - f->ideal_time));
}

static void write_summary(struct record *r)
{
	const struct what_if_figures *f = r->source->figures;
	const struct training_job *j = r->source->job;
	size_t i;

	begin(r);
	put_slowdown(r, "slowdown", f->time);
	put_time(r, "time", f->time);
	put_time(r, "ideal_time", f->ideal_time);
	put_part(r, "slowest_part", f->without_slowest);
	put_part(r, "last_stage_part", f->without_last_stage);
	json_write_begin(&r->text, "slowest", '[');
	for (i = 0; i < f->n_slowest; i++)
		json_write_int(&r->text, NULL, j->ranks[f->slowest[i]]);
	json_write_end(&r->text, ']');
	json_write_int(&r->text, "steps", (int64_t)r->source->steps->n);
	json_write_int(&r->text, "dps", (int64_t)j->n_dps);
	json_write_int(&r->text, "stages", (int64_t)j->n_stages);
	json_write_int(&r->text, "operations", (int64_t)(r->source->steps->n * r->source->steps->per_dp * j->n_dps));
	end(r);
}

static void write_types(struct record *r)
{
	size_t i;

	for (i = 0; i < OPERATION_TYPE_N; i++) {
		const struct what_if_type *t = &r->source->figures->types[i];
		const enum operation_type type = (enum operation_type)i;

		if (!t->count)
			continue;
		begin(r);
		json_write_text(&r->text, "name", operation_type_name(type));
		if (operation_type_is_message(type))
			json_write_text(&r->text, "with", operation_type_name(operation_type_partner(type)));
		put_slowdown(r, "slowdown", t->time);
		put_time(r, "time", t->time);
		json_write_int(&r->text, "count", (int64_t)t->count);
		put_time(r, "mean_dur", t->mean);
		put_time(r, "ideal_dur", t->ideal);
		end(r);
	}
}

static int compare_ranks(const void *arg, size_t a, size_t b)
{
	const struct training_job *j = arg;
	const int c = int_compare(j->ranks[a], j->ranks[b]);

	return c ? c : (a > b) - (a < b);
}

static void write_workers(struct record *r)
{
	const struct what_if_figures *f = r->source->figures;
	const struct training_job *j = r->source->job;
	const size_t n = j->n_dps * j->n_stages;
	size_t *order = order_sort(n, compare_ranks, j), i;

	for (i = 0; i < n && !r->out->error; i++) {
		const size_t w = order[i];

		begin(r);
		json_write_int(&r->text, "rank", j->ranks[w]);
		json_write_int(&r->text, "dp", j->dps[w / j->n_stages]);
		json_write_int(&r->text, "stage", (int64_t)(w % j->n_stages));
		put_slowdown(r, "slowdown", what_if_figures_worker_time(f, j, w));
		put_slowdown(r, "dp_slowdown", f->dp_times[w / j->n_stages]);
		put_slowdown(r, "stage_slowdown", f->stage_times[w % j->n_stages]);
		end(r);
	}
	free(order);
}

static void write_steps(struct record *r)
{
	const struct what_if_figures *f = r->source->figures;
	size_t i;

	for (i = 0; i < r->source->steps->n && !r->out->error; i++) {
		begin(r);
		json_write_int(&r->text, "step", r->source->steps->list[i].step);
		put_slowdown(r, "slowdown", f->step_times[i]);
		put_time(r, "time", f->step_times[i]);
		put_time(r, "ideal_time", f->ideal_time);
		end(r);
	}
}

void what_if_write(const struct what_if_source *s, enum what_if_write what, struct out *out)
{
	static void (*const write[])(struct record *) = {write_summary, write_types, write_workers, write_steps};
	struct record r = {.source = s, .out = out};

	write[what](&r);
	buf_free(&r.text);
}
