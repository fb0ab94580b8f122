/*
 * places: equal values get the same number, however they are written; the values of a place can be looked up by its
 * number.
 */
#include "record/places.h"

#include "test.h"

static const struct str none;

static void test_values(void)
{
	struct places p = {0};
	struct str a[] = {STR("0"), STR("7"), STR("\"main\"")}, b[] = {none, STR("7"), STR("\"\\u006dain\"")};
	size_t thread = places_put(&p, a, places_scope_values(PLACES_THREAD)), process, rank;

	process = places_put(&p, a, places_scope_values(PLACES_PROCESS));
	rank = places_put(&p, a, places_scope_values(PLACES_ANY));
	CHECK_INT(thread, 0);
	CHECK_INT(process, 1);
	CHECK_INT(rank, 2);
	CHECK_INT(p.n, 3);
	CHECK_INT(places_put(&p, b, 3), 3);
	CHECK(!places_value(&p, 3, 0).p);
	CHECK_STR(places_value(&p, 3, 1), "7");
	CHECK_STR(places_value(&p, 3, 2), "\"main\"");
	b[0] = STR("0");
	CHECK_INT(places_put(&p, b, 3), thread);
	b[2] = none;
	CHECK_INT(places_put(&p, b, 3), 4);
	CHECK_INT(places_put(&p, b, 2), process);
	b[2] = STR("\"\"");
	CHECK_INT(places_put(&p, b, 3), 5);
	/* The values are compared one by one, not as joined text. */
	CHECK_INT(places_put(&p, (struct str[]){STR("1"), STR("23")}, 2), 6);
	CHECK_INT(places_put(&p, (struct str[]){STR("12"), STR("3")}, 2), 7);
	CHECK_STR(places_value(&p, rank, 0), "0");
	/* Numbers are compared by value, and a text is not a number. */
	CHECK_INT(places_put(&p, (struct str[]){STR("12.0"), STR("-3e0")}, 2), 8);
	CHECK_INT(places_put(&p, (struct str[]){STR("12"), STR("-3")}, 2), 8);
	CHECK_INT(places_put(&p, (struct str[]){STR("\"12\""), STR("-3")}, 2), 9);
	CHECK_STR(places_value(&p, 8, 1), "-3");
	CHECK_INT(places_put(&p, (struct str[]){STR("0"), STR("-170141183460469231731687303715884105729")}, 2), 10);
	CHECK_INT(places_put(&p, (struct str[]){STR("-0"), STR("-170141183460469231731687303715884105728")}, 2), 11);
	CHECK_INT(places_put(&p, (struct str[]){STR("0.0"), STR("-170141183460469231731687303715884105729")}, 2), 10);
	places_free(&p);
	CHECK_INT(p.n, 0);
}

/* Counts the places that the first n members define for four records (of two ranks, two devices and two streams). */
static size_t count_places(size_t n)
{
	static const char *const records[][3] = {{NULL, "0", "7"}, {NULL, "0", "8"}, {NULL, "1", "7"}, {"1", "1", "7"}};
	struct places p = {.members = {EVENT_RANK, EVENT_DEV, EVENT_STREAM}, .n_members = n};
	struct event e;
	size_t i, j, at = 0;

	for (i = 0; i < 4; i++) {
		event_clear(&e);
		for (j = 0; j < 3; j++) {
			if (records[i][j])
				event_set(&e, p.members[j], str_of(records[i][j]));
		}
		at = places_put_event(&p, &e);
	}
	CHECK_INT(at, p.n - 1);
	event_clear(&e);
	places_set(&p, at, &e);
	CHECK_STR(event_get(&e, EVENT_RANK), "1");
	CHECK(!event_get(&e, EVENT_DEV).p == (n < 2));
	CHECK(!event_get(&e, EVENT_STREAM).p == (n < 3));
	event_clear(&e);
	places_set(&p, 0, &e);
	CHECK(!event_get(&e, EVENT_RANK).p);
	places_free(&p);
	return at + 1;
}

void unit_test(void)
{
	test_values();
	CHECK_INT(count_places(1), 2);
	CHECK_INT(count_places(2), 3);
	CHECK_INT(count_places(3), 4);
}
