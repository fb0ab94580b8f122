#include "coll-join/rank_clocks.h"
#include "random_values.h"
#include "test.h"

#include <stdlib.h>

static uint64_t random_u64(void)
{
	static uint64_t state = 1;

	return random_bits(&state) >> 20;
}

enum { N = 60 };

/*
 * Makes collectives on the true clock: one member waits, the other begins last, and both end within 4 us. Clock j shows
 * t - offset - drift * t / 10^9.
 */
static void make(struct clock_sample *s, size_t n, int64_t offset, int64_t drift)
{
	int64_t t = 1000000000, last;
	size_t i;

	for (i = 0; i < n; i++, t += 5000000) {
		last = t + (int64_t)(random_u64() % 20000);
		s[i].start_i = i % 2 ? t : last;
		s[i].start_j = i % 2 ? last : t;
		s[i].end_i = last + 10000 + (int64_t)(random_u64() % 4000);
		s[i].end_j = last + 10000 + (int64_t)(random_u64() % 4000);
		s[i].start_j -= offset + drift * s[i].start_j / 1000000000;
		s[i].end_j -= offset + drift * s[i].end_j / 1000000000;
	}
}

void unit_test(void)
{
	struct clock_sample s[N], unsorted[N];
	struct rank_clock c = {.base = 0}, again = {.base = 0};
	size_t i;

	make(s, N, 123456789, 0);
	rank_clock_estimate(&c, s, N);
	CHECK(c.ok && c.drift == 0 && c.count == N);
	CHECK(llabs(c.offset - 123456789) < 2000);
	CHECK(c.low <= 123456789 && 123456789 <= c.high && c.high - c.low < 40000);
	CHECK(c.spread < 3000);

	/* The order of the samples makes no difference. */
	for (i = 0; i < N; i++)
		unsorted[i] = s[(i * 7) % N];
	rank_clock_estimate(&again, unsorted, N);
	CHECK(again.offset == c.offset && again.at == c.at && again.low == c.low && again.high == c.high);

	/* A drift of 300 ppm is 90 us in 300 ms. */
	make(s, N, -5000000, 300000);
	rank_clock_estimate(&c, s, N);
	CHECK(c.ok && llabs(c.drift - 300000) < 20000);
	for (i = 0; i < N; i++)
		CHECK(llabs(rank_clock_time(&c, s[i].end_j) - s[i].end_i) < 5000);

	/* A drift that is lost in the scatter is not used. */
	make(s, 8, 1000, 1000);
	rank_clock_estimate(&c, s, 8);
	CHECK(c.ok && c.drift == 0);

	/* One collective 10 ms off: no offset satisfies all bounds. */
	make(s, N, 0, 0);
	s[5].start_j += 10000000;
	s[5].end_j += 10000000;
	rank_clock_estimate(&c, s, N);
	CHECK(!c.ok && c.count == N);

	rank_clock_estimate(&c, s, 0);
	CHECK(!c.ok && c.count == 0);

	/* A given offset is measured, not changed. */
	make(s, N, 700, 0);
	c = (struct rank_clock){.offset = 0};
	rank_clock_measure(&c, s, N);
	CHECK(c.ok && c.offset == 0 && c.count == N && c.low <= 700 && c.high >= 700);

	/* times at the limits of int64 */
	for (i = 0; i < N; i++)
		s[i] = (struct clock_sample){INT64_MIN, INT64_MAX, i % 2 ? INT64_MAX : INT64_MIN, INT64_MAX};
	rank_clock_estimate(&c, s, N);
	CHECK_INT(c.count, N);

	/* Drifts are rounded to the nearest integer, also for times before `at`. */
	c = (struct rank_clock){.drift = 500000000, .at = 10};
	CHECK_INT(rank_clock_time(&c, 13), 15);
	CHECK_INT(rank_clock_time(&c, 12), 13);
	CHECK_INT(rank_clock_time(&c, 8), 7);
	CHECK_INT(rank_clock_time(&c, 5), 3);
}
