#include "json/scan.h"

#include "base/err.h"

#include <stdlib.h>

/* The classes of 64 bytes, one bit a byte: what finding the ends of values takes, ... */
struct frame {
	uint64_t quote, open, close, newline;
	uint64_t odd; /* not 0: there is a backslash, a control character but newline, or a byte over 127 */
};

/* ... which is seldom; ... */
struct oddities {
	uint64_t backslash, control, high; /* control: with newline */
};

/* ... and what else it takes to check what stands between them. */
struct masks {
	uint64_t bracket, bracket_end, colon, comma, space, digit, zero, nine, dot, minus;
	uint64_t structural; /* brackets, colons, commas */
};

struct kernel {
	size_t (*run)(struct scan *s, const char *p, size_t n, struct scan_unit *units, size_t max);
	size_t (*clean)(struct str text);
	struct scan_squeezed (*squeeze)(char *to, struct str text);
	size_t (*skip)(struct str text);
	size_t (*quote)(struct str text);
	size_t (*shape)(char *to, size_t max, struct str text);
};

/* Deeper than this json_check counts exactly. */
enum { DEEP = 512 };

/* The lowest n bits. */
#define BELOW(n) ((n) >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << (n)) - 1)

/* Copies the runs of bytes that are kept; each copy is 64 bytes wide, and the next one overwrites the excess. */
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
 * Keeps a compiler from computing with masks in vector registers, where each operation takes four times as long: the
 * masks of a shape are combined in a long chain.
 */
#define GENERAL_REGISTERS(a, b, c, d) __asm__("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d))

/* Appends the bytes that are kept, each digit as a 0. */
static inline char *shape_loop(char *to, const char *p, uint64_t keep, uint64_t digits)
{
	unsigned i;

	for (; keep; keep &= keep - 1) {
		i = (unsigned)__builtin_ctzll(keep);
		*to++ = digits >> i & 1 ? '0' : p[i];
	}
	return to;
}

/* --- scalar: a table of classes, any machine --- */

enum {
	C_QUOTE = 1,
	C_BACKSLASH = 2,
	C_OPEN = 4,
	C_CLOSE = 8,
	C_NEWLINE = 16,
	C_CONTROL = 32,
	C_HIGH = 64,
	C_FRAME = 127,
	C_BRACKET = 128,
	C_COLON = 256,
	C_COMMA = 512,
	C_SPACE = 1024,
	C_DIGIT = 2048,
	C_ZERO = 4096,
	C_DOT = 8192,
	C_MINUS = 16384,
	C_BRACKET_END = 32768,
	C_REST = 65535 - 127,
};

static uint16_t classes[256];

static void fill_classes(void)
{
	int c;

	for (c = 0; c < 256; c++)
		classes[c] = c < 0x20 ? C_CONTROL : c >= 0x80 ? C_HIGH : c >= '0' && c <= '9' ? C_DIGIT : 0;
	classes['0'] |= C_ZERO;
	classes['"'] |= C_QUOTE;
	classes['\\'] |= C_BACKSLASH;
	classes['{'] |= C_OPEN;
	classes['['] |= C_OPEN | C_BRACKET;
	classes['}'] |= C_CLOSE;
	classes[']'] |= C_CLOSE | C_BRACKET_END;
	classes[':'] |= C_COLON;
	classes[','] |= C_COMMA;
	classes['.'] |= C_DOT;
	classes['-'] |= C_MINUS;
	classes[' '] |= C_SPACE;
	classes['\t'] |= C_SPACE;
	classes['\r'] |= C_SPACE;
	classes['\n'] |= C_SPACE | C_NEWLINE;
}

static inline void classify_frame_scalar(const char *p, struct frame *f)
{
	uint64_t bit = 1;
	unsigned i, c;

	*f = (struct frame){0};
	for (i = 0; i < 64; i++, bit <<= 1) {
		c = classes[(unsigned char)p[i]];
		/* Most bytes are of no class. */
		if (!(c & C_FRAME))
			continue;
		f->quote |= c & C_QUOTE ? bit : 0;
		f->open |= c & C_OPEN ? bit : 0;
		f->close |= c & C_CLOSE ? bit : 0;
		f->newline |= c & C_NEWLINE ? bit : 0;
		f->odd |= (c & (C_BACKSLASH | C_CONTROL | C_HIGH)) && !(c & C_NEWLINE) ? bit : 0;
	}
}

static inline void classify_odd_scalar(const char *p, struct oddities *o)
{
	uint64_t bit = 1;
	unsigned i, c;

	*o = (struct oddities){0};
	for (i = 0; i < 64; i++, bit <<= 1) {
		c = classes[(unsigned char)p[i]];
		o->backslash |= c & C_BACKSLASH ? bit : 0;
		o->control |= c & C_CONTROL ? bit : 0;
		o->high |= c & C_HIGH ? bit : 0;
	}
}

static inline void classify_rest_scalar(const char *p, struct masks *m)
{
	uint64_t bit = 1;
	unsigned i, c;

	*m = (struct masks){0};
	for (i = 0; i < 64; i++, bit <<= 1) {
		c = classes[(unsigned char)p[i]];
		m->structural |= c & (C_OPEN | C_CLOSE | C_COLON | C_COMMA) ? bit : 0;
		if (!(c & C_REST))
			continue;
		m->bracket |= c & C_BRACKET ? bit : 0;
		m->bracket_end |= c & C_BRACKET_END ? bit : 0;
		m->colon |= c & C_COLON ? bit : 0;
		m->comma |= c & C_COMMA ? bit : 0;
		m->space |= c & C_SPACE ? bit : 0;
		m->digit |= c & C_DIGIT ? bit : 0;
		m->zero |= c & C_ZERO ? bit : 0;
		m->nine |= p[i] == '9' ? bit : 0;
		m->dot |= c & C_DOT ? bit : 0;
		m->minus |= c & C_MINUS ? bit : 0;
	}
}

static inline uint64_t prefix_xor_scalar(uint64_t m)
{
	m ^= m << 1;
	m ^= m << 2;
	m ^= m << 4;
	m ^= m << 8;
	m ^= m << 16;
	return m ^ m << 32;
}

#define KERNEL(name) scalar_##name
#define classify_frame classify_frame_scalar
#define classify_odd classify_odd_scalar
#define classify_rest classify_rest_scalar
#define prefix_xor prefix_xor_scalar
#define squeeze_block squeeze_runs
#define shape_bytes shape_loop
#include "json/scan_kernel.h"
#undef KERNEL
#undef classify_frame
#undef classify_odd
#undef classify_rest
#undef prefix_xor
#undef squeeze_block
#undef shape_bytes

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2_TARGET "avx2,bmi,bmi2,lzcnt,popcnt,pclmul"
#define AVX512_TARGET AVX2_TARGET ",avx512f,avx512bw,avx512vl,avx512vbmi2"

/* Everything between BEGIN and END is compiled for that instruction set, whatever the rest is for. */
#define PRAGMA(text) _Pragma(#text)
#ifdef __clang__
#define BEGIN_TARGET(set) PRAGMA(clang attribute push(__attribute__((target(set))), apply_to = function))
#define END_TARGET PRAGMA(clang attribute pop)
#else
#define BEGIN_TARGET(set) PRAGMA(GCC push_options) PRAGMA(GCC target(set))
#define END_TARGET PRAGMA(GCC pop_options)
#endif

/* --- AVX2: two halves of 32 bytes --- */

BEGIN_TARGET(AVX2_TARGET)

static inline uint64_t pair_of(__m256i low, __m256i high)
{
	return (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32 | (uint32_t)_mm256_movemask_epi8(low);
}

#define EQUAL(c)                                                                                                       \
	pair_of(_mm256_cmpeq_epi8(low, _mm256_set1_epi8(c)), _mm256_cmpeq_epi8(high, _mm256_set1_epi8(c)))
/* unsigned a <= most is min(a, most) == a */
#define AT_MOST(a, b, most)                                                                                            \
	pair_of(_mm256_cmpeq_epi8(_mm256_min_epu8(a, _mm256_set1_epi8(most)), a),                                     \
	    _mm256_cmpeq_epi8(_mm256_min_epu8(b, _mm256_set1_epi8(most)), b))

/* Bytes that are odd are not 0. Signed, those over 127 are less than a blank, as control characters are. */
static inline __m256i odd_bytes(__m256i v)
{
	__m256i low = _mm256_cmpgt_epi8(_mm256_set1_epi8(' '), v);
	__m256i backslash = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\'));

	return _mm256_or_si256(_mm256_andnot_si256(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('\n')), low), backslash);
}

static inline void classify_frame_avx2(const char *p, struct frame *f)
{
	__m256i low = _mm256_loadu_si256((const __m256i *)(const void *)p);
	__m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
	__m256i odd = _mm256_or_si256(odd_bytes(low), odd_bytes(high));

	f->quote = EQUAL('"');
	f->newline = EQUAL('\n');
	f->odd = (uint64_t)!_mm256_testz_si256(odd, odd);
	/* '{' and '[' differ in bit 5 alone, and so do '}' and ']'. */
	low = _mm256_or_si256(low, _mm256_set1_epi8(0x20));
	high = _mm256_or_si256(high, _mm256_set1_epi8(0x20));
	f->open = EQUAL('{');
	f->close = EQUAL('}');
}

static inline void classify_odd_avx2(const char *p, struct oddities *o)
{
	__m256i low = _mm256_loadu_si256((const __m256i *)(const void *)p);
	__m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));

	o->backslash = EQUAL('\\');
	o->control = AT_MOST(low, high, 0x1f);
	o->high = pair_of(low, high);
}

static inline void classify_rest_avx2(const char *p, struct masks *m)
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

/* Carry-less multiplication by all ones is the running parity. */
static inline uint64_t prefix_xor_clmul(uint64_t m)
{
	return (uint64_t)_mm_cvtsi128_si64(
	    _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)m), _mm_set1_epi8((char)0xff), 0));
}

#define KERNEL(name) avx2_##name
#define classify_frame classify_frame_avx2
#define classify_odd classify_odd_avx2
#define classify_rest classify_rest_avx2
#define prefix_xor prefix_xor_clmul
#define squeeze_block squeeze_runs
#define shape_bytes shape_loop
#include "json/scan_kernel.h"
#undef KERNEL
#undef classify_frame
#undef classify_odd
#undef classify_rest
#undef squeeze_block
#undef shape_bytes

END_TARGET

/* --- AVX-512: all 64 bytes, and a compress instruction --- */

BEGIN_TARGET(AVX512_TARGET)

#define EQUAL(v, c) _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c))

static inline void classify_frame_avx512(const char *p, struct frame *f)
{
	__m512i v = _mm512_loadu_si512((const void *)p);
	__m512i folded = _mm512_or_si512(v, _mm512_set1_epi8(0x20));
	__mmask64 newline = EQUAL(v, '\n');

	f->quote = EQUAL(v, '"');
	f->open = EQUAL(folded, '{');
	f->close = EQUAL(folded, '}');
	f->newline = newline;
	/* Signed, bytes over 127 are less than a blank, as control characters are. */
	f->odd = _kor_mask64(_kandn_mask64(newline, _mm512_cmplt_epi8_mask(v, _mm512_set1_epi8(' '))), EQUAL(v, '\\'));
}

static inline void classify_odd_avx512(const char *p, struct oddities *o)
{
	__m512i v = _mm512_loadu_si512((const void *)p);

	o->backslash = EQUAL(v, '\\');
	o->control = _mm512_cmplt_epu8_mask(v, _mm512_set1_epi8(0x20));
	o->high = _mm512_movepi8_mask(v);
}

static inline void classify_rest_avx512(const char *p, struct masks *m)
{
	const __m512i spaces =
	    _mm512_broadcast_i32x4(_mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0));
	const __m512i marks = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0));
	__m512i v = _mm512_loadu_si512((const void *)p);

	m->bracket = EQUAL(v, '[');
	m->bracket_end = EQUAL(v, ']');
	m->colon = EQUAL(v, ':');
	m->comma = EQUAL(v, ',');
	/* A white space is the byte that its low four bits choose in the table, and no other byte is; marks likewise. */
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

static inline char *squeeze_compress(char *to, const char *p, uint64_t keep)
{
	_mm512_storeu_si512(to, _mm512_maskz_compress_epi8(keep, _mm512_loadu_si512((const void *)p)));
	return to + __builtin_popcountll(keep);
}

static inline char *shape_compress(char *to, const char *p, uint64_t keep, uint64_t digits)
{
	__m512i v = _mm512_mask_mov_epi8(_mm512_loadu_si512((const void *)p), digits, _mm512_set1_epi8('0'));

	_mm512_storeu_si512(to, _mm512_maskz_compress_epi8(keep, v));
	return to + __builtin_popcountll(keep);
}

#define KERNEL(name) avx512_##name
#define classify_frame classify_frame_avx512
#define classify_odd classify_odd_avx512
#define classify_rest classify_rest_avx512
#define squeeze_block squeeze_compress
#define shape_bytes shape_compress
#include "json/scan_kernel.h"
#undef KERNEL
#undef classify_frame
#undef classify_odd
#undef classify_rest
#undef prefix_xor
#undef squeeze_block
#undef shape_bytes

END_TARGET
#endif

/* --- the choice --- */

static const struct kernel *chosen;

static const struct kernel *choose(void)
{
	const struct kernel *best = &scalar_kernel;
	const char *env = getenv("TRACEFILTERS_SIMD");
	struct str want = env ? str_of(env) : STR("");
#if defined(__x86_64__)
	bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul");
	bool avx512 = avx2 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
	    __builtin_cpu_supports("avx512vbmi2");
#else
	bool avx2 = false, avx512 = false;
#endif

	fill_classes();
	if (!str_eq(want, STR("")) && !str_eq(want, STR("scalar")) && !(str_eq(want, STR("avx2")) && avx2) &&
	    !(str_eq(want, STR("avx512")) && avx512))
		die("TRACEFILTERS_SIMD=%.*s: %s (this machine has scalar%s%s)", STR_FMT(want),
		    str_eq(want, STR("avx2")) || str_eq(want, STR("avx512")) ? "this machine lacks it" : "no such kernel",
		    avx2 ? ", avx2" : "", avx512 ? ", avx512" : "");
#if defined(__x86_64__)
	if (avx2 && !str_eq(want, STR("scalar")))
		best = &avx2_kernel;
	if (avx512 && (!want.n || str_eq(want, STR("avx512"))))
		best = &avx512_kernel;
#endif
	chosen = best;
	return best;
}

static inline const struct kernel *kernel(void)
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
