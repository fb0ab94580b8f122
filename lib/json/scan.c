#include "json/scan.h"

#include <stdlib.h>

/* Masks of the bytes of a block by class, one bit for each byte. These are sufficient to find the ends of values. */
struct scan_frame {
	uint64_t quote, open, close, newline;
	uint64_t odd; /* not 0 when there is a backslash, a control character other than newline, or a byte over 127 */
};

/* Masks that are needed only for blocks that contain `odd` bytes or begin with an escaped byte. */
struct scan_oddities {
	uint64_t backslash, control, high; /* control: newline included */
};

/* Masks that are needed in addition to check the text between strings and brackets. */
struct scan_masks {
	uint64_t bracket, bracket_end, colon, comma, space, digit, zero, nine, dot, minus;
	uint64_t structural; /* brackets, colons, commas */
};

/* The functions of scan.h for one instruction set. */
struct scan_kernel {
	size_t (*run)(struct scan *s, const char *p, size_t n, struct scan_unit *units, size_t max);
	size_t (*clean)(struct str text);
	struct scan_squeezed (*squeeze)(char *to, struct str text);
	size_t (*skip)(struct str text);
	size_t (*quote)(struct str text);
	size_t (*shape)(char *to, size_t max, struct str text);
};

/* Lines nested deeper than this are not clean: they need json_check(), which determines their depth exactly. */
enum { DEEP = 512 };

/* A mask of the lowest n bits. */
#define BELOW(n) ((n) >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << (n)) - 1)

/*
 * Copies the bytes in `keep`, run by run. Each copy is 64 bytes long; the next one overwrites the bytes after the run.
 */
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
 * --- the scalar kernel, for any machine: it classifies bytes with a table ---
 *
 * Each kernel defines KERNEL(name) and the functions classify_frame, classify_odd, classify_rest, prefix_xor,
 * squeeze_block and shape_bytes under such names. scan_kernel.h defines the rest of the kernel.
 */

#define KERNEL(name) scalar_##name

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

static inline void KERNEL(classify_frame)(const char *p, struct scan_frame *f)
{
	uint64_t bit = 1;
	unsigned i, c;

	*f = (struct scan_frame){0};
	for (i = 0; i < 64; i++, bit <<= 1) {
		c = classes[(unsigned char)p[i]];
		/* Most bytes are in no class. */
		if (!(c & C_FRAME))
			continue;
		f->quote |= c & C_QUOTE ? bit : 0;
		f->open |= c & C_OPEN ? bit : 0;
		f->close |= c & C_CLOSE ? bit : 0;
		f->newline |= c & C_NEWLINE ? bit : 0;
		f->odd |= (c & (C_BACKSLASH | C_CONTROL | C_HIGH)) && !(c & C_NEWLINE) ? bit : 0;
	}
}

static inline void KERNEL(classify_odd)(const char *p, struct scan_oddities *o)
{
	uint64_t bit = 1;
	unsigned i, c;

	*o = (struct scan_oddities){0};
	for (i = 0; i < 64; i++, bit <<= 1) {
		c = classes[(unsigned char)p[i]];
		o->backslash |= c & C_BACKSLASH ? bit : 0;
		o->control |= c & C_CONTROL ? bit : 0;
		o->high |= c & C_HIGH ? bit : 0;
	}
}

static inline void KERNEL(classify_rest)(const char *p, struct scan_masks *m)
{
	uint64_t bit = 1;
	unsigned i, c;

	*m = (struct scan_masks){0};
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

static inline uint64_t KERNEL(prefix_xor)(uint64_t m)
{
	m ^= m << 1;
	m ^= m << 2;
	m ^= m << 4;
	m ^= m << 8;
	m ^= m << 16;
	return m ^ m << 32;
}

#define scalar_squeeze_block squeeze_runs
#define scalar_shape_bytes shape_loop
#include "json/scan_kernel.h"
#undef KERNEL

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2_TARGET "avx2,bmi,bmi2,lzcnt,popcnt,pclmul"
#define AVX512_TARGET AVX2_TARGET ",avx512f,avx512bw,avx512vl,avx512vbmi2"

/*
 * All code between BEGIN_TARGET(set) and END_TARGET is compiled for the instruction set `set`, even if the compiler's
 * options select another one.
 */
#define PRAGMA(text) _Pragma(#text)
#ifdef __clang__
#define BEGIN_TARGET(set) PRAGMA(clang attribute push(__attribute__((target(set))), apply_to = function))
#define END_TARGET PRAGMA(clang attribute pop)
#else
#define BEGIN_TARGET(set) PRAGMA(GCC push_options) PRAGMA(GCC target(set))
#define END_TARGET PRAGMA(GCC pop_options)
#endif

/* --- the kernel for AVX2: it classifies a block as two halves of 32 bytes --- */

#define KERNEL(name) avx2_##name

BEGIN_TARGET(AVX2_TARGET)

/* Bit i of the result is the xor of the bits 0 .. i of m: this is a carry-less multiplication by all ones. */
static inline uint64_t KERNEL(prefix_xor)(uint64_t m)
{
	return (uint64_t)_mm_cvtsi128_si64(
	    _mm_clmulepi64_si128(_mm_set_epi64x(0, (long long)m), _mm_set1_epi8((char)0xff), 0));
}

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

static inline void KERNEL(classify_frame)(const char *p, struct scan_frame *f)
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

static inline void KERNEL(classify_odd)(const char *p, struct scan_oddities *o)
{
	__m256i low = _mm256_loadu_si256((const __m256i *)(const void *)p);
	__m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));

	o->backslash = EQUAL('\\');
	o->control = AT_MOST(low, high, 0x1f);
	o->high = pair_of(low, high);
}

static inline void KERNEL(classify_rest)(const char *p, struct scan_masks *m)
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

#define avx2_squeeze_block squeeze_runs
#define avx2_shape_bytes shape_loop
#include "json/scan_kernel.h"

END_TARGET
#undef KERNEL

/* Returns the kernel, or NULL if this machine cannot run it. */
static const struct scan_kernel *find_avx2(void)
{
	bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul");

	return has ? &avx2_kernel : NULL;
}

/*
 * --- the kernel for AVX-512: it classifies all 64 bytes of a block at once, and squeezes with the compress
 * instruction ---
 */

#define KERNEL(name) avx512_##name
#define avx512_prefix_xor avx2_prefix_xor

BEGIN_TARGET(AVX512_TARGET)

#define EQUAL(v, c) _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c))

static inline void KERNEL(classify_frame)(const char *p, struct scan_frame *f)
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

static inline void KERNEL(classify_odd)(const char *p, struct scan_oddities *o)
{
	__m512i v = _mm512_loadu_si512((const void *)p);

	o->backslash = EQUAL(v, '\\');
	o->control = _mm512_cmplt_epu8_mask(v, _mm512_set1_epi8(0x20));
	o->high = _mm512_movepi8_mask(v);
}

static inline void KERNEL(classify_rest)(const char *p, struct scan_masks *m)
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

static const struct scan_kernel *find_avx512(void)
{
	bool has = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
		   __builtin_cpu_supports("avx512vbmi2");

	return has ? &avx512_kernel : NULL;
}

#else

static const struct scan_kernel *find_avx2(void)
{
	return NULL;
}

static const struct scan_kernel *find_avx512(void)
{
	return NULL;
}

#endif

/* --- the choice of the kernel --- */

static const struct scan_kernel *chosen;

/*
 * Returns the kernel of the given name, or the fastest kernel if the name is empty. Returns NULL when this machine does
 * not support the kernel.
 */
static const struct scan_kernel *find(struct str name)
{
	const struct scan_kernel *avx2 = find_avx2(), *avx512 = avx2 ? find_avx512() : NULL;

	if (str_eq(name, STR("avx512")) || (!name.n && avx512))
		return avx512;
	if (str_eq(name, STR("avx2")) || (!name.n && avx2))
		return avx2;
	if (name.n && !str_eq(name, STR("scalar")))
		return NULL;
	fill_classes();
	return &scalar_kernel;
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
