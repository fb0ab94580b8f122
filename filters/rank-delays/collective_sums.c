#include "collective_sums.h"

#include "base/order.h"
#include "base/select.h"
#include "base/word_table.h"
#include "json/iter_inline.h"
#include "json/string.h"
#include "json/value.h"
#include "json/write.h"
#include "record/record_line.h"

#include <stdlib.h>

enum { SMALL = 64 << 10 }; /* the bandwidth of messages up to this size is not shown */

struct collective_sum {
	struct str name, what, dtype;
	int64_t bytes, size; /* -1 if unknown */
	int64_t dur, wait;   /* of all members */
	size_t n, n_bandwidths;
	int64_t *latency; /* of each collective */
	double *bandwidth;
	size_t latency_cap, bandwidth_cap;
};

#define COLLECTIVE_WORD(id, name) {#name, sizeof #name - 1},
static const struct str member_words[] = {COLLECTIVE_MEMBERS(COLLECTIVE_WORD)};
static struct word_table member_table = {.list = member_words, .n = COLLECTIVE_N};

void collective_record_read(struct collective_record *c, struct event *e)
{
	struct str key, value;
	struct iter w;
	size_t i;

	*c = (struct collective_record){.name = event_get(e, EVENT_NAME)};
	event_iter_init(&w, e);
	while (iter_quick(&w, &key, &value) > 0) {
		i = key.n ? word_table_find(&member_table, key, word_table_head(key.p, key.n)) : COLLECTIVE_N;
		if (i < COLLECTIVE_N)
			c->m[i] = value;
	}
}

static struct str plain(struct str json)
{
	return json_is_string(json) ? json_inner(json) : (struct str){NULL, 0};
}

/* Returns the kind of a group: world, or its description; empty if it is unknown. */
static struct str kind_of_group(const struct rank_table *t, const struct collective_record *r, int64_t size)
{
	const struct str text = plain(r->m[COLLECTIVE_DESC]);
	const int64_t all = t->world ? t->world : (int64_t)t->n;

	if (!str_eq(r->name, STR("\"sendrecv\"")) && (size >= all || str_eq(text, STR("default_pg"))))
		return STR("world");
	return str_eq(text, STR("undefined")) ? (struct str){NULL, 0} : text;
}

static struct collective_sum *put_sum(
    struct collective_sums *c, const struct rank_table *t, const struct collective_record *r)
{
	struct collective_sum s = {.bytes = -1, .size = -1};
	size_t i;

	value_integer(r->m[COLLECTIVE_BYTES], &s.bytes);
	value_integer(r->m[COLLECTIVE_SIZE], &s.size);
	s.name = plain(r->name);
	s.what = kind_of_group(t, r, s.size);
	s.dtype = plain(r->m[COLLECTIVE_DTYPE]);
	/* The key is JSON, so that the end of a value cannot be taken for the beginning of the next one. */
	c->key.n = 0;
	json_write_text(&c->key, NULL, s.name);
	json_write_text(&c->key, NULL, s.what);
	json_write_text(&c->key, NULL, s.dtype);
	json_write_int(&c->key, NULL, s.bytes);
	json_write_int(&c->key, NULL, s.size);
	i = map_put(&c->keys, buf_str(&c->key));
	if (i == c->n) {
		s.name = map_key(&c->texts, map_put(&c->texts, s.name));
		s.what = map_key(&c->texts, map_put(&c->texts, s.what));
		s.dtype = map_key(&c->texts, map_put(&c->texts, s.dtype));
		c->list = mem_grow(c->list, &c->cap, i + 1, sizeof *c->list);
		c->list[c->n++] = s;
	}
	return &c->list[i];
}

static void count_last(struct collective_sums *c, size_t row, int64_t rank)
{
	const int64_t key[] = {(int64_t)row, rank};
	const size_t i = map_put(&c->last, STR_BYTES(key));

	c->last_counts = mem_grow_zero(c->last_counts, &c->last_cap, i + 1, sizeof *c->last_counts);
	c->last_counts[i]++;
}

void collective_sums_add(
    struct collective_sums *c, const struct rank_table *t, const struct collective_record *r, int64_t dur, int64_t wait)
{
	struct collective_sum *s = put_sum(c, t, r);
	struct value bandwidth;
	int64_t latency, last;

	if (!value_integer(r->m[COLLECTIVE_LATENCY], &latency))
		return;
	s->dur = int_add(s->dur, dur);
	s->wait = int_add(s->wait, wait);
	s->latency = mem_grow(s->latency, &s->latency_cap, s->n + 1, sizeof *s->latency);
	s->latency[s->n++] = latency;
	value_of(&bandwidth, r->m[COLLECTIVE_BUSBW]);
	if (bandwidth.type == VALUE_REAL || bandwidth.type == VALUE_INT) {
		s->bandwidth = mem_grow(s->bandwidth, &s->bandwidth_cap, s->n_bandwidths + 1, sizeof *s->bandwidth);
		s->bandwidth[s->n_bandwidths++] = bandwidth.d;
	}
	if (value_integer(r->m[COLLECTIVE_LAST], &last))
		count_last(c, (size_t)(s - c->list), last);
}

/* Returns the rank that came last most often; of several, the lowest. */
static int64_t most_often_last(const struct collective_sums *c, size_t row)
{
	uint64_t most = 0;
	int64_t key[2], rank = -1;
	size_t i;

	for (i = 0; i < c->last.n; i++) {
		memcpy(key, map_key(&c->last, i).p, sizeof key);
		if (key[0] != (int64_t)row ||
		    (c->last_counts[i] < most || (c->last_counts[i] == most && key[1] > rank)))
			continue;
		most = c->last_counts[i];
		rank = key[1];
	}
	return rank;
}

static void put_known(struct buf *b, const char *key, struct str text)
{
	if (text.n)
		json_write_text(b, key, text);
}

static void put_bandwidth(struct buf *b, const struct collective_sum *s)
{
	const size_t n = s->n_bandwidths;

	if (!n)
		return;
	qsort(s->bandwidth, n, sizeof *s->bandwidth, order_doubles);
	json_write_double(b, "busbw_p50", (s->bandwidth[(n - 1) / 2] + s->bandwidth[n / 2]) / 2);
	json_write_double(b, "busbw_min", s->bandwidth[0]);
	json_write_bool(b, "large", s->bytes > SMALL);
}

static int compare_durations(const void *arg, size_t a, size_t b)
{
	const struct collective_sum *list = arg;

	return int_compare(list[b].dur, list[a].dur);
}

void collective_sums_write(struct collective_sums *c, const struct rank_table *t, struct out *out)
{
	size_t *order = order_sort(c->n, compare_durations, c->list), i;
	const size_t cells = t->n_traces * t->n_steps;
	const struct collective_sum *s;
	struct buf b = {0};
	struct select_pair middle;

	for (i = 0; i < c->n; i++) {
		s = &c->list[order[i]];
		record_line_begin(&b, "rank-delays/collective");
		json_write_text(&b, "name", s->name);
		put_known(&b, "group", s->what);
		put_known(&b, "dtype", s->dtype);
		if (s->bytes >= 0)
			json_write_int(&b, "bytes", s->bytes);
		if (s->size >= 0)
			json_write_int(&b, "size", s->size);
		json_write_int(&b, "count", (int64_t)s->n);
		json_write_int(&b, "total", s->dur);
		json_write_int(&b, "wait", s->wait);
		json_write_int(&b, "per_step", rank_table_mean(s->dur, cells));
		json_write_int(&b, "wait_step", rank_table_mean(s->wait, cells));
		if (s->dur > 0)
			json_write_double(&b, "share", (double)s->wait / (double)s->dur);
		middle = select_pair(s->latency, s->n, (s->n - 1) / 2);
		json_write_double(&b, "latency_p50",
		    s->n % 2 ? (double)middle.value : ((double)middle.value + (double)middle.next) / 2);
		put_bandwidth(&b, s);
		json_write_int(&b, "last", most_often_last(c, order[i]));
		record_line_end(&b, out);
	}
	free(order);
	buf_free(&b);
}

void collective_sums_free(struct collective_sums *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		mem_free(c->list[i].latency, c->list[i].bandwidth);
	mem_free(c->list, c->last_counts);
	maps_free(&c->keys, &c->texts, &c->last);
	buf_free(&c->key);
}
