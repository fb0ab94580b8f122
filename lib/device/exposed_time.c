#include "device/exposed_time.h"

#include "base/heap.h"
#include "base/num_parse.h"
#include "json/scan.h"
#include "json/write.h"
#include "record/event_attach.h"
#include "record/value_ids.h"

#include <stdlib.h>

/* A communication kernel. */
struct exposed_kernel {
	int64_t start, end, stream;
	uint64_t seq;
	size_t group; /* without a field, the index of its record in `held` */
};

/* A record that waits until its time is divided. */
struct exposed_held {
	struct buf record, pieces; /* pieces: the parts of its time that count for it: ,start,end ... */
	int64_t start, exposed;    /* start of the record; sum of the parts */
	int64_t last;              /* end of the last part */
	bool used;
};

struct exposed_place {
	int64_t at;            /* the time up to here is divided */
	int64_t compute_until; /* the latest end of all computation so far */
	int64_t exposed;
	struct exposed_kernel *running; /* a heap; the top is the kernel to which time counts; others may have ended */
	size_t n, cap;
	size_t most; /* when n reaches this number, kernels that have ended are removed */
};

/* A value of the field in a place. */
struct exposed_group {
	size_t place, value;
	uint64_t count;
	int64_t time;
};

struct exposed_time {
	struct places devices;
	struct field *key;
	bool pieces;
	struct out *out;
	struct exposed_place *places; /* indexed by place */
	size_t n, cap;
	struct value_ids values;
	struct map group_ids; /* maps a pair of place and value to its group */
	struct exposed_group *groups;
	size_t groups_cap;
	struct exposed_held *held; /* without a field */
	size_t n_held, held_cap;
	uint64_t seq;
	struct buf attachments;
};

struct exposed_time *exposed_time_new(const struct places *devices, struct field *key, bool pieces, struct out *out)
{
	struct exposed_time *x = mem_alloc(sizeof *x);

	*x = (struct exposed_time){.devices = *devices, .key = key, .pieces = pieces, .out = out};
	return x;
}

void exposed_time_free(struct exposed_time *x)
{
	size_t i;

	for (i = 0; i < x->n; i++)
		free(x->places[i].running);
	for (i = 0; i < x->n_held; i++)
		bufs_free(&x->held[i].record, &x->held[i].pieces);
	mem_free(x->held, x->places, x->groups);
	places_free(&x->devices);
	value_ids_free(&x->values);
	map_free(&x->group_ids);
	buf_free(&x->attachments);
	free(x);
}

/* --- records with the parts of their time, without a field --- */

/* Stores a record; returns its index in `held`. */
static size_t hold(struct exposed_time *x, const struct event *e)
{
	struct exposed_held *h;
	size_t i;

	for (i = 0; i < x->n_held && x->held[i].used; i++)
		;
	if (i == x->n_held) {
		x->held = mem_grow_zero(x->held, &x->held_cap, i + 1, sizeof *x->held);
		x->n_held++;
	}
	h = &x->held[i];
	h->record.n = h->pieces.n = 0;
	buf_add(&h->record, e->raw.p, e->raw.n);
	scan_pad(&h->record);
	h->start = h->last = e->ts;
	h->exposed = 0;
	h->used = true;
	return i;
}

/* Adds the part of a record from `start` to `end`. Parts that touch become one. */
static void add_piece(struct exposed_held *h, int64_t start, int64_t end)
{
	const bool touches = h->pieces.n && start == h->last;

	h->last = end;
	if (touches) { /* remove the end of the last part */
		while (h->pieces.p[--h->pieces.n] != ',')
			;
	} else {
		json_write_int(&h->pieces, NULL, int_sub(start, h->start));
	}
	json_write_int(&h->pieces, NULL, int_sub(end, h->start));
}

/* Writes a record whose time is divided. With `pieces`, a record that counts as a whole is unchanged. */
static void release(struct exposed_time *x, const struct exposed_kernel *k)
{
	struct exposed_held *h = &x->held[k->group];
	struct event e;

	if (x->key)
		return;
	event_clear(&e);
	e.raw = buf_str(&h->record);
	x->attachments.n = 0;
	if (!x->pieces) {
		json_write_int(&x->attachments, "exposed", h->exposed);
	} else if (h->exposed < int_sub(k->end, k->start)) {
		json_write_begin(&x->attachments, "exposed", '[');
		if (h->pieces.n)
			buf_add(&x->attachments, h->pieces.p + 1, h->pieces.n - 1);
		json_write_end(&x->attachments, ']');
	}
	scan_pad(&x->attachments);
	event_attach_write(x->out, &e, buf_str(&x->attachments));
	h->used = false;
}

/* --- the kernels that run --- */

static bool comes_first(const void *a, const void *b)
{
	const struct exposed_kernel *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start;
	if (x->stream != y->stream)
		return x->stream < y->stream;
	return x->seq < y->seq;
}

static void push(struct exposed_place *p, const struct exposed_kernel *k)
{
	p->running = mem_grow(p->running, &p->cap, p->n + 1, sizeof *p->running);
	p->running[p->n++] = *k;
	heap_sift_up(p->running, p->n, sizeof *p->running, comes_first);
}

/* Removes all kernels that have ended. */
static void purge(struct exposed_time *x, struct exposed_place *p)
{
	const size_t n = p->n;
	size_t i;

	for (i = p->n = 0; i < n; i++) {
		const struct exposed_kernel k = p->running[i];

		if (k.end > p->at)
			push(p, &k);
		else
			release(x, &k);
	}
	p->most = 2 * p->n + 16;
}

/* Divides the time of a place up to `to`; no work starts before `to`. */
static void divide_to(struct exposed_time *x, struct exposed_place *p, int64_t to)
{
	while (p->n && p->at < to) {
		const struct exposed_kernel *first = &p->running[0];
		const int64_t end = first->end < to ? first->end : to;
		const int64_t start = p->at > p->compute_until ? p->at : p->compute_until;

		if (end > start) {
			int64_t *time = x->key ? &x->groups[first->group].time : &x->held[first->group].exposed;

			*time = int_add(*time, int_sub(end, start));
			p->exposed = int_add(p->exposed, int_sub(end, start));
			if (x->pieces)
				add_piece(&x->held[first->group], start, end);
		}
		if (end > p->at)
			p->at = end;
		if (first->end <= p->at) {
			release(x, first);
			p->running[0] = p->running[--p->n];
			heap_sift_down(p->running, p->n, sizeof *p->running, comes_first);
		}
	}
	p->at = to;
}

/* --- adding --- */

static size_t find_group(struct exposed_time *x, size_t place, struct event *e)
{
	struct value v;
	size_t pair[2] = {place, 0}, group;

	field_get(x->key, e, 0, &v);
	pair[1] = value_ids_put(&x->values, v.type == VALUE_NONE ? (struct str){NULL, 0} : v.text);
	group = map_put(&x->group_ids, (struct str){(const char *)pair, sizeof pair});
	x->groups = mem_grow_zero(x->groups, &x->groups_cap, group + 1, sizeof *x->groups);
	x->groups[group].place = place;
	x->groups[group].value = pair[1];
	return group;
}

void exposed_time_add(struct exposed_time *x, struct event *e, enum work_type type)
{
	const size_t place = places_put_event(&x->devices, e);
	struct exposed_kernel k = {.start = e->ts, .end = event_end(e), .stream = INT64_MAX, .seq = x->seq++};
	struct exposed_place *p;
	struct str args;

	if (place == x->n) {
		x->places = mem_grow(x->places, &x->cap, x->n + 1, sizeof *x->places);
		x->places[x->n++] = (struct exposed_place){.at = e->ts, .compute_until = INT64_MIN};
	}
	p = &x->places[place];
	divide_to(x, p, e->ts);
	if (type == WORK_COMPUTE && k.end > p->compute_until)
		p->compute_until = k.end;
	if (type != WORK_COMM) { /* its args may be those of a collective, although its name is not */
		args = event_get(e, EVENT_ARGS);
		if (!x->key && args.p && iter_may_find(args, "Col"))
			event_copy(x->out, e);
		return;
	}
	if (num_whole(event_get(e, EVENT_STREAM), &k.stream) != NUM_OK)
		k.stream = INT64_MAX;
	if (x->key) {
		k.group = find_group(x, place, e);
		x->groups[k.group].count++;
	} else {
		k.group = hold(x, e);
	}
	if (p->n >= p->most)
		purge(x, p);
	push(p, &k);
}

/* --- end of input --- */

static void write_group(struct exposed_time *x, const struct exposed_group *g)
{
	const struct str value = value_ids_text(&x->values, g->value);
	const enum event_member member = event_member(str_of(x->key->spec));
	const int64_t exposed = x->places[g->place].exposed;
	struct event e;

	event_clear(&e);
	event_set_dur(&e, g->time);
	event_set(&e, EVENT_KIND, STR("\"gpu-exposed\""));
	places_set(&x->devices, g->place, &e);
	if (value.n && member != EVENT_N)
		event_set(&e, member, value);
	else if (value.n) {
		json_write_name(&x->attachments, str_of(x->key->spec));
		buf_add(&x->attachments, value.p, value.n);
	}
	json_write_int(&x->attachments, "count", (int64_t)g->count);
	if (exposed > 0)
		json_write_double(&x->attachments, "share", (double)g->time / (double)exposed);
	event_write_attached(x->out, &e, &x->attachments);
}

void exposed_time_write(struct exposed_time *x)
{
	size_t place, i;

	for (place = 0; place < x->n; place++) {
		divide_to(x, &x->places[place], INT64_MAX);
		for (i = 0; i < x->group_ids.n; i++) {
			if (x->groups[i].place == place)
				write_group(x, &x->groups[i]);
		}
	}
}
