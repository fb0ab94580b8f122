/* scan_units: the units that each kernel finds, compared with slow_scan.h. */
#include "json/scan.h"

#include "scan_texts.h"
#include "slow_scan.h"
#include "test.h"

static bool same_units(const struct scan_unit *a, const struct scan_unit *b, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (a[i].end != b[i].end || a[i].clean != b[i].clean)
			return false;
	}
	return true;
}

/* Finds the units of s, which is passed in pieces of up to `step` bytes. Scanned bytes are dropped at random times. */
static size_t run_in_pieces(struct str s, enum scan_mode mode, size_t step, size_t most, struct scan_unit *to)
{
	static char window[MOST + SCAN_PAD];
	struct scan_unit units[320];
	size_t have = 0, base = 0, found = 0, n, i, drop;
	struct scan scan;

	scan_init(&scan, mode);
	do {
		n = step ? 1 + random_below(step) : s.n;
		have = s.n - have > n ? have + n : s.n;
		memcpy(window, s.p + base, have - base);
		memset(window + have - base, '"', SCAN_PAD);
		while ((n = scan_run(&scan, window, have - base, units, most)) > 0) {
			for (i = 0; i < n; i++, found++)
				to[found] = (struct scan_unit){units[i].end + base, units[i].clean};
		}
		if (random_below(2)) {
			drop = random_below(4) ? scan.at : random_below(scan.at + 1);
			scan_drop(&scan, drop);
			base += drop;
		}
	} while (have < s.n);
	return found;
}

static void compare_units(struct str s)
{
	static const size_t steps[] = {0, 1, 5, 63, 64, 65, 200, 1000};
	static struct scan_unit got[MOST + 1];
	enum scan_mode mode;
	size_t i, n, want_n;

	for (mode = SCAN_LINES; mode <= SCAN_VALUES; mode++) {
		struct scan_unit *want = slow_units(s, mode, &want_n);

		for (i = 0; i < 2; i++) {
			n = run_in_pieces(s, mode, steps[random_below(sizeof steps / sizeof *steps)],
			    SCAN_UNITS_LEAST + random_below(100), got);
			SAME(s, n == want_n && same_units(got, want, n));
		}
		free(want);
	}
}

static void test_deep(void)
{
	static char text[8192];
	size_t n;

	for (n = 1; n < 3000; n += 1 + n / 30) {
		memset(text, '[', n);
		memset(text + n, ']', n);
		compare_units(place((struct str){text, 2 * n}, 0));
	}
}

static void test_kernel(void)
{
	compare_texts(compare_units);
	test_deep();
}

void unit_test(void)
{
	static const char quoted[3 + SCAN_PAD] = "ab\"";

	for_kernels(test_kernel);
	setenv("TRACEFILTERS_SIMD", "sse9", 1);
	CHECK(!scan_choose());
	CHECK_INT(scan_quote((struct str){quoted, 3}), 2);
	unsetenv("TRACEFILTERS_SIMD");
	CHECK(scan_choose());
}
