/* fuzz target: the scanner agrees with slow_scan.h (see fuzz.h; TRACEFILTERS_SIMD selects a variant of the scanner). */
#include "fuzz.h"

#include "samples.h"
#include "slow_scan.h"

static void try_units(struct str s, enum scan_mode mode)
{
	size_t n, want_n, i = 0, have = 0, j;
	struct scan_unit found[SCAN_UNITS_LEAST], *want = slow_units(s, mode, &want_n);
	struct scan scan;

	scan_init(&scan, mode);
	do {
		have += s.n - have > 37 ? 37 : s.n - have;
		while ((n = scan_run(&scan, s.p, have, found, SCAN_UNITS_LEAST)) > 0) {
			for (j = 0; j < n; j++, i++)
				HOLD(i < want_n && found[j].end == want[i].end && found[j].clean == want[i].clean);
		}
	} while (have < s.n);
	HOLD(i == want_n);
	free(want);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str s = padded_copy((struct str){(const char *)data, size});
	char *got = mem_alloc(size + 64), *want = mem_alloc(size);
	struct str value = str_head(s, slow_value_end(s));
	struct scan_squeezed r;

	try_units(s, SCAN_LINES);
	try_units(s, SCAN_VALUES);
	r = scan_squeeze(got, s);
	HOLD(r.n == slow_squeeze(want, value) && r.used == value.n);
	HOLD(memcmp(got, want, r.n) == 0);
	if (slow_framed(s))
		HOLD(r.clean == scan_clean(s));
	HOLD(r.clean == (slow_framed(value) && slow_clean(value)));
	if (size && slow_is_open(*s.p))
		HOLD(scan_skip(s) == slow_skip(s));
	HOLD(scan_quote(s) == slow_quote(s));
	free(got);
	free(want);
	free((char *)s.p);
	return 0;
}
