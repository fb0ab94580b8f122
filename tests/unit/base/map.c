/* map: all kinds of keys are numbered in the order in which they were added, and views of keys stay valid. */
#include "test.h"

#include "base/map.h"
#include "samples.h"

/* Makes key i. Keys are short or long, differ at their beginnings or ends, and may be larger than a page. */
static struct str key_of(char *room, size_t i)
{
	size_t n = i % 7 == 0 ? 40000 : i % 5 * 9;

	if (i == 0)
		return (struct str){NULL, 0};
	memset(room, 'k', n + 40);
	if (i % 2)
		n = (size_t)snprintf(room, 40, "%zu", i) + n * (i < 100);
	else
		n += (size_t)snprintf(room + n, 40, "%zu", i);
	return (struct str){room, n};
}

void unit_test(void)
{
	static char room[50000];
	enum { N = 3000 };
	static struct str views[N];
	struct map m = {0};
	size_t i;

	CHECK_INT(map_find(&m, STR("a")), MAP_NONE);
	for (i = 0; i < N; i++) {
		CHECK_INT(map_find(&m, key_of(room, i)), MAP_NONE);
		CHECK_INT(map_put(&m, key_of(room, i)), i);
		views[i] = map_key(&m, i);
		CHECK_INT(m.n, i + 1);
	}
	for (i = 0; i < N; i++) {
		CHECK_INT(map_put(&m, key_of(room, i)), i);
		CHECK_INT(map_put(&m, key_of(room, i)), i); /* found as the last key of its length */
		CHECK_INT(map_find(&m, key_of(room, i)), i);
		CHECK(views[i].p == map_key(&m, i).p && str_eq(views[i], key_of(room, i)));
	}
	CHECK_INT(m.n, N);
	CHECK_INT(map_find(&m, STR("no such key")), MAP_NONE);
	map_free(&m);
	CHECK_INT(m.n, 0);
	CHECK_INT(map_put(&m, STR("again")), 0);
	map_free(&m);
}
