#include "training_job.h"

#include "base/int_math.h"
#include "base/order.h"
#include "base/word_table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* --- types of operations --- */

#define OPERATION_TYPE_WORD(id, name) {name, sizeof(name) - 1},
static const struct str type_names[] = {OPERATION_TYPES(OPERATION_TYPE_WORD)};
static struct word_table type_table = {.list = type_names, .n = OPERATION_TYPE_N};

enum operation_type operation_type_find(struct str name)
{
	return name.n ? (enum operation_type)word_table_find(&type_table, name, word_table_head(name.p, name.n))
		      : OPERATION_TYPE_N;
}

struct str operation_type_name(enum operation_type type)
{
	return type_names[type];
}

/* --- adding --- */

uint32_t training_job_add_source(struct training_job *j, const struct operation_source *source)
{
	const size_t i = map_put(&j->source_ids, STR_BYTES(*source));

	if (i + 1 == j->source_ids.n) {
		j->sources = mem_grow(j->sources, &j->sources_cap, j->source_ids.n, sizeof *j->sources);
		j->sources[i] = *source;
	}
	return (uint32_t)i;
}

struct operation *training_job_add(struct training_job *j)
{
	j->ops = mem_grow(j->ops, &j->cap, j->n + 1, sizeof *j->ops);
	return &j->ops[j->n++];
}

bool training_job_name_thread(struct training_job *j, int64_t pid, int64_t tid, int64_t stage)
{
	const int64_t key[] = {pid, tid};
	const size_t known = j->thread_ids.n, i = map_put(&j->thread_ids, STR_BYTES(key));

	if (i < known)
		return j->thread_stages[i] == stage;
	j->thread_stages = mem_grow(j->thread_stages, &j->threads_cap, known + 1, sizeof *j->thread_stages);
	j->thread_stages[i] = stage;
	return true;
}

bool refuse(struct buf *why, const char *fmt, ...)
{
	char text[300];
	va_list list;
	int n;

	va_start(list, fmt);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang-tidy does not recognise va_start() */
	n = vsnprintf(text, sizeof text, fmt, list);
	va_end(list);
	buf_add(why, text, n > 0 && (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
	return false;
}

/* --- workers --- */

static bool find_stages(struct training_job *j, struct buf *why)
{
	bool has[TRAINING_JOB_STAGES_MOST] = {false};
	size_t i, found;

	for (i = 0; i < j->source_ids.n; i++) {
		struct operation_source *p = &j->sources[i];
		const int64_t key[] = {p->pid, p->tid};

		if (p->stage < 0) {
			found = map_find(&j->thread_ids, STR_BYTES(key));
			if (found == MAP_NONE)
				return refuse(why,
				    "no stage for thread %" PRId64 " of process %" PRId64
				    "; it needs a member stage, or a "
				    "thread_name such as \"PP rank 0, TP rank 0, compute\"",
				    p->tid, p->pid);
			p->stage = j->thread_stages[found];
		}
		if (p->stage >= TRAINING_JOB_STAGES_MOST)
			return refuse(why, "stage %" PRId64 ": the largest possible stage is %d", p->stage,
			    TRAINING_JOB_STAGES_MOST - 1);
		has[p->stage] = true;
		if ((size_t)p->stage >= j->n_stages)
			j->n_stages = (size_t)p->stage + 1;
	}
	for (i = 0; i < j->n_stages; i++) {
		if (!has[i])
			return refuse(why, "no operations of stage %zu, but of stage %zu; stages must be 0, 1, 2 ...",
			    i, j->n_stages - 1);
	}
	return true;
}

static void find_dps(struct training_job *j)
{
	size_t i;

	j->dps = mem_alloc((j->source_ids.n + 1) * sizeof *j->dps);
	for (i = 0; i < j->source_ids.n; i++)
		j->dps[i] = j->sources[i].dp;
	j->n_dps = order_distinct(j->dps, j->source_ids.n, sizeof *j->dps, order_int64s);
}

/* Replaces the source of each operation by its worker. */
static bool find_workers(struct training_job *j, struct buf *why)
{
	const size_t n = j->source_ids.n, workers = j->n_dps * j->n_stages;
	bool *known;
	uint32_t *worker;
	size_t i;

	/* Each worker has a source, so a job with fewer sources than workers has no operations of some workers. */
	if (n < workers)
		return refuse(
		    why, "%zu DP ranks with %zu stages, but operations of fewer workers", j->n_dps, j->n_stages);
	j->ranks = mem_zero(workers + 1, sizeof *j->ranks);
	known = mem_zero(workers + 1, sizeof *known);
	worker = mem_alloc((n + 1) * sizeof *worker);
	for (i = 0; i < n; i++) {
		const struct operation_source *p = &j->sources[i];
		const int64_t *dp = bsearch(&p->dp, j->dps, j->n_dps, sizeof *j->dps, order_int64s);
		const size_t w = (size_t)(dp - j->dps) * j->n_stages + (size_t)p->stage;

		if (known[w] && j->ranks[w] != p->rank) {
			refuse(why,
			    "DP rank %" PRId64 ", stage %" PRId64 ": operations of the ranks %" PRId64 " and %" PRId64
			    "; select one rank for each DP rank and stage",
			    p->dp, p->stage, j->ranks[w], p->rank);
			break;
		}
		known[w] = true;
		j->ranks[w] = p->rank;
		worker[i] = (uint32_t)w;
	}
	for (i = 0; i < j->n && !why->n; i++)
		j->ops[i].worker = worker[j->ops[i].worker];
	mem_free(known, worker);
	return !why->n;
}

/* --- order --- */

/* Compares operations of one worker and step: 0 if they are the same operation. */
static int compare_numbers(const struct operation *a, const struct operation *b)
{
	int c = int_compare(a->type, b->type);

	c = c ? c : int_compare(a->has_seq, b->has_seq);
	return c ? c : int_compare(a->seq, b->seq);
}

static int compare_operations(const void *x, const void *y)
{
	const struct operation *a = x, *b = y;
	int c = int_compare(a->step, b->step);

	c = c ? c : int_compare(a->worker, b->worker);
	c = c ? c : compare_numbers(a, b);
	c = c ? c : int_compare(a->ts, b->ts);
	c = c ? c : int_compare(a->dur, b->dur);
	return c ? c : int_compare(a->chunk, b->chunk);
}

bool training_job_arrange(struct training_job *j, struct buf *why)
{
	const struct operation *a, *b;
	size_t i, n = 0;
	bool twice;

	if (!find_stages(j, why))
		return false;
	find_dps(j);
	if (!find_workers(j, why))
		return false;
	qsort(j->ops, j->n, sizeof *j->ops, compare_operations);
	for (i = 0; i < j->n; i++) {
		a = n ? &j->ops[n - 1] : NULL;
		b = &j->ops[i];
		twice = a && a->step == b->step && a->worker == b->worker && compare_numbers(a, b) == 0;
		if (twice && a->ts == b->ts && a->dur == b->dur)
			j->doubles++;
		else if (twice && b->has_seq)
			j->clashes++;
		else
			j->ops[n++] = *b;
	}
	j->n = n;
	return true;
}

void training_job_free(struct training_job *j)
{
	maps_free(&j->source_ids, &j->thread_ids);
	mem_free(j->ops, j->sources, j->thread_stages, j->dps, j->ranks);
}

/* --- steps --- */

/* Returns whether all DP ranks have the same operations in the step of `n` operations that begins at `ops`. */
static bool is_uniform(const struct training_job *j, const struct operation *ops, size_t n)
{
	const size_t per_dp = n / j->n_dps;
	size_t i;

	if (n % j->n_dps)
		return false;
	for (i = 0; i < n; i++) {
		const struct operation *same = &ops[i % per_dp];

		if (ops[i].type != same->type || ops[i].worker != same->worker + i / per_dp * j->n_stages)
			return false;
	}
	return true;
}

/* A step in which all DP ranks have the same operations: ops[first .. first + n). */
struct uniform_step {
	size_t first, n;
	size_t shape; /* the number of the workers and types of the operations of a DP rank */
};

void training_job_select_steps(struct training_job *j)
{
	struct uniform_step *steps = NULL, *s;
	struct map shapes = {0};
	struct buf shape = {0};
	uint64_t *counts = NULL;
	size_t n = 0, cap = 0, counts_cap = 0, first, end, best = 0, i;

	for (first = 0; first < j->n; first = end) {
		for (end = first; end < j->n && j->ops[end].step == j->ops[first].step; end++)
			;
		if (!is_uniform(j, &j->ops[first], end - first)) {
			j->first_unequal_dps = j->unequal_dps++ ? j->first_unequal_dps : j->ops[first].step;
			continue;
		}
		shape.n = 0;
		for (i = first; i < first + (end - first) / j->n_dps; i++)
			buf_add(&shape, (uint32_t[]){j->ops[i].worker, j->ops[i].type}, 2 * sizeof(uint32_t));
		steps = mem_grow(steps, &cap, n + 1, sizeof *steps);
		steps[n] = (struct uniform_step){first, end - first, map_put(&shapes, buf_str(&shape))};
		counts = mem_grow_zero(counts, &counts_cap, shapes.n, sizeof *counts);
		counts[steps[n++].shape]++;
	}
	for (i = 1; i < shapes.n; i++)
		best = counts[i] > counts[best] ? i : best;
	j->n = 0;
	for (s = steps; n && s < steps + n; s++) {
		if (s->shape == best) {
			memmove(&j->ops[j->n], &j->ops[s->first], s->n * sizeof *j->ops);
			j->n += s->n;
			j->per_dp = s->n / j->n_dps;
			j->n_steps++;
		} else if (!j->unequal_steps++) {
			j->first_unequal = j->ops[s->first].step;
		}
	}
	mem_free(steps, counts);
	map_free(&shapes);
	buf_free(&shape);
}
