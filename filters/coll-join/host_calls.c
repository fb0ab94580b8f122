#include "host_calls.h"

#include "base/int_math.h"

#include <stdlib.h>

/* The operators and the ranges of all threads. */
struct host_calls_index {
	struct interval_index operators, ranges;
};

void host_calls_add_call(struct host_calls *h, const struct host_calls_call *call)
{
	h->calls = mem_grow(h->calls, &h->calls_cap, h->n_calls + 1, sizeof *h->calls);
	h->calls[h->n_calls++] = *call;
}

void host_calls_add_span(struct host_calls *h, const struct host_calls_span *span)
{
	h->spans = mem_grow(h->spans, &h->spans_cap, h->n_spans + 1, sizeof *h->spans);
	h->spans[h->n_spans++] = *span;
}

void host_calls_add_pending(struct host_calls *h, const struct host_calls_pending *pending)
{
	h->pending = mem_grow(h->pending, &h->pending_cap, h->n_pending + 1, sizeof *h->pending);
	h->pending[h->n_pending++] = *pending;
}

/* --- search --- */

static int compare_calls(const void *a, const void *b)
{
	const struct host_calls_call *x = a, *y = b;
	int c = int_compare(x->rank, y->rank);

	c = c ? c : int_compare(x->corr, y->corr);
	c = c ? c : int_compare(x->ts, y->ts);
	return c ? c : int_compare(x->thread, y->thread);
}

static int compare_starts(const void *a, const void *b)
{
	const struct host_calls_span *x = a, *y = b;
	const int c = int_compare(x->start, y->start);

	return c ? c : int_compare(y->end, x->end);
}

static int compare_external(const struct host_calls_span *a, uint32_t rank, int64_t external)
{
	const int c = int_compare(a->rank, rank);

	return c ? c : int_compare(a->external, external);
}

static int compare_externals(const void *a, const void *b)
{
	const struct host_calls_span *x = *(struct host_calls_span *const *)a, *y = *(struct host_calls_span *const *)b;
	const int c = compare_external(x, y->rank, y->external);

	return c ? c : int_compare(x->start, y->start);
}

/* Returns the first call of a rank with this correlation id, or NULL. */
static const struct host_calls_call *find_call(const struct host_calls *h, uint32_t rank, int64_t corr)
{
	const struct host_calls_call key = {corr, INT64_MIN, rank, 0};
	size_t low = 0, high = h->n_calls, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (compare_calls(&h->calls[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < h->n_calls && h->calls[low].rank == rank && h->calls[low].corr == corr ? &h->calls[low] : NULL;
}

/* Returns the operators that have an External id, sorted by rank and External id. */
static struct host_calls_span **sort_externals(const struct host_calls *h, size_t *n)
{
	struct host_calls_span **list = mem_alloc((h->n_spans + 1) * sizeof(struct host_calls_span *));
	size_t i;

	*n = 0;
	for (i = 0; i < h->n_spans; i++) {
		if (h->spans[i].has_external && h->spans[i].description != JOB_NONE)
			list[(*n)++] = &h->spans[i];
	}
	qsort(list, *n, sizeof(struct host_calls_span *), compare_externals);
	return list;
}

static const struct host_calls_span *find_external(
    struct host_calls_span *const *list, size_t n, uint32_t rank, int64_t external)
{
	size_t low = 0, high = n, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (compare_external(list[middle], rank, external) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && compare_external(list[low], rank, external) == 0 ? list[low] : NULL;
}

/* Makes the indexes; h->spans must be sorted by start. */
static void index_spans(const struct host_calls *h, struct host_calls_index *index)
{
	struct interval_index_entry entry;
	size_t i;

	for (i = 0; i < h->n_spans; i++) {
		entry = (struct interval_index_entry){h->spans[i].start, h->spans[i].end, (uint32_t)i, (uint32_t)i};
		interval_index_add(h->spans[i].description == JOB_NONE ? &index->ranges : &index->operators,
		    h->spans[i].thread, &entry);
	}
}

static const struct host_calls_span *find_innermost(
    const struct host_calls *h, const struct interval_index *index, const struct host_calls_call *call)
{
	struct interval_index_entry entry;

	if (!call || !interval_index_innermost(index, call->thread, call->ts, call->ts, &entry))
		return NULL;
	return &h->spans[entry.name];
}

/* --- results --- */

/* Replaces the operation of a kernel's description. */
static void set_operation(struct job *j, struct job_kernel *k, uint32_t operation)
{
	struct job_description d = job_description(j, k->description);

	d.operation = operation;
	k->description = job_add_description(j, &d);
}

static void take_numbers(struct job_kernel *k, const struct host_calls_span *span)
{
	k->description = span->description;
	k->seq = span->seq;
	k->comms = span->comms;
	k->flags |= span->flags;
}

void host_calls_resolve(struct host_calls *h, struct job *j)
{
	struct host_calls_index index = {{0}, {0}};
	const struct host_calls_pending *p;
	const struct host_calls_span *span;
	const struct host_calls_call *call;
	struct host_calls_span **externals;
	struct job_kernel *k;
	size_t n, i;

	if (h->n_pending) {
		if (h->n_calls)
			qsort(h->calls, h->n_calls, sizeof *h->calls, compare_calls);
		if (h->n_spans)
			qsort(h->spans, h->n_spans, sizeof *h->spans, compare_starts);
		index_spans(h, &index);
		externals = sort_externals(h, &n);
		for (i = 0; i < h->n_pending; i++) {
			p = &h->pending[i];
			k = &j->kernels[p->kernel];
			call = k->flags & JOB_HAS_CORR ? find_call(h, k->rank, k->corr) : NULL;
			span = p->has_external && j->ranks[k->rank].external_equal <= j->ranks[k->rank].external_other
				   ? find_external(externals, n, k->rank, p->external)
				   : NULL;
			span = span ? span : find_innermost(h, &index.operators, call);
			if (span)
				take_numbers(k, span);
			else if ((span = find_innermost(h, &index.ranges, call)))
				set_operation(j, k, span->operation);
		}
		free(externals);
		interval_index_free(&index.operators);
		interval_index_free(&index.ranges);
	}
	host_calls_free(h);
}

void host_calls_free(struct host_calls *h)
{
	free(h->calls);
	free(h->spans);
	free(h->pending);
	*h = (struct host_calls){.calls = NULL};
}
