/* scan_frame: the strings, brackets and newlines of one block; a part of scan_kernel.h. */

/* The bytes that a backslash before them escapes; runs of backslashes pair up from their first. */
static inline uint64_t KERNEL(escapes)(uint64_t backslash, uint64_t *carry)
{
	const uint64_t even = 0x5555555555555555u;
	uint64_t follows, odd_starts, sums, escaped;

	if (!backslash) {
		escaped = *carry;
		*carry = 0;
		return escaped;
	}
	backslash &= ~*carry;
	follows = backslash << 1 | *carry;
	odd_starts = backslash & ~even & ~follows;
	*carry = __builtin_add_overflow(odd_starts, backslash, &sums);
	return (even ^ sums << 1) & follows;
}

/* The string mask: set from each opening quote up to the byte before its closing one. */
static inline uint64_t KERNEL(strings)(uint64_t quotes, uint64_t *in_string)
{
	uint64_t in = prefix_xor(quotes) ^ *in_string;

	*in_string = 0 - (in >> 63);
	return in;
}

/* A block's frame, with what strings make of it: quotes that are not escaped, and what raises doubt. */
struct KERNEL(framed) {
	uint64_t quotes, in_string, open, close, newline, bad;
};

/* Inlined by order, as is look(): a compiler that sees several calls makes functions of them, a fifth slower. */
__attribute__((always_inline)) static inline struct KERNEL(framed) KERNEL(frame)(const char *p, uint64_t valid,
    uint64_t *in_string, uint64_t *escaped)
{
	struct KERNEL(framed) b = {0};
	struct scan_frame f;
	uint64_t out;

	classify_frame(p, &f);
	b.quotes = f.quote & valid;
	if (f.odd || *escaped) {
		struct scan_oddities o;

		classify_odd(p, &o);
		b.quotes &= ~KERNEL(escapes)(o.backslash & valid, escaped);
		b.in_string = KERNEL(strings)(b.quotes, in_string);
		b.bad = (o.high | o.backslash | (o.control & b.in_string)) & valid;
	} else {
		b.in_string = KERNEL(strings)(b.quotes, in_string);
		b.bad = f.newline & b.in_string & valid;
	}
	out = ~b.in_string & valid;
	b.open = f.open & out;
	b.close = f.close & out;
	b.newline = f.newline & valid;
	return b;
}

/* What one block says: brackets outside strings, newlines, and the bytes that raise doubt. */
struct KERNEL(block) {
	uint64_t open, close, newline, in_string, bad;
};

__attribute__((always_inline)) static inline struct KERNEL(block) KERNEL(look)(const char *p, uint64_t valid, bool lines,
    struct scan_state *s)
{
	struct KERNEL(framed) f = KERNEL(frame)(p, valid, &s->in_string, &s->escaped);

	if (lines) {
		f.bad &= ~f.newline; /* an end of line in a string is what lines() looks at */
		/* }{ is where a record lacks its newline; what is not side by side a closer look will find. */
		f.bad |= f.open & (f.close << 1 | s->closed);
		s->closed = f.close >> 63;
	}
	return (struct KERNEL(block)){f.open, f.close, f.newline, f.in_string, f.bad};
}
