#include "json/scan_private.h"

#include <stdlib.h>

static const struct scan_kernel *chosen;

/*
 * Returns the kernel of the given name, or the fastest kernel if the name is empty. Returns NULL when this machine does
 * not support the kernel.
 */
static const struct scan_kernel *find(struct str name)
{
	const struct scan_kernel *avx2 = scan_kernel_avx2(), *avx512 = scan_kernel_avx512();

	if (str_eq(name, STR("avx512")) || (!name.n && avx512))
		return avx512;
	if (str_eq(name, STR("avx2")) || (!name.n && avx2))
		return avx2;
	return !name.n || str_eq(name, STR("scalar")) ? scan_kernel_scalar() : NULL;
}

bool scan_choose(void)
{
	const char *name = getenv("TRACEFILTERS_SIMD");
	const struct scan_kernel *named = find(name ? str_of(name) : STR(""));

	chosen = named ? named : find(STR(""));
	return named != NULL;
}

static inline const struct scan_kernel *kernel(void)
{
	if (!chosen)
		scan_choose();
	return chosen;
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
