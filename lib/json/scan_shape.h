/*
 * scan_shape: the implementation of scan_shape(), which scan.h describes; a part of scan_kernel.h. A clean unit has no
 * escapes, so each quote begins or ends a string.
 */

/* The state carried from block to block; flags are 0 or 1. */
struct KERNEL(shape) {
	uint64_t in_string;
	uint64_t scalar, digit, dot; /* the class of the last byte; scalar: part of a number or a word */
	uint64_t zero;               /* the last byte was a leading zero of a number */
	size_t digits;               /* number of digits at the end of the preceding block */
	uint64_t bad;
};

/*
 * Returns a value that is not 0 when there are 17 consecutive digits, or 16 that begin with a 9; digits in strings are
 * included.
 */
static inline uint64_t KERNEL(long_digits)(const char *p, uint64_t digit, uint64_t nine, struct KERNEL(shape) *s)
{
	/* digits followed by at least 1 more digit; the next three lines raise this number to 15 */
	uint64_t from = digit & digit >> 1;
	size_t before = s->digits, after = digit == ~(uint64_t)0 ? 64 : (size_t)__builtin_ctzll(~digit);
	bool across;

	from &= from >> 2;
	from &= from >> 4;
	from &= from >> 8;
	across = before + after + (*(p - before) == '9') > 16;
	s->digits = digit == ~(uint64_t)0 ? 64 : (size_t)__builtin_clzll(~digit);
	return (from & (from >> 1 | nine)) | across;
}

/* Returns the bytes of a block that belong to the shape, and sets *digits to the digits outside strings. */
static inline uint64_t KERNEL(shape_block)(const char *p, uint64_t valid, struct KERNEL(shape) *s, uint64_t *digits)
{
	struct scan_frame f;
	struct scan_masks m;
	uint64_t in, out, space, scalar, digit, follows, zero, spaced;

	classify_frame(p, &f);
	classify_rest(p, &m);
	GENERAL_REGISTERS(f.quote, m.space, m.structural, m.digit);
	GENERAL_REGISTERS(m.zero, m.nine, m.dot, valid);
	f.quote &= valid;
	in = KERNEL(strings)(f.quote, &s->in_string);
	out = ~in & valid & ~f.quote;
	space = m.space & out;
	scalar = out & ~(space | m.structural);
	digit = m.digit & out;

	/* White space directly after a scalar is kept: otherwise a second scalar would continue the first one. */
	spaced = KERNEL(behind)(scalar, &s->scalar) & space;
	/*
	 * A digit after a leading zero is invalid and therefore kept. The first digit of a fraction is not a leading
	 * zero.
	 */
	follows = KERNEL(behind)(digit, &s->digit);
	zero = m.zero & digit & ~follows & ~KERNEL(behind)(m.dot & out, &s->dot);
	follows &= ~KERNEL(behind)(zero, &s->zero);
	s->bad |= KERNEL(long_digits)(p, m.digit & valid, m.nine, s);
	*digits = digit;
	return (out & ~space & ~(digit & follows)) | spaced | f.quote;
}

/*
 * Returns the length of the shape, or 0 when it is longer than max or the unit needs a full check. to[] must have at
 * least max + 64 bytes.
 */
static size_t KERNEL(shape)(char *to, size_t max, struct str text)
{
	struct KERNEL(shape) s = {0};
	char *begin = to;
	uint64_t keep, digits;
	size_t at;

	for (at = 0; at < text.n && to <= begin + max; at += 64) {
		keep = KERNEL(shape_block)(text.p + at, BELOW(text.n - at), &s, &digits);
		to = shape_bytes(to, text.p + at, keep, digits);
	}
	return s.bad || to > begin + max ? 0 : (size_t)(to - begin);
}
