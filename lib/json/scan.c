#include "json/scan_private.h"

#include "base/err.h"

#include <stdlib.h>

static const struct scan_kernel *chosen;

static const struct scan_kernel *choose(void)
{
	const struct scan_kernel *best = scan_kernel_scalar();
	const struct scan_kernel *avx2 = scan_kernel_avx2(), *avx512 = scan_kernel_avx512();
	const char *env = getenv("TRACEFILTERS_SIMD");
	struct str want = env ? str_of(env) : STR("");

	if (!str_eq(want, STR("")) && !str_eq(want, STR("scalar")) && !(str_eq(want, STR("avx2")) && avx2) &&
	    !(str_eq(want, STR("avx512")) && avx512))
		die("TRACEFILTERS_SIMD=%.*s: %s (this machine has scalar%s%s)", STR_FMT(want),
		    str_eq(want, STR("avx2")) || str_eq(want, STR("avx512")) ? "this machine lacks it" : "no such kernel",
		    avx2 ? ", avx2" : "", avx512 ? ", avx512" : "");
	if (avx2 && !str_eq(want, STR("scalar")))
		best = avx2;
	if (avx512 && (!want.n || str_eq(want, STR("avx512"))))
		best = avx512;
	chosen = best;
	return best;
}

static inline const struct scan_kernel *kernel(void)
{
	return chosen ? chosen : choose();
}

void scan_init(struct scan *s, enum scan_mode mode)
{
	*s = (struct scan){.mode = mode};
}

size_t scan_run(struct scan *s, const char *p, size_t n, struct scan_unit *units, size_t max)
{
	return kernel()->run(s, p, n, units, max);
}

void scan_drop(struct scan *s, size_t n)
{
	s->at -= n;
	s->end = s->end > n ? s->end - n : 0;
}

bool scan_clean(struct str s)
{
	s = str_trim(s);
	return s.n && kernel()->clean(s) == s.n;
}

struct scan_squeezed scan_squeeze(char *to, struct str s)
{
	return kernel()->squeeze(to, s);
}

size_t scan_skip(struct str s)
{
	return kernel()->skip(s);
}

size_t scan_quote(struct str s)
{
	return kernel()->quote(s);
}

size_t scan_shape(char *to, size_t max, struct str unit)
{
	return kernel()->shape(to, max, unit);
}
