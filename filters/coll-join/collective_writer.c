#include "collective_writer.h"

#include "base/order.h"
#include "coll_operation.h"
#include "collective_match.h"
#include "json/scan.h"
#include "json/write.h"
#include "record/event_attach.h"
#include "record/record_line.h"

#include <stdlib.h>

/* Classes by the share of waiting time: skew at SKEW_SHARE or more, transfer at TRANSFER_SHARE or less. */
#define SKEW_SHARE 0.7
#define TRANSFER_SHARE 0.3

/* The timing of one collective. Times are in ns, bandwidths in bytes per ns, which are GB/s. */
struct collective_timing {
	bool aligned; /* all members are on the clock of the reference; otherwise ts is on that of the first member */
	int64_t ts, dur; /* from the earliest start to the latest end; if not aligned, those of the first member */
	/* The following are set if there are at least two members: */
	int64_t *wait;                                         /* by member */
	int64_t skew_start, skew_end, late, latency, transfer; /* skew_end and transfer only if aligned */
	size_t first, last;                                    /* members */
	double share;                                          /* -1 if all durations are 0 */
	const char *class;
	int64_t bytes;                              /* -1 if unknown */
	double algbw, busbw, throughput, imbalance; /* -1 if unknown */
	size_t wait_cap;
};

/* The positions of the first and last kernel of a rank in a group; first > last if it has none. */
struct rank_span {
	int64_t first, last;
};

struct collective_writer {
	struct collectives *all;
	const struct job *job;
	const struct rank_clocks *clocks;
	struct collective_timing f;
	size_t *order; /* the collectives in the order of ts */
	uint32_t
	    *gids; /* by group: its gid + 1, 0 if it is unknown; groups of equal name and ranks have the same gid */
	size_t *group_spans;     /* by group: the index of its first rank in `spans` */
	struct rank_span *spans; /* by group and rank of it */
	struct buf text, name;
};

static const struct job_kernel *member(const struct collective_writer *w, const struct collective *c, size_t i)
{
	return collective_member(w->all, c, i);
}

static int64_t rank_of(const struct collective_writer *w, const struct job_kernel *k)
{
	return w->job->ranks[k->rank].rank;
}

static const struct process_group *group_of(const struct collective_writer *w, const struct collective *c)
{
	return &w->all->groups[c->group];
}

static int64_t max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* --- timing --- */

/* Returns the start of a member, on the clock of the reference if the collective is aligned. */
static int64_t start_of(const struct collective_writer *w, const struct job_kernel *k)
{
	return w->f.aligned ? rank_clock_time(&w->clocks->list[k->rank], k->ts) : k->ts;
}

/* Sets only aligned, ts and dur. */
static void find_times(struct collective_writer *w, const struct collective *c)
{
	struct collective_timing *f = &w->f;
	const struct job_kernel *k = member(w, c, 0);
	int64_t start, end;
	size_t i;

	f->aligned = w->clocks->mode != RANK_CLOCKS_FREE && !c->untimed;
	for (i = 0; i < c->n; i++)
		f->aligned &= w->clocks->list[member(w, c, i)->rank].ok;
	f->ts = start_of(w, k);
	f->dur = k->dur;
	if (!f->aligned)
		return;
	end = int_interval_end(f->ts, k->dur);
	for (i = 1; i < c->n; i++) {
		start = start_of(w, member(w, c, i));
		f->ts = min(f->ts, start);
		end = max(end, int_interval_end(start, member(w, c, i)->dur));
	}
	f->dur = int_sub(end, f->ts);
}

/* Finds the bytes of a collective, and of an all-to-all-v the imbalance. The first member gives the operation. */
static void find_bytes(struct collective_writer *w, const struct collective *c, uint32_t operation)
{
	const bool is_sum = operation == COLL_ALL_TO_ALLV;
	struct collective_timing *f = &w->f;
	int64_t bytes, elements, most = 0;
	double sum = 0;
	struct job_description d;
	size_t i;
	int size;

	f->bytes = 0;
	for (i = 0; i < c->n; i++) {
		d = job_description(w->job, member(w, c, i)->description);
		elements = is_sum ? d.in : max(d.in, d.out);
		size = d.dtype == JOB_NONE ? 0 : coll_operation_dtype_bytes(map_key(&w->job->texts, d.dtype));
		bytes = d.bytes;
		if (bytes < 0 && (!size || elements < 0 || __builtin_mul_overflow(elements, size, &bytes))) {
			f->bytes = -1;
			return;
		}
		f->bytes = is_sum ? int_add(f->bytes, bytes) : max(f->bytes, bytes);
		most = is_sum ? max(most, d.in) : most;
		sum += is_sum ? (double)d.in : 0;
	}
	if (sum > 0)
		f->imbalance = (double)most / (sum / (double)c->n);
}

static void find_bandwidths(struct collective_writer *w, const struct collective *c)
{
	struct collective_timing *f = &w->f;
	const uint32_t operation = job_description(w->job, member(w, c, 0)->description).operation;
	const int64_t size = group_of(w, c)->size;
	double factor;

	f->algbw = f->busbw = f->throughput = f->imbalance = -1;
	find_bytes(w, c, operation);
	if (f->bytes <= 0)
		return;
	if (operation == COLL_ALL_TO_ALLV) {
		if (f->aligned && f->dur > 0)
			f->throughput = (double)f->bytes / (double)f->dur;
		return;
	}
	if (f->latency <= 0 || operation == COLL_BARRIER ||
	    !coll_operation_bus_factor(
		coll_operation_is_pair(operation) ? COLL_SENDRECV : operation, size ? (size_t)size : c->n, &factor))
		return;
	f->algbw = (double)f->bytes / (double)f->latency;
	f->busbw = f->algbw * factor;
}

/* --- missing ranks --- */

/* Returns the number of ranks of a group, 0 if unknown, and sets *ranks: ascending; of a pair, first the sender. */
static size_t get_ranks(const struct collective_writer *w, const struct process_group *g, const int32_t **ranks)
{
	size_t n = 0;

	*ranks = g->pair;
	if (g->kind == PROCESS_GROUP_PAIR)
		return 2;
	if (g->set != JOB_NONE)
		*ranks = job_rank_set(w->job, g->set, &n);
	return n;
}

static int compare_to_rank(const void *rank, const void *item)
{
	return int_compare(*(const int64_t *)rank, *(const int32_t *)item);
}

/* Finds the positions between which each rank has kernels of its groups. */
static void find_spans(struct collective_writer *w)
{
	const int32_t *ranks, *found;
	struct rank_span *span;
	const struct process_group *g;
	const struct collective *c;
	size_t i, k, n = 0;
	int64_t rank;

	w->group_spans = mem_alloc((w->all->n_groups + 1) * sizeof *w->group_spans);
	for (i = 0; i < w->all->n_groups; i++) {
		w->group_spans[i] = n;
		n += get_ranks(w, &w->all->groups[i], &ranks);
	}
	w->spans = mem_alloc((n + 1) * sizeof *w->spans);
	for (i = 0; i < n; i++)
		w->spans[i] = (struct rank_span){INT64_MAX, INT64_MIN};
	for (k = 0; k < w->all->n; k++) {
		c = &w->all->list[k];
		g = group_of(w, c);
		n = c->why ? 0 : get_ranks(w, g, &ranks);
		for (i = 0; i < c->n && n; i++) {
			rank = rank_of(w, member(w, c, i));
			found = g->kind == PROCESS_GROUP_PAIR
				    ? ranks + (rank != ranks[0])
				    : bsearch(&rank, ranks, n, sizeof *ranks, compare_to_rank);
			if (!found || *found != rank)
				continue; /* the rank is not in the list of its own group */
			span = &w->spans[w->group_spans[c->group] + (size_t)(found - ranks)];
			span->first = min(span->first, c->position);
			span->last = max(span->last, c->position);
		}
	}
}

/* Returns whether a rank of the group has no member in a collective. */
static bool is_incomplete(const struct collective_writer *w, const struct collective *c)
{
	const int32_t *ranks;

	return !c->why && c->n < get_ranks(w, group_of(w, c), &ranks);
}

/*
 * Writes the ranks of the group that are missing, and why: "lost" (no trace of the rank), "before" (its first kernel of
 * the group is later), "after" (its last one is earlier), or "absent".
 */
static void put_missing(struct collective_writer *w, const struct collective *c)
{
	const struct process_group *g = group_of(w, c);
	const struct rank_span *span = &w->spans[w->group_spans[c->group]];
	const int32_t *ranks;
	const size_t n = get_ranks(w, g, &ranks);
	const char *why;
	size_t i, k = 0;

	json_write_begin(&w->text, "missing", '[');
	for (i = 0; i < n; i++, span++) {
		/* The members are in the order of the ranks; an incomplete pair has one member. */
		for (k = g->kind == PROCESS_GROUP_PAIR ? 0 : k; k < c->n && rank_of(w, member(w, c, k)) < ranks[i]; k++)
			;
		if (k < c->n && rank_of(w, member(w, c, k)) == ranks[i])
			continue;
		if (!job_has_rank(w->job, ranks[i]))
			why = "lost";
		else if (span->first > span->last || (span->first < c->position && span->last > c->position))
			why = "absent";
		else
			why = span->first > c->position ? "before" : "after";
		json_write_begin(&w->text, NULL, '{');
		json_write_int(&w->text, "rank", ranks[i]);
		json_write_text(&w->text, "why", str_of(why));
		json_write_end(&w->text, '}');
	}
	json_write_end(&w->text, ']');
}

/*
 * With a common clock, a member waits from its start to the start of the last. Without one, durations are compared: all
 * members end together, except for skew_end.
 */
static void find_timing(struct collective_writer *w, const struct collective *c)
{
	struct collective_timing *f = &w->f;
	int64_t last = INT64_MIN, least_end = INT64_MAX, end, start;
	double waits = 0, durations = 0;
	size_t i;

	find_times(w, c);
	if (c->n < 2)
		return;
	f->wait = mem_grow(f->wait, &f->wait_cap, c->n, sizeof *f->wait);
	f->latency = f->late = INT64_MAX;
	for (i = 0; i < c->n; i++) {
		start = f->wait[i] = start_of(w, member(w, c, i));
		last = max(last, start);
		least_end = min(least_end, int_interval_end(start, member(w, c, i)->dur));
		f->latency = min(f->latency, member(w, c, i)->dur);
	}
	f->first = f->last = 0;
	for (i = 0; i < c->n; i++) {
		f->wait[i] = f->aligned ? int_sub(last, f->wait[i]) : int_sub(member(w, c, i)->dur, f->latency);
		f->first = f->wait[i] > f->wait[f->first] ? i : f->first;
		f->last = f->wait[i] < f->wait[f->last] ? i : f->last;
		waits += (double)f->wait[i];
		durations += (double)member(w, c, i)->dur;
	}
	for (i = 0; i < c->n; i++)
		f->late = i == f->last ? f->late : min(f->late, f->wait[i]);
	end = int_add(f->ts, f->dur);
	f->skew_start = f->wait[f->first];
	f->skew_end = int_sub(end, least_end);
	f->transfer = int_sub(end, last);
	f->share = durations > 0 ? waits / durations : -1;
	find_bandwidths(w, c);
	f->class = c->ambiguous || is_incomplete(w, c) || !f->aligned || f->skew_end > f->latency || f->share < 0
		       ? "inconclusive"
		   : f->share >= SKEW_SHARE     ? "skew"
		   : f->share <= TRANSFER_SHARE ? "transfer"
						: "mixed";
}

/* --- preparation --- */

static int compare_times(const void *arg, size_t a, size_t b)
{
	const struct collective *list = arg, *x = &list[a], *y = &list[b];
	const int c = int_compare(x->ts, y->ts);

	return c ? c : int_compare(x->group, y->group);
}

static void init(struct collective_writer *w, struct collectives *all, const struct rank_clocks *clocks)
{
	const struct process_group *g;
	struct map names = {0};
	struct collective *c;
	size_t i;

	*w = (struct collective_writer){.all = all, .job = all->job, .clocks = clocks};
	for (c = all->list; all->n && c < all->list + all->n; c++) {
		find_times(w, c);
		c->ts = w->f.ts;
		if (c->key == COLLECTIVE_ID && !(member(w, c, 0)->flags & JOB_HAS_SEQ))
			c->position = c->ts;
	}
	w->order = order_sort(all->n, compare_times, all->list);
	w->gids = mem_zero(all->n_groups + 1, sizeof *w->gids);
	for (i = 0; i < all->n; i++) {
		c = &all->list[w->order[i]];
		g = group_of(w, c);
		if (g->kind != PROCESS_GROUP_NAMELESS && !w->gids[c->group]) {
			const int64_t key[] = {g->name, g->set, g->list, g->stream, g->pair[0], g->pair[1], g->block};

			w->gids[c->group] = (uint32_t)map_put(&names, STR_BYTES(key)) + 1;
		}
	}
	map_free(&names);
	find_spans(w);
}

static void free_writer(struct collective_writer *w)
{
	mem_free(w->f.wait, w->order, w->gids, w->group_spans, w->spans);
	bufs_free(&w->text, &w->name);
}

/* --- records of collectives --- */

static void put_text(struct collective_writer *w, const char *key, uint32_t text)
{
	if (text != JOB_NONE)
		json_write_text(&w->text, key, map_key(&w->job->texts, text));
}

static void put_known(struct collective_writer *w, const char *key, double v)
{
	if (v >= 0)
		json_write_double(&w->text, key, v);
}

static void put_name(struct collective_writer *w, const char *key, int64_t rank)
{
	w->name.n = 0;
	job_write_rank(w->job, rank, &w->name);
	json_write_text(&w->text, key, buf_str(&w->name));
}

/* Writes the standard members (events.5). */
static void put_standard(struct collective_writer *w, const struct collective *c, uint32_t id)
{
	const struct collective_timing *f = &w->f;
	const struct job *j = w->job;
	const struct job_kernel *k = member(w, c, 0);
	const struct process_group *g = group_of(w, c);
	const bool timed = !(k->flags & JOB_NO_TS);
	const uint32_t operation =
	    g->kind == PROCESS_GROUP_PAIR ? COLL_SENDRECV : job_description(j, k->description).operation;

	if (timed)
		json_write_int(&w->text, "ts", f->ts);
	json_write_int(&w->text, "dur", f->dur);
	json_write_json(&w->text, "kind", STR("\"collective\""));
	json_write_text(&w->text, "name", map_key(&j->operations, operation));
	if (g->kind == PROCESS_GROUP_STREAM && map_key(&j->texts, g->stream).n)
		json_write_json(&w->text, "stream", map_key(&j->texts, g->stream));
	json_write_int(&w->text, "id", id);
	if (!f->aligned && timed)
		put_name(w, "clock", rank_of(w, k));
	if (c->n > 1 && f->bytes >= 0)
		json_write_int(&w->text, "bytes", f->bytes);
}

static void put_group_and_match(struct collective_writer *w, const struct collective *c)
{
	const struct process_group *g = group_of(w, c);
	const struct job_kernel *k = member(w, c, 0);
	const uint32_t gid = w->gids[c->group];
	const int32_t *ranks;
	const size_t n = get_ranks(w, g, &ranks);
	size_t i;

	put_text(w, "group", g->name);
	put_text(w, "desc", g->text);
	if (gid)
		json_write_int(&w->text, "gid", gid - 1);
	if (n) {
		json_write_begin(&w->text, "ranks", '[');
		for (i = 0; i < n; i++)
			json_write_int(&w->text, NULL, ranks[i]);
		json_write_end(&w->text, ']');
	}
	json_write_text(&w->text, "match", str_of(collective_key_names[c->key]));
	if (c->why)
		json_write_text(&w->text, "why", str_of(collective_why_names[c->why]));
	if (c->ambiguous)
		json_write_bool(&w->text, "ambiguous", true);
	if (k->flags & JOB_HAS_SEQ && g->kind == PROCESS_GROUP_COLLECTIVE)
		json_write_int(&w->text, "seq", k->seq);
	if (c->n > 1)
		json_write_bool(&w->text, "aligned", w->f.aligned);
	json_write_int(&w->text, "n", c->n);
	if (g->size || g->kind == PROCESS_GROUP_STREAM || g->kind == PROCESS_GROUP_NAMELESS)
		json_write_int(&w->text, "size", g->size ? g->size : c->n);
	if (is_incomplete(w, c))
		put_missing(w, c);
	put_text(w, "dtype", job_description(w->job, k->description).dtype);
}

/* Writes the rank of a member, or the name of its process. */
static void put_rank(struct collective_writer *w, const char *key, const struct job_kernel *k)
{
	if (job_is_process(rank_of(w, k)))
		put_name(w, key, rank_of(w, k));
	else
		json_write_int(&w->text, key, rank_of(w, k));
}

static void put_timing(struct collective_writer *w, const struct collective *c)
{
	const struct collective_timing *f = &w->f;

	json_write_int(&w->text, "skew_start", f->skew_start);
	if (f->aligned)
		json_write_int(&w->text, "skew_end", f->skew_end);
	put_rank(w, "first", member(w, c, f->first));
	put_rank(w, "last", member(w, c, f->last));
	json_write_int(&w->text, "late", f->late);
	json_write_int(&w->text, "latency", f->latency);
	if (f->aligned)
		json_write_int(&w->text, "transfer", f->transfer);
	put_known(w, "share", f->share);
	json_write_text(&w->text, "class", str_of(f->class));
	put_known(w, "algbw", f->algbw);
	put_known(w, "busbw", f->busbw);
	put_known(w, "throughput", f->throughput);
	put_known(w, "imbalance", f->imbalance);
}

static void put_member(struct collective_writer *w, const struct collective *c, size_t i)
{
	const struct job_kernel *k = member(w, c, i);
	int64_t pid;

	json_write_begin(&w->text, NULL, '{');
	if (job_is_process(rank_of(w, k))) {
		json_write_text(&w->text, "hostname", job_process(w->job, rank_of(w, k), &pid));
		json_write_int(&w->text, "pid", pid);
	} else {
		json_write_int(&w->text, "rank", rank_of(w, k));
	}
	if (!(k->flags & JOB_NO_TS))
		json_write_int(&w->text, "ts", k->ts);
	json_write_int(&w->text, "dur", k->dur);
	if (c->n > 1)
		json_write_int(&w->text, "wait", w->f.wait[i]);
	if (c->key == COLLECTIVE_ORDER || c->key == COLLECTIVE_STREAM)
		json_write_int(&w->text, "shift", k->shift);
	job_write_kernel(w->job, k, &w->text);
	json_write_end(&w->text, '}');
}

/* Writes the mean exposed time of the members, if gpu-exposed has measured it for all of them. */
static void put_exposed(struct collective_writer *w, const struct collective *c)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < c->n; i++) {
		if (!(member(w, c, i)->flags & JOB_HAS_EXPOSED))
			return;
		sum += (double)member(w, c, i)->exposed;
	}
	json_write_double(&w->text, "exposed", sum / (double)c->n);
}

void collective_writer_write(struct collectives *all, const struct rank_clocks *clocks, struct out *out)
{
	struct collective_writer w;
	const struct collective *c;
	size_t i, m;

	init(&w, all, clocks);
	for (i = 0; i < all->n && !out->error; i++) {
		c = &all->list[w.order[i]];
		find_timing(&w, c);
		record_line_begin(&w.text, NULL);
		put_standard(&w, c, (uint32_t)i);
		put_group_and_match(&w, c);
		if (c->n > 1)
			put_timing(&w, c);
		put_exposed(&w, c);
		json_write_begin(&w.text, "members", '[');
		for (m = 0; m < c->n; m++)
			put_member(&w, c, m);
		json_write_end(&w.text, ']');
		record_line_end(&w.text, out);
	}
	free_writer(&w);
}

/* --- members with their collective --- */

/* Stores in each kernel: `key` is the id of its collective, `corr` whether it came last, `seq` its wait, `dur` late. */
static void store_results(struct collective_writer *w)
{
	const struct collective *c;
	struct job_kernel *k;
	size_t i, m;

	for (i = 0; i < w->all->n; i++) {
		c = &w->all->list[w->order[i]];
		find_timing(w, c);
		for (m = 0; m < c->n; m++) {
			k = collective_member(w->all, c, m);
			k->collective = (uint32_t)i;
			k->corr = c->n > 1 && m == w->f.last;
			k->seq = c->n > 1 ? w->f.wait[m] : 0;
			k->dur = c->n > 1 ? w->f.late : 0;
		}
	}
}

static void write_member(struct collective_writer *w, struct str record, const struct job_kernel *k, struct out *out)
{
	const struct collective *c = &w->all->list[w->order[k->collective]];
	const uint32_t gid = w->gids[c->group];
	struct event e;

	w->text.n = 0;
	json_write_begin(&w->text, "coll", '{');
	json_write_int(&w->text, "id", k->collective);
	if (gid)
		json_write_int(&w->text, "gid", gid - 1);
	if (c->n > 1) {
		json_write_int(&w->text, "wait", k->seq);
		if (k->corr)
			json_write_int(&w->text, "late", k->dur);
		json_write_bool(&w->text, "last", k->corr);
	}
	json_write_int(&w->text, "n", c->n);
	json_write_end(&w->text, '}');
	scan_pad(&w->text);
	event_clear(&e);
	e.raw = record;
	event_attach_write(out, &e, buf_str(&w->text));
}

bool collective_writer_store(struct spool *records, struct str record, struct fault *f)
{
	return spool_add(records, &record.n, sizeof record.n, f) && spool_add(records, record.p, record.n, f);
}

bool collective_writer_write_members(
    struct collectives *all, const struct rank_clocks *clocks, struct spool *records, struct out *out, struct fault *f)
{
	const struct job *j = all->job;
	/* the kernels of the job by their number in the input; NULL for those that were removed */
	const struct job_kernel **kernels = mem_zero(j->n + j->doubles + 1, sizeof(struct job_kernel *));
	struct spool_window window = {0};
	struct collective_writer w;
	const char *p = "";
	uint64_t at;
	size_t i, n;

	for (i = 0; i < j->n; i++)
		kernels[j->kernels[i].number] = &j->kernels[i];
	init(&w, all, clocks);
	store_results(&w);
	for (i = 0, at = 0; at < records->size && !out->error; i++, at += n) {
		p = spool_read(records, &window, at, sizeof n, f);
		if (!p)
			break;
		memcpy(&n, p, sizeof n);
		at += sizeof n;
		p = spool_read(records, &window, at, n, f);
		if (!p)
			break;
		if (kernels[i])
			write_member(&w, (struct str){p, n}, kernels[i], out);
	}
	free(kernels);
	spool_window_free(&window);
	free_writer(&w);
	return p;
}
