#include "collective_writer.h"

#include "base/order.h"
#include "json/string.h"
#include "json/write.h"

#include <stdlib.h>

static const struct job_kernel *member(const struct collective_writer *w, const struct collective *c, size_t i)
{
	return &w->source.job->kernels[w->source.collectives->members[c->first + i]];
}

static const struct process_group *group_of(const struct collective_writer *w, const struct collective *c)
{
	return &w->source.collectives->groups[c->group];
}

/* --- preparation --- */

struct place {
	int64_t ts;
	const struct collective *collective;
};

static int compare_places(const void *arg, size_t a, size_t b)
{
	const struct place *x = (const struct place *)arg + a, *y = (const struct place *)arg + b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	if (x->collective->group != y->collective->group)
		return x->collective->group < y->collective->group ? -1 : 1;
	return (a > b) - (a < b);
}

void collective_writer_init(struct collective_writer *w)
{
	struct collectives *all = w->source.collectives;
	struct place *places = mem_alloc((all->n + 1) * sizeof *places);
	struct collective *c;
	size_t i;

	for (i = 0; i < all->n; i++) {
		c = &all->list[i];
		figures_place(&w->figures, &w->source, c);
		places[i] = (struct place){w->figures.ts, c};
		if (c->key == COLLECTIVE_ID && !(member(w, c, 0)->flags & JOB_HAS_SEQ))
			c->position = w->figures.ts;
	}
	w->order = order_sort(all->n, compare_places, places);
	free(places);
	w->gids = mem_zero(w->source.collectives->n_groups + 1, sizeof *w->gids);
	missing_ranks_init(&w->missing, w->source.job, w->source.collectives);
}

void collective_writer_free(struct collective_writer *w)
{
	free(w->order);
	free(w->gids);
	missing_ranks_free(&w->missing);
	map_free(&w->names);
	buf_free(&w->text);
	buf_free(&w->name);
	figures_free(&w->figures);
}

/* --- groups --- */

/* Returns gid + 1 of a group, or 0 if the group is unknown. Groups of equal name and ranks have the same gid. */
static uint32_t find_gid(struct collective_writer *w, uint32_t group)
{
	const struct process_group *g = &w->source.collectives->groups[group];
	const int64_t key[] = {g->name, g->set, g->list, g->stream, g->from, g->to, g->block};

	if (g->kind != PROCESS_GROUP_NAMELESS && !w->gids[group])
		w->gids[group] = (uint32_t)map_put(&w->names, (struct str){(const char *)key, sizeof key}) + 1;
	return w->gids[group];
}

static void put_missing(struct collective_writer *w, const struct collective *c)
{
	const struct process_group *g = group_of(w, c);
	const size_t n = missing_ranks_count(&w->missing, g);
	size_t i;

	json_write_begin(&w->text, "missing", '[');
	for (i = 0; i < n; i++) {
		if (missing_ranks_has(&w->missing, c, missing_ranks_at(&w->missing, g, i)))
			continue;
		json_write_begin(&w->text, NULL, '{');
		json_write_int(&w->text, "rank", missing_ranks_at(&w->missing, g, i));
		json_write_text(&w->text, "why", str_of(missing_ranks_why(&w->missing, c, i)));
		json_write_end(&w->text, '}');
	}
	json_write_end(&w->text, ']');
}

/* --- records --- */

static void put_text(struct collective_writer *w, const char *key, uint32_t text)
{
	if (text != JOB_NONE)
		json_write_text(&w->text, key, map_key(&w->source.job->texts, text));
}

static void put_figure(struct collective_writer *w, const char *key, double v)
{
	if (v >= 0)
		json_write_double(&w->text, key, v);
}

/* Writes the members of the record that every record can have, in canonical order (events.5). */
static void put_standard(struct collective_writer *w, const struct collective *c, uint32_t id)
{
	const struct figures *f = &w->figures;
	const struct job *j = w->source.job;
	const uint32_t operation = job_description(j, member(w, c, 0)->description).operation;
	const struct process_group *g = group_of(w, c);
	const bool timed = !(member(w, c, 0)->flags & JOB_NO_TS);

	if (timed)
		json_write_int(&w->text, "ts", f->ts);
	json_write_int(&w->text, "dur", f->dur);
	json_write_json(&w->text, "kind", STR("\"collective\""));
	json_write_text(
	    &w->text, "name", map_key(&j->operations, g->kind == PROCESS_GROUP_PAIR ? OPERATION_SENDRECV : operation));
	if (g->kind == PROCESS_GROUP_STREAM && map_key(&j->texts, g->stream).n)
		json_write_json(&w->text, "stream", map_key(&j->texts, g->stream));
	json_write_int(&w->text, "id", id);
	if (f->own && timed) {
		w->name.n = 0;
		job_write_rank(j, j->ranks[member(w, c, 0)->rank].rank, &w->name);
		json_write_text(&w->text, "clock", json_write_str(&w->name));
	}
	if (c->n > 1 && f->bytes >= 0)
		json_write_int(&w->text, "bytes", f->bytes);
}

static void put_group(struct collective_writer *w, const struct collective *c)
{
	const struct process_group *g = group_of(w, c);
	const uint32_t gid = find_gid(w, c->group);
	const size_t n = missing_ranks_count(&w->missing, g);
	size_t i;

	put_text(w, "group", g->name);
	if (gid)
		json_write_int(&w->text, "gid", gid - 1);
	if (!n)
		return;
	json_write_begin(&w->text, "ranks", '[');
	for (i = 0; i < n; i++)
		json_write_int(&w->text, NULL, missing_ranks_at(&w->missing, g, i));
	json_write_end(&w->text, ']');
}

static void put_match(struct collective_writer *w, const struct collective *c)
{
	const struct process_group *g = group_of(w, c);
	const struct job_kernel *k = member(w, c, 0);

	json_write_text(&w->text, "match", str_of(collective_key_names[c->key]));
	if (c->why)
		json_write_text(&w->text, "why", str_of(collective_why_names[c->why]));
	if (c->ambiguous)
		json_write_bool(&w->text, "ambiguous", true);
	if (k->flags & JOB_HAS_SEQ && g->kind == PROCESS_GROUP_COLLECTIVE)
		json_write_int(&w->text, "seq", k->seq);
	if (c->n > 1)
		json_write_bool(&w->text, "aligned", w->figures.aligned);
	json_write_int(&w->text, "n", c->n);
	if (g->size || g->kind == PROCESS_GROUP_STREAM || g->kind == PROCESS_GROUP_NAMELESS)
		json_write_int(&w->text, "size", g->size ? g->size : c->n);
	if (missing_ranks_any(&w->missing, c))
		put_missing(w, c);
	put_text(w, "dtype", job_description(w->source.job, k->description).dtype);
}

/* Writes the rank of a member, or the name of its process. */
static void put_rank(struct collective_writer *w, const char *key, const struct job_kernel *k)
{
	const int64_t rank = w->source.job->ranks[k->rank].rank;

	if (!job_is_process(rank)) {
		json_write_int(&w->text, key, rank);
		return;
	}
	w->name.n = 0;
	job_write_rank(w->source.job, rank, &w->name);
	json_write_text(&w->text, key, json_write_str(&w->name));
}

/* Writes the members that say which rank or process a member kernel is of. */
static void put_identity(struct collective_writer *w, const struct job_kernel *k)
{
	const int64_t rank = w->source.job->ranks[k->rank].rank;
	struct str host;
	int64_t pid;

	if (!job_is_process(rank)) {
		json_write_int(&w->text, "rank", rank);
		return;
	}
	host = job_process(w->source.job, rank, &pid);
	json_write_text(&w->text, "hostname", host);
	json_write_int(&w->text, "pid", pid);
}

static void put_figures(struct collective_writer *w, const struct collective *c)
{
	const struct figures *f = &w->figures;

	json_write_int(&w->text, "skew_start", f->skew_start);
	if (f->aligned)
		json_write_int(&w->text, "skew_end", f->skew_end);
	put_rank(w, "first", member(w, c, f->first));
	put_rank(w, "last", member(w, c, f->last));
	json_write_int(&w->text, "late", f->late);
	json_write_int(&w->text, "latency", f->latency);
	if (f->aligned)
		json_write_int(&w->text, "transfer", f->transfer);
	put_figure(w, "share", f->share);
	json_write_text(&w->text, "class", str_of(figures_class_names[f->class]));
	put_figure(w, "algbw", f->algbw);
	put_figure(w, "busbw", f->busbw);
	put_figure(w, "throughput", f->throughput);
	put_figure(w, "imbalance", f->imbalance);
}

static void put_members(struct collective_writer *w, const struct collective *c)
{
	const struct job *j = w->source.job;
	struct str stream, dev;
	size_t i;

	json_write_begin(&w->text, "members", '[');
	for (i = 0; i < c->n; i++) {
		const struct job_kernel *k = member(w, c, i);

		stream = map_key(&j->places, k->place);
		str_split(&stream, '\n', &dev);
		json_write_begin(&w->text, NULL, '{');
		put_identity(w, k);
		if (!(k->flags & JOB_NO_TS))
			json_write_int(&w->text, "ts", k->ts);
		json_write_int(&w->text, "dur", k->dur);
		if (c->n > 1)
			json_write_int(&w->text, "wait", w->figures.wait[i]);
		if (c->key == COLLECTIVE_ORDER || c->key == COLLECTIVE_STREAM)
			json_write_int(&w->text, "shift", k->shift);
		if (dev.n)
			json_write_json(&w->text, "dev", dev);
		if (stream.n)
			json_write_json(&w->text, "stream", stream);
		if (k->flags & JOB_HAS_CORR)
			json_write_int(&w->text, "corr", k->corr);
		json_write_end(&w->text, '}');
	}
	json_write_end(&w->text, ']');
}

void collective_writer_write(struct collective_writer *w, struct out *out)
{
	const struct collectives *all = w->source.collectives;
	const struct collective *c;
	size_t i;

	for (i = 0; i < all->n && !out->error; i++) {
		c = &all->list[w->order[i]];
		figures_compute(&w->figures, &w->source, c, missing_ranks_any(&w->missing, c));
		w->text.n = 0;
		json_write_begin(&w->text, NULL, '{');
		put_standard(w, c, (uint32_t)i);
		put_group(w, c);
		put_match(w, c);
		if (c->n > 1)
			put_figures(w, c);
		put_members(w, c);
		json_write_end(&w->text, '}');
		out_line(out, json_write_str(&w->text));
	}
}

void collective_writer_take_notes(struct collective_writer *w)
{
	const struct collectives *all = w->source.collectives;
	const struct figures *f = &w->figures;
	size_t i, m;

	for (i = 0; i < all->n; i++) {
		const struct collective *c = &all->list[w->order[i]];

		figures_compute(&w->figures, &w->source, c, missing_ranks_any(&w->missing, c));
		find_gid(w, c->group);
		for (m = 0; m < c->n; m++) {
			struct job_kernel *k = &w->source.job->kernels[all->members[c->first + m]];

			k->key = (uint32_t)i;
			k->corr = c->n > 1 && m == f->last;
			k->seq = c->n > 1 ? f->wait[m] : 0;
			k->dur = c->n > 1 ? f->late : 0;
		}
	}
}

struct collective_writer_note collective_writer_note(struct collective_writer *w, size_t kernel)
{
	const struct job_kernel *k = &w->source.job->kernels[kernel];
	const struct collective *c = &w->source.collectives->list[w->order[k->key]];
	const uint32_t gid = find_gid(w, c->group);

	return (struct collective_writer_note){.id = k->key,
	    .gid = gid - 1,
	    .n = c->n,
	    .has_gid = gid > 0,
	    .last = k->corr != 0,
	    .wait = k->seq,
	    .late = k->dur};
}
