#include "figures.h"

#include <stdlib.h>

/* Classes by the share of waiting time: skew at SKEW_SHARE or more, transfer at TRANSFER_SHARE or less. */
#define SKEW_SHARE 0.7
#define TRANSFER_SHARE 0.3

const char *const figures_class_names[] = {"skew", "transfer", "mixed", "inconclusive"};

static const struct job_kernel *member(const struct figures_source *s, const struct collective *c, size_t i)
{
	return &s->job->kernels[s->collectives->members[c->first + i]];
}

static int64_t max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static const struct rank_clock *clock_of(const struct figures_source *s, const struct job_kernel *k)
{
	return &s->clocks->list[k->rank];
}

/* Returns the start of a member, on the clock of the reference if the collective is aligned. */
static int64_t start_of(const struct figures *f, const struct figures_source *s, const struct job_kernel *k)
{
	return f->own ? k->ts : rank_clock_time(clock_of(s, k), k->ts);
}

void figures_place(struct figures *f, const struct figures_source *s, const struct collective *c)
{
	const struct job_kernel *k = member(s, c, 0);
	int64_t start, end;
	size_t i;

	f->aligned = s->clocks->mode != RANK_CLOCKS_FREE && !c->untimed;
	for (i = 0; i < c->n; i++)
		f->aligned &= clock_of(s, member(s, c, i))->ok;
	f->own = !f->aligned;
	f->ts = start_of(f, s, k);
	f->dur = k->dur;
	if (f->own)
		return;
	end = int_interval_end(f->ts, k->dur);
	for (i = 1; i < c->n; i++) {
		start = start_of(f, s, member(s, c, i));
		f->ts = min(f->ts, start);
		end = max(end, int_interval_end(start, member(s, c, i)->dur));
	}
	f->dur = int_sub(end, f->ts);
}

/* --- waits --- */

/* With a common clock, a member waits from its start to the start of the last. */
static void wait_aligned(struct figures *f, const struct figures_source *s, const struct collective *c)
{
	int64_t last = INT64_MIN, least_end = INT64_MAX, end;
	size_t i;

	for (i = 0; i < c->n; i++) {
		f->starts[i] = start_of(f, s, member(s, c, i));
		last = max(last, f->starts[i]);
		least_end = min(least_end, int_interval_end(f->starts[i], member(s, c, i)->dur));
	}
	for (i = 0; i < c->n; i++)
		f->wait[i] = int_sub(last, f->starts[i]);
	end = int_add(f->ts, f->dur);
	f->skew_end = int_sub(end, least_end);
	f->transfer = int_sub(end, last);
}

/* Without a common clock, durations are compared: all members end together, except for skew_end. */
static void wait_free(struct figures *f, const struct figures_source *s, const struct collective *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		f->wait[i] = int_sub(member(s, c, i)->dur, f->latency);
}

static void judge_waits(struct figures *f, const struct figures_source *s, const struct collective *c)
{
	double waits = 0, durations = 0;
	size_t i;

	f->first = f->last = 0;
	for (i = 0; i < c->n; i++) {
		if (f->wait[i] > f->wait[f->first])
			f->first = i;
		if (f->wait[i] < f->wait[f->last])
			f->last = i;
		waits += (double)f->wait[i];
		durations += (double)member(s, c, i)->dur;
	}
	f->skew_start = f->wait[f->first];
	f->late = INT64_MAX;
	for (i = 0; i < c->n; i++) {
		if (i != f->last)
			f->late = min(f->late, f->wait[i]);
	}
	f->share = durations > 0 ? waits / durations : -1;
}

/* --- bandwidths --- */

/* Returns the bytes of a member, or -1 if they are unknown. */
static int64_t bytes_of(const struct figures_source *s, const struct job_description *d)
{
	const int size = d->dtype == JOB_NONE ? 0 : operation_dtype_bytes(map_key(&s->job->texts, d->dtype));
	const int64_t n = d->operation == OPERATION_ALL_TO_ALLV ? d->in : max(d->in, d->out);
	int64_t bytes;

	if (d->bytes >= 0)
		return d->bytes;
	return size && n >= 0 && !__builtin_mul_overflow(n, size, &bytes) ? bytes : -1;
}

static void find_bytes(struct figures *f, const struct figures_source *s, const struct collective *c)
{
	int64_t bytes, most = 0;
	double sum = 0;
	struct job_description d;
	size_t i;

	f->bytes = 0;
	for (i = 0; i < c->n; i++) {
		d = job_description(s->job, member(s, c, i)->description);
		bytes = bytes_of(s, &d);
		if (bytes < 0) {
			f->bytes = -1;
			return;
		}
		if (d.operation == OPERATION_ALL_TO_ALLV) {
			f->bytes = int_add(f->bytes, bytes);
			most = max(most, d.in);
			sum += (double)d.in;
		} else {
			f->bytes = max(f->bytes, bytes);
		}
	}
	if (sum > 0)
		f->imbalance = (double)most / (sum / (double)c->n);
}

static void find_bandwidths(struct figures *f, const struct figures_source *s, const struct collective *c)
{
	const uint32_t operation = job_description(s->job, member(s, c, 0)->description).operation;
	const int64_t size = s->collectives->groups[c->group].size;
	double factor;

	f->algbw = f->busbw = f->throughput = f->imbalance = -1;
	find_bytes(f, s, c);
	if (f->bytes <= 0)
		return;
	if (operation == OPERATION_ALL_TO_ALLV) {
		if (f->aligned && f->dur > 0)
			f->throughput = (double)f->bytes / (double)f->dur;
		return;
	}
	if (f->latency <= 0 || operation == OPERATION_BARRIER)
		return;
	f->algbw = (double)f->bytes / (double)f->latency;
	if (operation_bus_factor(
		operation_is_pair(operation) ? OPERATION_SENDRECV : operation, size ? (size_t)size : c->n, &factor))
		f->busbw = f->algbw * factor;
	else
		f->algbw = -1;
}

static enum figures_class classify(const struct figures *f, const struct collective *c, bool missing)
{
	if (c->ambiguous || missing || !f->aligned || f->skew_end > f->latency || f->share < 0)
		return FIGURES_INCONCLUSIVE;
	return f->share >= SKEW_SHARE ? FIGURES_SKEW : f->share <= TRANSFER_SHARE ? FIGURES_TRANSFER : FIGURES_MIXED;
}

void figures_compute(struct figures *f, const struct figures_source *s, const struct collective *c, bool missing)
{
	size_t i;

	figures_place(f, s, c);
	if (c->n < 2)
		return;
	f->wait = mem_grow(f->wait, &f->cap, c->n, sizeof *f->wait);
	f->starts = mem_grow(f->starts, &f->starts_cap, c->n, sizeof *f->starts);
	f->latency = member(s, c, 0)->dur;
	for (i = 1; i < c->n; i++)
		f->latency = min(f->latency, member(s, c, i)->dur);
	if (f->aligned)
		wait_aligned(f, s, c);
	else
		wait_free(f, s, c);
	judge_waits(f, s, c);
	find_bandwidths(f, s, c);
	f->class = classify(f, c, missing);
}

void figures_free(struct figures *f)
{
	free(f->wait);
	free(f->starts);
}
