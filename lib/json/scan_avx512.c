/*
 * scan_avx512: the kernel for AVX-512; it classifies all 64 bytes of a block at once, and squeezes with the compress
 * instruction.
 */
#include "json/scan_private.h"

#if defined(__x86_64__)
#include "json/scan_x86.h"

BEGIN_TARGET(AVX512_TARGET)

#define EQUAL(v, c) _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c))

static inline void classify_frame(const char *p, struct scan_frame *f)
{
	__m512i v = _mm512_loadu_si512((const void *)p);
	__m512i folded = _mm512_or_si512(v, _mm512_set1_epi8(0x20));
	__mmask64 newline = EQUAL(v, '\n');

	f->quote = EQUAL(v, '"');
	f->open = EQUAL(folded, '{');
	f->close = EQUAL(folded, '}');
	f->newline = newline;
	/* In a comparison of signed bytes, control characters are less than a space, and so are bytes over 127. */
	f->odd = _kor_mask64(_kandn_mask64(newline, _mm512_cmplt_epi8_mask(v, _mm512_set1_epi8(' '))), EQUAL(v, '\\'));
}

static inline void classify_odd(const char *p, struct scan_oddities *o)
{
	__m512i v = _mm512_loadu_si512((const void *)p);

	o->backslash = EQUAL(v, '\\');
	o->control = _mm512_cmplt_epu8_mask(v, _mm512_set1_epi8(0x20));
	o->high = _mm512_movepi8_mask(v);
}

static inline void classify_rest(const char *p, struct scan_masks *m)
{
	const __m512i spaces =
	    _mm512_broadcast_i32x4(_mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0));
	const __m512i marks =
	    _mm512_broadcast_i32x4(_mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0));
	__m512i v = _mm512_loadu_si512((const void *)p);

	m->bracket = EQUAL(v, '[');
	m->bracket_end = EQUAL(v, ']');
	m->colon = EQUAL(v, ':');
	m->comma = EQUAL(v, ',');
	/*
	 * The low four bits of a byte select an entry of the table; only white-space bytes are equal to their entry.
	 * The table `marks` works in the same way.
	 */
	m->space = _mm512_cmpeq_epi8_mask(v, _mm512_shuffle_epi8(spaces, v));
	m->digit = _mm512_cmple_epu8_mask(_mm512_sub_epi8(v, _mm512_set1_epi8('0')), _mm512_set1_epi8(9));
	m->zero = EQUAL(v, '0');
	m->nine = EQUAL(v, '9');
	m->structural = _mm512_mask_cmpeq_epi8_mask(_mm512_cmpgt_epi8_mask(v, _mm512_set1_epi8(0x1f)),
	    _mm512_or_si512(v, _mm512_set1_epi8(0x20)), _mm512_shuffle_epi8(marks, v));
	m->dot = EQUAL(v, '.');
	m->minus = EQUAL(v, '-');
}

#undef EQUAL

static inline char *squeeze_block(char *to, const char *p, uint64_t keep)
{
	_mm512_storeu_si512(to, _mm512_maskz_compress_epi8(keep, _mm512_loadu_si512((const void *)p)));
	return to + __builtin_popcountll(keep);
}

static inline char *shape_bytes(char *to, const char *p, uint64_t keep, uint64_t digits)
{
	__m512i v = _mm512_mask_mov_epi8(_mm512_loadu_si512((const void *)p), digits, _mm512_set1_epi8('0'));

	_mm512_storeu_si512(to, _mm512_maskz_compress_epi8(keep, v));
	return to + __builtin_popcountll(keep);
}

#define KERNEL(name) avx512_##name
#include "json/scan_kernel.h"

END_TARGET

const struct scan_kernel *scan_kernel_avx512(void)
{
	bool has = scan_kernel_avx2() && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
		   __builtin_cpu_supports("avx512vbmi2");

	return has ? &avx512_kernel : NULL;
}

#else

const struct scan_kernel *scan_kernel_avx512(void)
{
	return NULL;
}

#endif
