#include "coll-join/order_match.h"
#include "random_values.h"
#include "test.h"

static uint64_t random_u64(void)
{
	static uint64_t state = 1;

	return random_bits(&state) >> 20;
}

enum { N = 200, LONG = 20000 };

/* A program with irregular gaps; every fifth communication has another fingerprint. */
static void make(struct order_item *list, size_t n)
{
	int64_t t = 1000000;
	size_t i;

	for (i = 0; i < n; i++) {
		t += 200000 + (int64_t)(random_u64() % 2000000);
		list[i] = (struct order_item){
		    .start = t, .end = t + 30000, .fingerprint = i % 5 == 4, .position = (int32_t)i};
	}
}

/* Copies list[from..to) with another clock and with scattered ends; leaves out list[without]. Returns the number. */
static size_t copy(
    struct order_item *own, const struct order_item *list, size_t from, size_t to, size_t without, int64_t offset)
{
	size_t i, n = 0;

	for (i = from; i < to; i++) {
		if (i == without)
			continue;
		own[n] = list[i];
		own[n].start -= offset + (int64_t)(random_u64() % 15000);
		own[n++].end -= offset + (int64_t)(random_u64() % 4000);
	}
	return n;
}

/*
 * Long sequences are compared in samples: another window, another clock, and kernels that are missing in each quarter.
 */
static void check_long(void)
{
	static struct order_item list[LONG], own[LONG];
	struct order_pairs m = {.to = NULL};
	size_t n, i, right = 0;

	make(list, LONG);
	n = copy(own, list, 700, LONG, LONG, -3000000000);
	for (i = 1; i < 5; i++, n--)
		memmove(own + i * 4000, own + i * 4000 + 1, (n - i * 4000 - 1) * sizeof *own);
	CHECK(order_match_sequences(&m, list, LONG, own, n, (struct order_clock){false, 0}));
	for (i = 0; i < n; i++)
		right += m.to[i] == i + 700 + (i >= 4000) + (i >= 8000) + (i >= 12000) + (i >= 16000);
	CHECK_INT(right, n);
	CHECK(m.offset >= -3000000000 && m.offset < -2999996000 && !m.ambiguous);
	/* `own` has the later kernels: the shift is negative */
	CHECK(order_match_sequences(&m, list + 900, LONG - 900, list, LONG, (struct order_clock){false, 0}));
	CHECK(m.shift == 0 && m.to[899] == ORDER_UNMATCHED && m.to[900] == 0 && m.to[LONG - 1] == LONG - 901);
	/* other kernels */
	make(own, LONG);
	CHECK(!order_match_sequences(&m, list, LONG, own, LONG, (struct order_clock){false, 0}));
	order_pairs_free(&m);
}

void unit_test(void)
{
	const struct order_clock unknown = {false, 0}, wrong = {true, 900000000};
	struct order_item list[N], own[N], same[20];
	struct order_pairs m = {.to = NULL};
	size_t n, i, right;

	make(list, N);

	/* another window, a clock that is 5 s off, and a kernel that is missing */
	n = copy(own, list, 40, N, 100, 5000000000);
	CHECK(order_match_sequences(&m, list, N, own, n, unknown));
	for (i = right = 0; i < n; i++)
		right += m.to[i] == i + 40 + (i >= 60);
	CHECK_INT(right, n);
	CHECK(m.shift == 40 || m.shift == 41);
	CHECK(m.offset >= 5000000000 && m.offset < 5000004000 && !m.ambiguous);
	/* A clock that contradicts all shifts is not used. */
	CHECK(order_match_sequences(&m, list, N, own, n, wrong));
	CHECK(m.to[0] == 40);

	/* `own` begins before the reference and has a kernel that the reference lacks */
	n = copy(own, list, 0, 150, N, -77);
	for (i = 120; i + 1 < N; i++)
		list[i] = list[i + 1];
	CHECK(order_match_sequences(&m, list + 30, N - 31, own, n, unknown));
	for (i = right = 0; i < n; i++)
		right += m.to[i] == (i < 30 || i == 120 ? ORDER_UNMATCHED : i - 30 - (i > 120));
	CHECK_INT(right, n);

	/* other kernels: no order fits */
	make(own, N);
	CHECK(!order_match_sequences(&m, list, N - 1, own, 100, unknown));
	/* other fingerprints at the same times */
	n = copy(own, list, 0, 50, N, 0);
	for (i = 0; i < n; i++)
		own[i].fingerprint = 9;
	CHECK(!order_match_sequences(&m, list, N - 1, own, n, unknown));

	/* With equal gaps every shift fits equally: the clocks decide, and the match is ambiguous. */
	for (i = 0; i < 20; i++)
		same[i] = (struct order_item){
		    .start = (int64_t)i * 1000000, .end = (int64_t)i * 1000000 + 100, .position = (int32_t)i};
	n = copy(own, same, 3, 18, N, 0);
	CHECK(order_match_sequences(&m, same, 20, own, n, unknown));
	CHECK(m.shift == 3 && m.ambiguous);

	/* more shifts with equal scores than are tried */
	for (i = 0; i < N; i++)
		list[i] = (struct order_item){
		    .start = (int64_t)i * 1000000, .end = (int64_t)i * 1000000 + 100, .position = (int32_t)i};
	CHECK(order_match_sequences(&m, list, N, list, N, unknown));
	CHECK(m.shift == 0 && m.ambiguous && m.to[N - 1] == N - 1);
	make(list, N);

	/* one pair: the intervals must overlap */
	own[0] = same[0];
	CHECK(order_match_sequences(&m, same, 1, own, 1, unknown));
	own[0].start += 1000;
	own[0].end += 1000;
	CHECK(!order_match_sequences(&m, same, 1, own, 1, unknown));

	/* An operation that does not synchronise may end early on one rank. */
	n = copy(own, list, 0, 100, N, 0);
	for (i = 0; i < n; i++)
		list[i].loose = own[i].loose = true;
	own[50].end -= 150000;
	CHECK(order_match_sequences(&m, list, N - 1, own, n, unknown));
	CHECK_INT(m.to[50], 50);

	/* ends at the limits of int64 */
	for (i = 0; i < 20; i++)
		own[i] = (struct order_item){.start = INT64_MIN, .end = i % 2 ? INT64_MAX : INT64_MIN};
	CHECK(!order_match_sequences(&m, list, N - 1, own, 20, unknown));
	order_pairs_free(&m);
	check_long();
}
