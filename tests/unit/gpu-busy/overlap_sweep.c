#include "gpu-busy/overlap_sweep.h"
#include "test.h"

#include <stdlib.h>

enum { A = 1, B = 2, C = 4, D = 8 };

static void by_hand(void)
{
	struct overlap_sweep s = {0};

	CHECK(overlap_sweep_is_idle(&s));
	overlap_sweep_add(&s, 100, 150, 0, 0, 0);
	overlap_sweep_add(&s, 120, 170, 1, 0, 0);
	overlap_sweep_add(&s, 120, 130, 1, 0, 0);
	CHECK(!overlap_sweep_is_idle(&s));
	overlap_sweep_to(&s, 170);
	CHECK(overlap_sweep_is_idle(&s));
	overlap_sweep_add(&s, 200, 210, 2, 0, 0);
	overlap_sweep_add(&s, 200, 190, 3, 0, 0); /* ends before it starts: treated as an interval without length */
	overlap_sweep_to(&s, s.end);
	CHECK_INT(s.first, 100);
	CHECK_INT(s.end, 210);
	CHECK_INT(s.time[0], 30);
	CHECK_INT(s.time[A], 20);
	CHECK_INT(s.time[A | B], 30);
	CHECK_INT(s.time[B], 20);
	CHECK_INT(s.time[C], 10);
	CHECK_INT(s.time[D], 0);
	CHECK_INT(overlap_sweep_union(s.time, A | B | C), 80);
	CHECK_INT(overlap_sweep_union(s.time, B), 50);
	CHECK_INT(overlap_sweep_both(s.time, A, B), 30);
	CHECK_INT(overlap_sweep_only(s.time, B, A), 20);
	CHECK_INT(overlap_sweep_only(s.time, B | C, A), 30);
	overlap_sweep_free(&s);
}

/* An interval without length also moves the end of the sweep. */
static void no_length(void)
{
	struct overlap_sweep s = {0};

	overlap_sweep_add(&s, -5, -5, 0, 0, 0);
	overlap_sweep_add(&s, 5, 5, 0, 0, 0);
	overlap_sweep_to(&s, s.end);
	CHECK_INT(s.first, -5);
	CHECK_INT(s.end, 5);
	CHECK_INT(s.time[0], 10);
	overlap_sweep_free(&s);
}

static void far(void)
{
	struct overlap_sweep s = {0};

	overlap_sweep_add(&s, INT64_MIN, INT64_MIN + 1, 0, 0, 0);
	overlap_sweep_add(&s, INT64_MAX - 1, INT64_MAX, 0, 0, 0);
	overlap_sweep_to(&s, INT64_MAX);
	CHECK_INT(s.time[A], 2);
	CHECK_INT(s.time[0], INT64_MAX);
	overlap_sweep_free(&s);
}

/* Compares random intervals with a count of every nanosecond. */
static void at_random(void)
{
	enum { SPAN = 400, INTERVALS = 60, STREAMS = 5 };
	static unsigned char sets[SPAN];
	static bool runs[SPAN][STREAMS];
	struct overlap_sweep s = {0};
	int64_t want[OVERLAP_SWEEP_SETS] = {0}, want_streams[STREAMS + 1] = {0};
	int i, t, start = 0, end, first = -1, last = 0;
	size_t stream, running;
	unsigned type;

	srand(7);
	for (i = 0; i < INTERVALS; i++) {
		start += rand() % 8;
		end = start + rand() % 30;
		type = (unsigned)rand() % OVERLAP_SWEEP_TYPES;
		stream =
		    i < STREAMS ? (size_t)i : (size_t)rand() % STREAMS; /* each stream begins before the next one */
		overlap_sweep_add(&s, start, end, type, stream, 0);
		if (first < 0)
			first = start;
		if (end > last)
			last = end;
		for (t = start; t < end && t < SPAN; t++) {
			sets[t] |= (unsigned char)(1u << type);
			runs[t][stream] = true;
		}
	}
	overlap_sweep_to(&s, s.end);
	CHECK(last < SPAN);
	for (t = first; t < last; t++) {
		for (stream = running = 0; stream < STREAMS; stream++)
			running += runs[t][stream];
		want[sets[t]]++;
		want_streams[running]++;
	}
	for (i = 0; i < OVERLAP_SWEEP_SETS; i++)
		CHECK_INT(s.time[i], want[i]);
	for (i = 0; i <= STREAMS; i++)
		CHECK_INT(s.stream_time[i], want_streams[i]);
	CHECK_INT(overlap_sweep_streams(&s, 2), last - first - want_streams[0] - want_streams[1]);
	overlap_sweep_clear(&s);
	CHECK_INT(overlap_sweep_streams(&s, 0), 0);
	overlap_sweep_free(&s);
}

/* The load of the device is at most OVERLAP_SWEEP_FULL. */
static void load(void)
{
	struct overlap_sweep s = {0};

	overlap_sweep_add(&s, 0, 40, 0, 0, OVERLAP_SWEEP_FULL / 4);
	overlap_sweep_add(&s, 10, 20, 1, 0, OVERLAP_SWEEP_FULL / 2);
	overlap_sweep_add(&s, 15, 25, 1, 0, OVERLAP_SWEEP_FULL);
	overlap_sweep_to(&s, 50);
	/* quarters: 10 ns of 1, 5 of 3, 10 of 4, 15 of 1 */
	CHECK(s.filled == (uint128)OVERLAP_SWEEP_FULL / 4 * (10 + 15 + 40 + 15));
	overlap_sweep_clear(&s);
	CHECK(s.filled == 0);
	overlap_sweep_free(&s);
}

void unit_test(void)
{
	by_hand();
	no_length();
	far();
	at_random();
	load();
}
