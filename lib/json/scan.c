#include "json/scan.h"

#include <stdlib.h>

/* The functions of scan.h for one instruction set. */
struct scan_kernel {
	size_t (*run)(struct scan *s, const char *p, size_t n, struct scan_unit *units, size_t max);
	size_t (*clean)(struct str text);
	struct scan_squeezed (*squeeze)(char *to, struct str text);
	size_t (*skip)(struct str text);
	size_t (*quote)(struct str text);
	size_t (*shape)(char *to, size_t max, struct str text);
	size_t (*find)(struct str text, const char four[4]);
};

/* Lines nested deeper than this are not clean: they need json_check(), which determines their depth exactly. */
enum { DEEP = 512 };

/* See scan_kernel.h: a bad byte adds 1 << BAD to the sum of a line, which has less than 2^31 brackets. */
enum { BAD = 32 };

/* A mask of the lowest n bits. */
#define BELOW(n) ((n) >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << (n)) - 1)

/* Copies the bytes in `keep`, run by run. A copy has 64 bytes; the next one overwrites those after the run. */
static inline char *squeeze_runs(char *to, const char *p, uint64_t keep)
{
	unsigned from, n;

	if (keep == ~(uint64_t)0) {
		memcpy(to, p, 64);
		return to + 64;
	}
	while (keep) {
		from = (unsigned)__builtin_ctzll(keep);
		n = (unsigned)__builtin_ctzll(~(keep >> from));
		memcpy(to, p + from, 64);
		to += n;
		if (from + n >= 64)
			break;
		keep &= ~(uint64_t)0 << (from + n);
	}
	return to;
}

/*
 * Prevents a compiler from computing with masks in vector registers, where each operation takes four times as long.
 * This matters because scan_shape() combines masks in a long chain of dependent operations.
 */
#define GENERAL_REGISTERS(a, b, c, d) __asm__("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d))

/* Appends the bytes in `keep`, with each digit replaced by 0. */
static inline char *shape_loop(char *to, const char *p, uint64_t keep, uint64_t digits)
{
	unsigned i;

	for (; keep; keep &= keep - 1) {
		i = (unsigned)__builtin_ctzll(keep);
		*to++ = digits >> i & 1 ? '0' : p[i];
	}
	return to;
}

/*
 * --- the scalar kernel, for any machine: it compares eight bytes at a time ---
 *
 * Each kernel defines KERNEL(name) and functions under such names, which work on a block: the 64 bytes at p. These
 * return masks with bit i for p[i]: `equal`, the bytes that are c; `folded`, the bytes that are c when their bit 5 is
 * set ('{' and '[' differ only in this bit, and so do '}' and ']'); `digits`, '0' to '9'; `high`, the bytes over 127;
 * `low_or_high`, these and the control characters; `special`, these and backslashes. Bit i of `prefix_xor` is the xor
 * of the bits 0 .. i of m. `odd` is not 0 if there is a special byte other than newline. squeeze_block and shape_bytes
 * are like squeeze_runs() and shape_loop(). scan_kernel.h defines the rest of the kernel.
 */

#define KERNEL(name) scalar_##name

#define ONES 0x0101010101010101u
#define HIGH (ONES * 0x80)

static inline uint64_t load_eight(const char *p)
{
	uint64_t v;

	memcpy(&v, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}

/* Returns the highest bits of the bytes b with (b ^ c) <= most; most < 128. */
static inline uint64_t near_eight(uint64_t v, unsigned c, unsigned most)
{
	v ^= ONES * c;
	return ~(v | ((v & ~HIGH) + ONES * (127 - most))) & HIGH;
}

static inline uint64_t near_block(const char *p, unsigned set, unsigned c, unsigned most)
{
	uint64_t mask = 0;
	unsigned i;

	/* The multiplication moves the highest bit of byte k to bit 56 + k. */
	for (i = 0; i < 64; i += 8)
		mask |= ((near_eight(load_eight(p + i) | ONES * set, c, most) >> 7) * 0x0102040810204080u >> 56) << i;
	return mask;
}

static inline uint64_t KERNEL(equal)(const char *p, char c)
{
	return near_block(p, 0, (unsigned char)c, 0);
}

static inline uint64_t KERNEL(folded)(const char *p, char c)
{
	return near_block(p, 0x20, (unsigned char)c, 0);
}

static inline uint64_t KERNEL(digits)(const char *p)
{
	return near_block(p, 0, '0', 9);
}

static inline uint64_t KERNEL(high)(const char *p)
{
	return ~near_block(p, 0, 0, 0x7f);
}

static inline uint64_t KERNEL(low_or_high)(const char *p)
{
	return near_block(p, 0, 0, 0x1f) | KERNEL(high)(p);
}

static inline uint64_t KERNEL(special)(const char *p)
{
	return KERNEL(low_or_high)(p) | KERNEL(equal)(p, '\\');
}

static inline uint64_t KERNEL(odd)(const char *p)
{
	uint64_t odd = 0, v;
	unsigned i;

	for (i = 0; i < 64; i += 8) {
		v = load_eight(p + i);
		odd |= v | (near_eight(v, 0, 0x1f) & ~near_eight(v, '\n', 0)) | near_eight(v, '\\', 0);
	}
	return odd & HIGH;
}

static inline uint64_t KERNEL(prefix_xor)(uint64_t m)
{
	unsigned n;

	for (n = 1; n < 64; n *= 2)
		m ^= m << n;
	return m;
}

#define scalar_squeeze_block squeeze_runs
#define scalar_shape_bytes shape_loop
#include "json/scan_kernel.h"
#undef KERNEL

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2_TARGET "avx2,bmi,bmi2,lzcnt,popcnt,pclmul"
#define AVX512_TARGET AVX2_TARGET ",avx512f,avx512bw,avx512vl,avx512vbmi2"

/* Code between BEGIN_TARGET(set) and END_TARGET is compiled for the instruction set `set`. */
#define PRAGMA(text) _Pragma(#text)
#ifdef __clang__
#define BEGIN_TARGET(set) PRAGMA(clang attribute push(__attribute__((target(set))), apply_to = function))
#define END_TARGET PRAGMA(clang attribute pop)
#else
#define BEGIN_TARGET(set) PRAGMA(GCC push_options) PRAGMA(GCC target(set))
#define END_TARGET PRAGMA(GCC pop_options)
#endif

/* --- the kernel for AVX2: it compares two halves of 32 bytes --- */

#define KERNEL(name) avx2_##name

BEGIN_TARGET(AVX2_TARGET)

struct halves {
	__m256i low, high;
};

static inline struct halves halves_of(const char *p)
{
	return (struct halves){_mm256_loadu_si256((const __m256i *)(const void *)p),
	    _mm256_loadu_si256((const __m256i *)(const void *)(p + 32))};
}

static inline uint64_t high_bits(struct halves v)
{
	return (uint64_t)(uint32_t)_mm256_movemask_epi8(v.high) << 32 | (uint32_t)_mm256_movemask_epi8(v.low);
}

static inline uint64_t equal_halves(struct halves a, struct halves b)
{
	return high_bits((struct halves){_mm256_cmpeq_epi8(a.low, b.low), _mm256_cmpeq_epi8(a.high, b.high)});
}

static inline uint64_t KERNEL(equal)(const char *p, char c)
{
	const __m256i all = _mm256_set1_epi8(c);

	return equal_halves(halves_of(p), (struct halves){all, all});
}

static inline uint64_t KERNEL(folded)(const char *p, char c)
{
	const __m256i all = _mm256_set1_epi8(c), bit = _mm256_set1_epi8(' ');
	const struct halves v = halves_of(p);

	return equal_halves(
	    (struct halves){_mm256_or_si256(v.low, bit), _mm256_or_si256(v.high, bit)}, (struct halves){all, all});
}

static inline uint64_t KERNEL(digits)(const char *p)
{
	const __m256i zero = _mm256_set1_epi8('0'), nine = _mm256_set1_epi8(9);
	const struct halves v = halves_of(p);
	const struct halves x = {_mm256_xor_si256(v.low, zero), _mm256_xor_si256(v.high, zero)};

	/* For unsigned bytes, x <= 9 is the same as min(x, 9) == x. */
	return equal_halves((struct halves){_mm256_min_epu8(x.low, nine), _mm256_min_epu8(x.high, nine)}, x);
}

static inline uint64_t KERNEL(high)(const char *p)
{
	return high_bits(halves_of(p));
}

/* Control characters and bytes over 127 are negative after a saturating subtraction of a space. */
static inline struct halves less_than_space(struct halves v)
{
	const __m256i space = _mm256_set1_epi8(' ');

	return (struct halves){_mm256_subs_epi8(v.low, space), _mm256_subs_epi8(v.high, space)};
}

static inline uint64_t KERNEL(low_or_high)(const char *p)
{
	return high_bits(less_than_space(halves_of(p)));
}

static inline uint64_t KERNEL(special)(const char *p)
{
	const __m256i backslash = _mm256_set1_epi8('\\');
	const struct halves v = halves_of(p), low = less_than_space(v);

	return high_bits((struct halves){_mm256_or_si256(low.low, _mm256_cmpeq_epi8(v.low, backslash)),
	    _mm256_or_si256(low.high, _mm256_cmpeq_epi8(v.high, backslash))});
}

/* Sets the highest bits of odd bytes; `low` is less_than_space() of the same bytes. */
static inline __m256i odd_bytes(__m256i v, __m256i low)
{
	__m256i backslash = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\'));

	return _mm256_or_si256(_mm256_andnot_si256(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('\n')), low), backslash);
}

static inline uint64_t KERNEL(odd)(const char *p)
{
	const struct halves v = halves_of(p), low = less_than_space(v);

	return (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(odd_bytes(v.low, low.low), odd_bytes(v.high, low.high)));
}

/* A carry-less multiplication by all ones. */
static inline uint64_t KERNEL(prefix_xor)(uint64_t m)
{
	return (uint64_t)_mm_cvtsi128_si64(
	    _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)m), _mm_set1_epi8((char)0xff), 0));
}

#define avx2_squeeze_block squeeze_runs
#define avx2_shape_bytes shape_loop
#include "json/scan_kernel.h"

END_TARGET
#undef KERNEL

/* --- the kernel for AVX-512: it compares all 64 bytes at once, and squeezes with the compress instruction --- */

#define KERNEL(name) avx512_##name
#define avx512_prefix_xor avx2_prefix_xor

BEGIN_TARGET(AVX512_TARGET)

static inline uint64_t KERNEL(equal)(const char *p, char c)
{
	return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512((const void *)p), _mm512_set1_epi8(c));
}

static inline uint64_t KERNEL(folded)(const char *p, char c)
{
	__m512i v = _mm512_or_si512(_mm512_loadu_si512((const void *)p), _mm512_set1_epi8(0x20));

	return _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c));
}

static inline uint64_t KERNEL(digits)(const char *p)
{
	__m512i v = _mm512_xor_si512(_mm512_loadu_si512((const void *)p), _mm512_set1_epi8('0'));

	return _mm512_cmple_epu8_mask(v, _mm512_set1_epi8(9));
}

static inline uint64_t KERNEL(high)(const char *p)
{
	return _mm512_movepi8_mask(_mm512_loadu_si512((const void *)p));
}

/* In a comparison of signed bytes, control characters are less than a space, and so are bytes over 127. */
static inline uint64_t KERNEL(low_or_high)(const char *p)
{
	return _mm512_cmplt_epi8_mask(_mm512_loadu_si512((const void *)p), _mm512_set1_epi8(' '));
}

static inline uint64_t KERNEL(special)(const char *p)
{
	return KERNEL(low_or_high)(p) | KERNEL(equal)(p, '\\');
}

static inline uint64_t KERNEL(odd)(const char *p)
{
	__m512i v = _mm512_loadu_si512((const void *)p);

	return _kor_mask64(_kandn_mask64(_mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\n')),
			       _mm512_cmplt_epi8_mask(v, _mm512_set1_epi8(' '))),
	    _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\\')));
}

static inline char *KERNEL(squeeze_block)(char *to, const char *p, uint64_t keep)
{
	_mm512_storeu_si512(to, _mm512_maskz_compress_epi8(keep, _mm512_loadu_si512((const void *)p)));
	return to + __builtin_popcountll(keep);
}

static inline char *KERNEL(shape_bytes)(char *to, const char *p, uint64_t keep, uint64_t digits)
{
	__m512i v = _mm512_mask_mov_epi8(_mm512_loadu_si512((const void *)p), digits, _mm512_set1_epi8('0'));

	_mm512_storeu_si512(to, _mm512_maskz_compress_epi8(keep, v));
	return to + __builtin_popcountll(keep);
}

#include "json/scan_kernel.h"

END_TARGET
#endif

/* --- the choice of the kernel --- */

static const struct scan_kernel *chosen;

/* Returns the kernel of that name, the fastest one for an empty name; NULL when this machine does not support it. */
static const struct scan_kernel *find(struct str name)
{
#if defined(__x86_64__)
	const bool avx2 =
	    __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul");
	const bool avx512 = avx2 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
			    __builtin_cpu_supports("avx512vbmi2");

	if (avx512 && (!name.n || str_eq(name, STR("avx512"))))
		return &avx512_kernel;
	if (avx2 && (!name.n || str_eq(name, STR("avx2"))))
		return &avx2_kernel;
#endif
	return !name.n || str_eq(name, STR("scalar")) ? &scalar_kernel : NULL;
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

void scan_append(struct buf *b, struct str json)
{
	char *to = buf_room(b, json.n + SCAN_PAD);

	json = str_trim(json);
	if (json.n && (json.p[0] == '{' || json.p[0] == '['))
		b->n += scan_squeeze(to, json).n;
	else
		b->n = (size_t)(str_copy(to, json) - b->p);
}

size_t scan_skip(struct str s)
{
	return kernel()->skip(s);
}

size_t scan_quote(struct str s)
{
	return kernel()->quote(s);
}

size_t scan_find(struct str s, const char four[4])
{
	return kernel()->find(s, four);
}

size_t scan_shape(char *to, size_t max, struct str unit)
{
	return kernel()->shape(to, max, unit);
}
