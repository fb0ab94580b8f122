/*
 * call_table: tests which calls are found for a record, how long calls are stored, and which of their fields are
 * stored.
 */
#include "corr-join/call_table.h"
#include "test.h"

static const struct str none = {NULL, 0};

/* Returns the name of the call that is found, "-" for none, "?" for ambiguous. */
static struct str found(const struct call_table *c, uint32_t who, int64_t corr)
{
	struct call_table_found f;
	int64_t ts = 0;

	switch (call_table_find(c, who, corr, &ts, &f)) {
	case CALL_TABLE_ONE:
		return call_table_name(c, f.call);
	case CALL_TABLE_AMBIGUOUS:
		return STR("?");
	case CALL_TABLE_NONE:
		break;
	}
	return STR("-");
}

static struct stored_call *add(struct call_table *c, uint32_t who, int64_t corr, const char *name, int64_t ts)
{
	const struct stored_call call = {.who = who & CALL_PLACES_MOST, .corr = corr, .has_ts = true, .ts = ts};

	return call_table_add(c, &call, str_of(name), str_of(name));
}

static void test_who(void)
{
	struct call_places places = {0};
	struct call_table *c = call_table_new(&places, 0, 0);
	uint32_t one = call_places_put(&places, none, STR("1"), STR("8"));
	uint32_t two = call_places_put(&places, none, STR("2"), STR("8"));
	uint32_t anyone = call_places_put(&places, none, none, none);
	uint32_t ranked = call_places_put(&places, STR("0"), none, none);
	struct stored_call *call;

	CHECK_STR(found(c, one, 1), "-");
	call = add(c, one, 1, "a", 0);
	call->blind = true;
	CHECK_STR(found(c, one, 1), "a");
	CHECK_STR(found(c, call_places_put(&places, none, STR("1"), none), 1), "a");
	CHECK_STR(found(c, anyone, 1), "a");
	CHECK_STR(found(c, two, 1), "-");
	CHECK_STR(found(c, ranked, 1), "-");
	CHECK_STR(found(c, one, 2), "-");
	CHECK(!call_table_collide(c, anyone));
	add(c, two, 1, "b", 0);
	CHECK(call_table_collide(c, anyone));
	CHECK(!call_table_collide(c, ranked));
	CHECK_INT(call_table_counts(c)->late, 1);
	CHECK_STR(found(c, anyone, 1), "?");
	CHECK_STR(found(c, one, 1), "a");
	CHECK_STR(found(c, two, 1), "b");
	add(c, one, 1, "again", 0)->joined = true;
	CHECK_INT(call_table_counts(c)->duplicates, 1);
	CHECK_STR(found(c, one, 1), "again");
	CHECK_INT(call_table_idle(c), 2);
	call_table_free(c);
	call_places_free(&places);
}

/* Stores ids far apart and close together, in four ranks, and finds all of them. */
static void test_many(void)
{
	enum { N = 20000 };
	struct call_places places = {0};
	struct call_table *c = call_table_new(&places, 0, 0);
	uint32_t who[4];
	struct call_table_found f;
	int64_t i, wrong = 0;

	for (i = 0; i < 4; i++)
		who[i] = call_places_put(&places, str_of(&"0\0001\0002\0003"[i * 2]), STR("1"), none);
	for (i = 0; i < N; i++)
		add(c, who[i % 4], i % 3 ? i / 4 : i * 4096, "x", i);
	for (i = 0; i < N; i++) {
		if (call_table_find(c, who[i % 4], i % 3 ? i / 4 : i * 4096, &i, &f) != CALL_TABLE_ONE ||
		    f.call->ts % 4 != i % 4)
			wrong++;
	}
	CHECK_INT(wrong, 0);
	CHECK_INT(call_table_idle(c), N);
	call_table_free(c);
	call_places_free(&places);
}

static void test_age(void)
{
	enum { N = 50000, HORIZON = 3000 };
	struct call_places places = {0};
	struct call_table *c = call_table_new(&places, HORIZON, 0);
	uint32_t who = call_places_put(&places, none, none, none);
	struct call_table_found f;
	char name[32];
	struct stored_call *call;
	int64_t i, wrong = 0;

	for (i = 0; i < N; i++) {
		int64_t ts = i - N / 2;

		call_table_age(c, ts);
		snprintf(name, sizeof name, "n%d", (int)(i % 10));
		call = add(c, who, i % 7 ? i : -i, name, ts);
		call->joined = i % 2;
		wrong += !str_eq(call_table_attachments(c, call), str_of(name));
		if (i > HORIZON && i % 7) {
			int64_t old = i - HORIZON;

			wrong += call_table_find(c, who, old % 7 ? old : -old, &ts, &f) != CALL_TABLE_ONE ||
				 f.call->ts != ts - HORIZON;
			snprintf(name, sizeof name, "n%d", (int)(old % 10));
			wrong += !str_eq(call_table_attachments(c, f.call), str_of(name));
			wrong += call_table_find(c, who, (old - 1) % 7 ? old - 1 : 1 - old, &ts, &f) != CALL_TABLE_NONE;
		}
	}
	CHECK_INT(wrong, 0);
	CHECK_INT(call_table_idle(c), N / 2);
	call_table_age(c, INT64_MAX);
	CHECK_INT(call_table_idle(c), N / 2);
	CHECK_STR(found(c, who, N - 1), "-");
	call_table_free(c);
	call_places_free(&places);
}

/* Many calls of one id, in any order, some at one ts, compared with a search through all of them. */
static void test_nearest(void)
{
	enum { N = 2000, TIMES = 700 };
	static struct {
		int64_t ts;
		bool has_ts;
	} all[N];
	struct call_places places = {0};
	struct call_table *c = call_table_new(&places, 0, 0);
	uint32_t who = call_places_put(&places, none, none, none);
	struct call_table_found f;
	int64_t i, k, best, wrong = 0;

	for (i = 0; i < N; i++) {
		all[i].ts = i * i * 7919 % TIMES;
		all[i].has_ts = i % 11 != 0;
		call_table_add(c,
		    &(struct stored_call){
			.who = who & CALL_PLACES_MOST, .corr = 5, .dur = i, .has_ts = all[i].has_ts, .ts = all[i].ts},
		    none, none);
		for (k = i % 13; k < TIMES; k += 97) {
			int64_t at;

			/*
			 * Of equally near calls, take the last one that is not after k; if all are after k, take the
			 * first one.
			 */
			for (best = -1, at = 0; at <= i; at++) {
				if (!all[at].has_ts)
					continue;
				if (best < 0 ||
				    call_table_distance(all[at].ts, k) < call_table_distance(all[best].ts, k) ||
				    (call_table_distance(all[at].ts, k) == call_table_distance(all[best].ts, k) &&
					all[at].ts <= k))
					best = at;
			}
			wrong += call_table_find(c, who, 5, &k, &f) != CALL_TABLE_ONE ||
				 f.call->dur != (best < 0 ? i : best);
		}
		wrong += call_table_find(c, who, 5, NULL, &f) != CALL_TABLE_ONE || f.call->dur != i;
	}
	CHECK_INT(wrong, 0);
	CHECK_INT(call_table_counts(c)->duplicates, N - 1);
	call_table_free(c);
	call_places_free(&places);
}

/*
 * Many processes use one id, in tables whose calls age out and in others, compared with a search through all calls. The
 * first call that is found without a pid becomes `blind`.
 */
static void test_shared(uint64_t horizon, uint64_t lead)
{
	enum { N = 3000, PROCESSES = 40 };
	static struct {
		uint32_t process;
		bool blind;
	} all[N];
	struct call_places places = {0};
	struct call_table *c = call_table_new(&places, horizon, lead);
	const int64_t kept = horizon ? (int64_t)(horizon + lead) : N, near = horizon ? (int64_t)horizon : N;
	uint32_t who[PROCESSES], anyone = call_places_put(&places, none, none, none);
	struct call_table_found f;
	uint64_t late = 0, repeated = 0;
	int64_t i, k, last[PROCESSES], newest, others, wrong = 0;
	char pid[32];

	for (i = 0; i < PROCESSES; i++) {
		snprintf(pid, sizeof pid, "%d", (int)i);
		who[i] = call_places_put(&places, none, str_of(pid), none);
		last[i] = -1;
	}
	for (i = 0; i < N; i++) {
		const uint32_t p = (uint32_t)(i < 20 ? 3 : i * i * 7919 % PROCESSES);
		bool is_late = false;

		if (horizon)
			call_table_age(c, i);
		for (k = 0; k < PROCESSES; k++)
			is_late |= k != p && last[k] >= 0 && i - last[k] <= kept && all[last[k]].blind;
		late += is_late;
		repeated += last[p] >= 0 && i - last[p] <= kept;
		all[i].process = p;
		all[i].blind = last[p] >= 0 && i - last[p] <= kept && all[last[p]].blind;
		last[p] = i;
		call_table_add(c,
		    &(struct stored_call){
			.who = who[p] & CALL_PLACES_MOST, .corr = 5, .dur = i, .has_ts = true, .ts = i},
		    none, none);
		newest = -1;
		others = 0;
		for (k = 0; k < PROCESSES; k++) {
			bool found = last[k] >= 0 && i - last[k] <= near;

			wrong += call_table_find(c, who[k], 5, &i, &f) != (found ? CALL_TABLE_ONE : CALL_TABLE_NONE);
			wrong += found && f.call->dur != last[k];
			others += found;
			newest = found && last[k] > newest ? last[k] : newest;
		}
		wrong += call_table_find(c, anyone, 5, &i, &f) != (others > 1 ? CALL_TABLE_AMBIGUOUS : CALL_TABLE_ONE);
		wrong += others == 1 && f.call->dur != newest;
		if (i == 10)
			f.key->blind = all[i].blind = true;
	}
	CHECK_INT(wrong, 0);
	CHECK_INT(call_table_counts(c)->late, late);
	CHECK(late > 0);
	CHECK_INT(call_table_counts(c)->duplicates, repeated);
	call_table_free(c);
	call_places_free(&places);
}

void unit_test(void)
{
	test_shared(0, 0);
	test_shared(30, 0);
	test_shared(300, 40);
	test_nearest();
	test_who();
	test_many();
	test_age();
}
