/* scan_avx2: the kernel for AVX2; it classifies a block as two halves of 32 bytes. */
#include "json/scan_private.h"

#if defined(__x86_64__)
#include "json/scan_x86.h"

BEGIN_TARGET(AVX2_TARGET)

static inline uint64_t pair_of(__m256i low, __m256i high)
{
	return (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32 | (uint32_t)_mm256_movemask_epi8(low);
}

#define EQUAL(c) pair_of(_mm256_cmpeq_epi8(low, _mm256_set1_epi8(c)), _mm256_cmpeq_epi8(high, _mm256_set1_epi8(c)))
/* for unsigned bytes, a <= most is the same as min(a, most) == a */
#define AT_MOST(a, b, most)                                                                                            \
	pair_of(_mm256_cmpeq_epi8(_mm256_min_epu8(a, _mm256_set1_epi8(most)), a),                                      \
	    _mm256_cmpeq_epi8(_mm256_min_epu8(b, _mm256_set1_epi8(most)), b))

/*
 * Returns a vector in which the bytes that are odd (see struct scan_frame) are not 0. In a comparison of signed bytes,
 * control characters are less than a space, and so are bytes over 127.
 */
static inline __m256i odd_bytes(__m256i v)
{
	__m256i low = _mm256_cmpgt_epi8(_mm256_set1_epi8(' '), v);
	__m256i backslash = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\'));

	return _mm256_or_si256(_mm256_andnot_si256(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('\n')), low), backslash);
}

static inline void classify_frame(const char *p, struct scan_frame *f)
{
	__m256i low = _mm256_loadu_si256((const __m256i *)(const void *)p);
	__m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
	__m256i odd = _mm256_or_si256(odd_bytes(low), odd_bytes(high));

	f->quote = EQUAL('"');
	f->newline = EQUAL('\n');
	f->odd = (uint64_t)!_mm256_testz_si256(odd, odd);
	/* '{' and '[' differ only in bit 5, and so do '}' and ']'. */
	low = _mm256_or_si256(low, _mm256_set1_epi8(0x20));
	high = _mm256_or_si256(high, _mm256_set1_epi8(0x20));
	f->open = EQUAL('{');
	f->close = EQUAL('}');
}

static inline void classify_odd(const char *p, struct scan_oddities *o)
{
	__m256i low = _mm256_loadu_si256((const __m256i *)(const void *)p);
	__m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));

	o->backslash = EQUAL('\\');
	o->control = AT_MOST(low, high, 0x1f);
	o->high = pair_of(low, high);
}

static inline void classify_rest(const char *p, struct scan_masks *m)
{
	__m256i low = _mm256_loadu_si256((const __m256i *)(const void *)p);
	__m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));

	m->bracket = EQUAL('[');
	m->bracket_end = EQUAL(']');
	m->colon = EQUAL(':');
	m->comma = EQUAL(',');
	m->space = EQUAL(' ') | EQUAL('\n') | EQUAL('\t') | EQUAL('\r');
	m->zero = EQUAL('0');
	m->nine = EQUAL('9');
	m->structural = EQUAL(':') | EQUAL(',') | EQUAL('[') | EQUAL(']') | EQUAL('{') | EQUAL('}');
	m->dot = EQUAL('.');
	m->minus = EQUAL('-');
	low = _mm256_sub_epi8(low, _mm256_set1_epi8('0'));
	high = _mm256_sub_epi8(high, _mm256_set1_epi8('0'));
	m->digit = AT_MOST(low, high, 9);
}

#undef EQUAL
#undef AT_MOST

#define KERNEL(name) avx2_##name
#define squeeze_block squeeze_runs
#define shape_bytes shape_loop
#include "json/scan_kernel.h"

END_TARGET

const struct scan_kernel *scan_kernel_avx2(void)
{
	bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul");

	return has ? &avx2_kernel : NULL;
}

#else

const struct scan_kernel *scan_kernel_avx2(void)
{
	return NULL;
}

#endif
