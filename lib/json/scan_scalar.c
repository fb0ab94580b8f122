/* scan_scalar: the kernel for any machine, which classifies bytes with a table. */
#include "json/scan_private.h"

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

static inline void classify_frame(const char *p, struct scan_frame *f)
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

static inline void classify_odd(const char *p, struct scan_oddities *o)
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

static inline void classify_rest(const char *p, struct scan_masks *m)
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

static inline uint64_t prefix_xor(uint64_t m)
{
	m ^= m << 1;
	m ^= m << 2;
	m ^= m << 4;
	m ^= m << 8;
	m ^= m << 16;
	return m ^ m << 32;
}

#define KERNEL(name) scalar_##name
#define squeeze_block squeeze_runs
#define shape_bytes shape_loop
#include "json/scan_kernel.h"

const struct scan_kernel *scan_kernel_scalar(void)
{
	fill_classes();
	return &scalar_kernel;
}
