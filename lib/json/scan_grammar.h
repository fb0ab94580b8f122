/* scan_grammar: checks numbers and the order of tokens, and squeezes text; a part of scan_kernel.h. */

/* The state carried from block to block; flags are 0 or 1, in_string is all zeros or all ones. */
struct KERNEL(check) {
	uint64_t in_string, escaped, bad;
	int64_t depth, brackets; /* depth: number of open { and [; brackets: number of open [ */
	unsigned braces, colons; /* total numbers */
	bool ended;              /* the value's last bracket was found */
	/* the type of the last token, set until the next token begins */
	uint64_t after_brace, after_bracket, after_comma, after_value, after_string;
	/* the class of the last byte */
	uint64_t in_scalar, digit, point_or_sign, sign_first, zero_first, in_fraction;
};

/*
 * Returns, for each of `tokens`, the first byte after it that is not white space. *carry is 1 if the preceding block
 * ended between a token and that byte; afterwards, it is 1 if this block ends in the same way.
 */
static inline uint64_t KERNEL(next)(uint64_t tokens, uint64_t space, uint64_t *carry)
{
	uint64_t at = tokens << 1 | *carry, run;

	*carry = tokens >> 63 | __builtin_add_overflow(at & space, space, &run);
	return (at | run) & ~space;
}

/*
 * Returns the bytes that follow `tokens`. *carry is the last bit of `tokens` in the preceding block; it is replaced by
 * the last bit in this block.
 */
static inline uint64_t KERNEL(behind)(uint64_t tokens, uint64_t *carry)
{
	uint64_t moved = tokens << 1 | *carry;

	*carry = tokens >> 63;
	return moved;
}

/*
 * Returns the bytes where a number violates JSON's grammar: the wrong byte or the byte after it. Sets *ends to the
 * bytes directly after numbers. Only digits, points and signs are accepted: exponents need a full check.
 */
static inline uint64_t KERNEL(numbers)(
    const struct scan_masks *m, uint64_t scalar, struct KERNEL(check) *s, uint64_t *ends)
{
	uint64_t digit = m->digit & scalar, minus = m->minus & scalar, dot = m->dot & scalar;
	uint64_t behind_scalar = KERNEL(behind)(scalar, &s->in_scalar);
	uint64_t behind_digit = KERNEL(behind)(digit, &s->digit);
	uint64_t start = scalar & ~behind_scalar, bad, zero, fraction, run;

	*ends = behind_scalar & ~scalar;
	/*
	 * only digits, signs and points; a sign only as the first byte; a digit before each point and as the last byte
	 */
	bad = scalar & ~(digit | minus | dot);
	bad |= minus & ~start;
	bad |= (dot | *ends) & ~behind_digit;
	/* a sign or a point must be followed by a digit */
	bad |= KERNEL(behind)(minus | dot, &s->point_or_sign) & ~digit;
	/* a leading zero must not be followed by a digit */
	zero = m->zero & (start | KERNEL(behind)(minus & start, &s->sign_first));
	bad |= KERNEL(behind)(zero & scalar, &s->zero_first) & digit;
	/* the digits after a point must not be followed by another point */
	fraction = dot << 1 | s->in_fraction;
	s->in_fraction = dot >> 63 | __builtin_add_overflow(fraction & digit, digit, &run);
	return bad | ((fraction | run) & ~digit & dot);
}

/*
 * Returns the bit of the bracket that closes the value, or 0 when the value continues. *depth is the number of open
 * brackets before the block, and is updated.
 */
static inline uint64_t KERNEL(last_close)(uint64_t open, uint64_t close, int64_t *depth)
{
	uint64_t ends, bit;

	if (*depth > __builtin_popcountll(close)) {
		*depth += __builtin_popcountll(open) - __builtin_popcountll(close);
		return 0;
	}
	for (ends = open | close; ends; ends &= ends - 1) {
		bit = ends & (0 - ends);
		*depth += open & bit ? 1 : -1;
		if (*depth <= 0)
			return bit;
	}
	return 0;
}

/* Checks a block up to the end of the value, and returns the bytes that are not white space between tokens. */
__attribute__((always_inline)) static inline uint64_t KERNEL(check_block)(
    const char *p, uint64_t valid, struct KERNEL(check) *s)
{
	struct KERNEL(framed) f = KERNEL(frame)(p, valid, &s->in_string, &s->escaped);
	struct scan_masks m;
	uint64_t in = f.in_string, quotes = f.quotes, open = f.open, close = f.close;
	uint64_t out, space, scalar, opening, closing, separator, ends, value, bad, want, last;

	classify_rest(p, &m);
	last = KERNEL(last_close)(open, close, &s->depth);
	if (last) {
		/* The text after the value is not part of it. */
		s->ended = true;
		valid &= last | (last - 1);
		open &= valid;
		close &= valid;
		quotes &= valid;
		in &= valid;
	}
	bad = f.bad & valid;
	/* Bytes after the end are treated as white space: they neither begin nor end a token. */
	space = (m.space | ~valid) & ~in;
	out = ~in & valid;
	m.bracket &= open;
	m.colon &= out;
	separator = m.colon | (m.comma & out);
	opening = quotes & in;
	closing = quotes & out;
	scalar = out & ~(space | open | close | separator | closing);
	s->brackets += __builtin_popcountll(m.bracket) - __builtin_popcountll(m.bracket_end & close);
	s->braces += (unsigned)__builtin_popcountll(open ^ m.bracket);
	s->colons += (unsigned)__builtin_popcountll(m.colon);
	bad |= KERNEL(numbers)(&m, scalar, s, &ends);

	/* Checks which token may follow which. */
	value = opening | scalar | open;
	bad |= KERNEL(next)(open ^ m.bracket, space, &s->after_brace) & ~(opening | close);
	bad |= KERNEL(next)(m.bracket, space, &s->after_bracket) & ~(value | close);
	bad |= KERNEL(next)(separator, space, &s->after_comma) & ~value;
	bad |= KERNEL(next)(closing, space, &s->after_string) & ~(separator | close);
	/* `ends` marks the bytes after numbers: for a number that ended with the preceding block, this is bit 0. */
	s->after_value |= ends & 1;
	want = KERNEL(next)(close | ends >> 1, space, &s->after_value);
	bad |= want & ~((separator & ~m.colon) | close);
	s->bad |= bad | (s->depth > DEEP);
	return valid & ~space;
}

static inline bool KERNEL(is_clean)(const struct KERNEL(check) *s, struct str text)
{
	return s->ended && !s->bad && !s->brackets && (text.p[0] == '{' || text.p[0] == '[');
}

/* Returns the length of the value at text.p[0] when it is clean, otherwise 0. */
static size_t KERNEL(clean)(struct str text)
{
	struct KERNEL(check) s = {0};
	uint64_t keep = 0;
	size_t at;

	for (at = 0; at < text.n && !s.ended; at += 64)
		keep = KERNEL(check_block)(text.p + at, BELOW(text.n - at), &s);
	return KERNEL(is_clean)(&s, text) ? at - (size_t)__builtin_clzll(keep) : 0;
}

static struct scan_squeezed KERNEL(squeeze)(char *to, struct str text)
{
	struct KERNEL(check) s = {0};
	struct scan_squeezed r = {0};
	char *begin = to;
	uint64_t keep = 0;
	size_t at;

	for (at = 0; at < text.n && !s.ended; at += 64) {
		keep = KERNEL(check_block)(text.p + at, BELOW(text.n - at), &s);
		to = squeeze_block(to, text.p + at, keep);
	}
	r.n = (size_t)(to - begin);
	/* The closing bracket is the last byte in `keep`. */
	r.used = !s.ended ? text.n : at - (size_t)__builtin_clzll(keep);
	r.clean = KERNEL(is_clean)(&s, text);
	r.braces = s.braces;
	r.colons = s.colons;
	return r;
}
