/* Compares host_log with a list of all intervals, with blocks in memory and in the temporary file. */
#include "gpu-gaps/host_log.h"
#include "random_values.h"
#include "test.h"

enum { MANY = 5000 };

static size_t random_below(size_t n)
{
	static uint64_t state = 19;

	return (size_t)(random_bits(&state) >> 33) % n;
}

static struct host_interval all[MANY];
static char names[MANY][32];

/* Makes intervals in the order of their starts; one of 50 is long, and one of 1000 has a long name. */
static void make_intervals(void)
{
	static char long_name[20000];
	int64_t start = -1000;
	size_t i;

	memset(long_name, 'x', sizeof long_name);
	for (i = 0; i < MANY; i++) {
		const int n = snprintf(names[i], sizeof names[i], "\"%zu\"", i);

		start += random_below(3) ? (int64_t)random_below(5) : 0;
		all[i] = (struct host_interval){start, start + 1 + (int64_t)random_below(random_below(50) ? 20 : 3000),
		    (uint32_t)random_below(4), {names[i], (size_t)n}};
		if (i % 1000 == 999)
			all[i].name = (struct str){long_name, sizeof long_name};
	}
}

/* Reads the intervals that end after `from`, of which the first n are in the log. */
static void read_from(struct host_log *l, int64_t from, size_t n)
{
	struct host_log_cursor c;
	struct host_interval v;
	struct fault fault;
	size_t i;

	host_log_seek(l, &c, from);
	for (i = 0; i < n; i++) {
		if (all[i].end <= from)
			continue;
		CHECK_INT(host_log_next(l, &c, &v, &fault), 1);
		CHECK(v.start == all[i].start && v.end == all[i].end && v.scope == all[i].scope &&
		      str_eq(v.name, all[i].name));
	}
	CHECK_INT(host_log_next(l, &c, &v, &fault), 0);
}

static void compare(size_t memory, bool forgets)
{
	struct host_log *l = host_log_new(memory);
	int64_t needed = INT64_MIN;
	struct fault fault;
	size_t i;

	read_from(l, 0, 0);
	for (i = 0; i < MANY; i++) {
		if (forgets && !random_below(20)) {
			const int64_t before = all[i].start - (int64_t)random_below(random_below(10) ? 100 : 5000);

			needed = before > needed ? before : needed;
			host_log_forget(l, needed);
		}
		CHECK(host_log_add(l, &all[i], &fault));
		if (!random_below(20)) {
			const int64_t least = needed > -1000 ? needed : -1000;

			read_from(l, least + (int64_t)random_below((size_t)(all[i].start - least) + 100), i + 1);
		}
	}
	host_log_free(l);
}

void unit_test(void)
{
	const size_t memory[] = {0, 20000, 1 << 20};
	size_t i;

	make_intervals();
	for (i = 0; i < 3; i++) {
		compare(memory[i], false);
		compare(memory[i], true);
	}
}
