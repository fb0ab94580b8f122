#include "overlap_sweep.h"

#include "base/heap.h"
#include "base/mem.h"
#include "base/int_math.h"

#include <string.h>

struct overlap_sweep_interval {
	int64_t end;
	size_t stream;
	uint32_t type, load;
};

static void advance(struct overlap_sweep *s, int64_t ts)
{
	const int64_t passed = int_sub(ts, s->at);
	unsigned set = 0, type;

	for (type = 0; type < OVERLAP_SWEEP_TYPES; type++)
		set |= (unsigned)(s->running[type] > 0) << type;
	s->time[set] = int_add(s->time[set], passed);
	s->stream_time[s->streams_running] = int_add(s->stream_time[s->streams_running], passed);
	if (s->load)
		s->filled += (uint128)(s->load < OVERLAP_SWEEP_FULL ? s->load : OVERLAP_SWEEP_FULL) * (uint64_t)passed;
	s->at = ts;
}

static bool ends_before(const void *a, const void *b)
{
	const struct overlap_sweep_interval *x = a, *y = b;

	return x->end < y->end;
}

void overlap_sweep_to(struct overlap_sweep *s, int64_t ts)
{
	while (s->n && s->open[0].end <= ts) {
		advance(s, s->open[0].end);
		s->running[s->open[0].type]--;
		s->load -= s->open[0].load;
		if (--s->stream_running[s->open[0].stream] == 0)
			s->streams_running--;
		s->open[0] = s->open[--s->n];
		heap_sift_down(s->open, s->n, sizeof *s->open, ends_before);
	}
	if (s->any)
		advance(s, ts);
}

void overlap_sweep_add(struct overlap_sweep *s, int64_t start, int64_t end, unsigned type, size_t stream, uint32_t load)
{
	if (stream == s->streams) {
		s->streams++;
		s->stream_running =
		    mem_grow_zero(s->stream_running, &s->stream_cap, s->streams, sizeof *s->stream_running);
		s->stream_time =
		    mem_grow_zero(s->stream_time, &s->stream_time_cap, s->streams + 1, sizeof *s->stream_time);
	}
	if (!s->any) {
		s->any = true;
		s->first = s->at = s->end = start;
	}
	overlap_sweep_to(s, start);
	s->end = end > s->end ? end : s->end;
	if (end <= start)
		return;
	s->open = mem_grow(s->open, &s->cap, s->n + 1, sizeof *s->open);
	s->open[s->n++] = (struct overlap_sweep_interval){end, stream, type, load};
	heap_sift_up(s->open, s->n, sizeof *s->open, ends_before);
	s->running[type]++;
	s->load += load;
	if (s->stream_running[stream]++ == 0)
		s->streams_running++;
}

int64_t overlap_sweep_union(const int64_t time[OVERLAP_SWEEP_SETS], unsigned any)
{
	return overlap_sweep_both(time, any, any);
}

int64_t overlap_sweep_both(const int64_t time[OVERLAP_SWEEP_SETS], unsigned a, unsigned b)
{
	int64_t sum = 0;
	unsigned set;

	for (set = 0; set < OVERLAP_SWEEP_SETS; set++) {
		if (set & a && set & b)
			sum = int_add(sum, time[set]);
	}
	return sum;
}

int64_t overlap_sweep_only(const int64_t time[OVERLAP_SWEEP_SETS], unsigned any, unsigned without)
{
	int64_t sum = 0;
	unsigned set;

	for (set = 0; set < OVERLAP_SWEEP_SETS; set++) {
		if (set & any && !(set & without))
			sum = int_add(sum, time[set]);
	}
	return sum;
}

int64_t overlap_sweep_streams(const struct overlap_sweep *s, size_t min)
{
	int64_t sum = 0;
	size_t n;

	for (n = min; n <= s->streams; n++)
		sum = int_add(sum, s->stream_time[n]);
	return sum;
}

void overlap_sweep_clear(struct overlap_sweep *s)
{
	memset(s->time, 0, sizeof s->time);
	s->filled = 0;
	if (s->any)
		memset(s->stream_time, 0, (s->streams + 1) * sizeof *s->stream_time);
}

void overlap_sweep_free(struct overlap_sweep *s)
{
	mem_free(s->stream_time, s->stream_running, s->open);
	*s = (struct overlap_sweep){0};
}
