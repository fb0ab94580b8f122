/*
 * The body of scan, compiled once for each instruction set: scan.c defines KERNEL(name),
 * classify_frame(), classify_rest(), prefix_xor() and squeeze_block() and includes this file.
 *
 * Everything works on 64-bit masks, one bit a byte of a block, bit 0 the first. An addition carries
 * through runs of ones: that is how "the first byte after this run of white space" is found for all
 * runs of a block at once.
 */

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
static inline uint64_t KERNEL(strings)(uint64_t quote, uint64_t backslash, uint64_t *in_string, uint64_t *escaped,
    uint64_t *quotes)
{
	uint64_t in;

	*quotes = quote & ~KERNEL(escapes)(backslash, escaped);
	in = prefix_xor(*quotes) ^ *in_string;
	*in_string = 0 - (in >> 63);
	return in;
}

/* What one block says: brackets outside strings, newlines, and the bytes that raise doubt. */
struct KERNEL(block) {
	uint64_t open, close, newline, in_string, bad;
};

static inline struct KERNEL(block) KERNEL(look)(const char *p, uint64_t valid, bool lines, struct scan_state *s)
{
	struct KERNEL(block) b;
	struct frame f;
	uint64_t quotes, in;

	classify_frame(p, &f);
	in = KERNEL(strings)(f.quote & valid, f.backslash & valid, &s->in_string, &s->escaped, &quotes);
	b.newline = lines ? f.newline & valid : 0;
	b.in_string = in;
	b.bad = (f.high | f.backslash | (f.control & in & ~b.newline)) & valid;
	b.open = f.open & ~in & valid;
	b.close = f.close & ~in & valid;
	if (lines) {
		/* }{ is where a record lacks its newline; what is not side by side a closer look will find. */
		b.bad |= b.open & (b.close << 1 | s->closed);
		s->closed = b.close >> 63;
	}
	return b;
}

struct KERNEL(finder) {
	struct scan *s;
	struct scan_unit *units;
	size_t found, base; /* base: where the block lies in p[] */
	uint64_t doubt;     /* about the unit in progress */
	uint64_t bad;       /* doubtful bytes of the block behind the last unit's end */
};

/* A unit ends with bit `at` of the block. */
static inline void KERNEL(emit)(struct KERNEL(finder) *f, unsigned at, bool broken)
{
	uint64_t mine = BELOW(at + 1u);
	size_t end = f->base + at + 1;

	if (end > f->s->end) {
		f->units[f->found++] = (struct scan_unit){end, !broken && !f->doubt && !(f->bad & mine)};
		f->s->end = end;
	}
	f->doubt = 0;
	f->bad &= ~mine;
}

/* The ends of lines in a block; where an open string crosses one, the bytes up to it, else 0. */
static inline unsigned KERNEL(lines)(struct KERNEL(finder) *f, const struct KERNEL(block) *b, struct scan_state *s)
{
	uint64_t ends, bit, open = b->open, close = b->close;
	unsigned at;

	for (ends = b->newline; ends; ends &= ends - 1) {
		bit = ends & (0 - ends);
		at = (unsigned)__builtin_ctzll(ends);
		s->depth += __builtin_popcountll(open & (bit - 1)) - __builtin_popcountll(close & (bit - 1));
		open &= 0 - bit;
		close &= 0 - bit;
		KERNEL(emit)(f, at, s->depth != 0 || (b->in_string & bit));
		s->depth = 0;
		if (b->in_string & bit)
			return at + 1;
	}
	s->depth += __builtin_popcountll(open) - __builtin_popcountll(close);
	return 0;
}

/* The ends of values in a block; true behind a bracket that closes what was not opened. */
static inline bool KERNEL(values)(struct KERNEL(finder) *f, const struct KERNEL(block) *b, struct scan_state *s)
{
	uint64_t ends;

	/* Only a block with as many closing brackets as are open can end a value. */
	if (s->depth > __builtin_popcountll(b->close)) {
		s->depth += __builtin_popcountll(b->open) - __builtin_popcountll(b->close);
		return false;
	}
	for (ends = b->open | b->close; ends; ends &= ends - 1) {
		s->depth += b->open & ends & (0 - ends) ? 1 : -1;
		if (s->depth <= 0)
			KERNEL(emit)(f, (unsigned)__builtin_ctzll(ends), s->depth < 0);
		if (s->depth < 0)
			return true;
	}
	return false;
}

static inline size_t KERNEL(run_mode)(struct scan *s, const char *p, size_t n, struct scan_unit *units, size_t max,
    bool lines)
{
	struct KERNEL(finder) f = {.s = s, .units = units};
	struct scan_state state = s->state;
	struct KERNEL(block) b;
	size_t at = s->at, left;
	unsigned broken;

	/* A block ends at most 64 units. What is found in a last, partial one is found again later. */
	while (at < n && f.found + 64 <= max) {
		left = n - at;
		f.base = at;
		f.doubt = state.doubt;
		b = KERNEL(look)(p + at, BELOW(left), lines, &state);
		f.bad = b.bad;
		broken = 0;
		if (lines)
			broken = KERNEL(lines)(&f, &b, &state);
		else if (KERNEL(values)(&f, &b, &state))
			return f.found;
		if (broken) {
			/* An open string would turn all that follows inside out: begin anew. */
			state = (struct scan_state){0};
			at += broken;
		} else {
			state.doubt = f.doubt | f.bad;
			at += 64;
		}
		if (broken || left >= 64) {
			s->state = state;
			s->at = at;
		}
	}
	return f.found;
}

static size_t KERNEL(run)(struct scan *s, const char *p, size_t n, struct scan_unit *units, size_t max)
{
	return s->mode == SCAN_LINES ? KERNEL(run_mode)(s, p, n, units, max, true)
				     : KERNEL(run_mode)(s, p, n, units, max, false);
}

/* --- the grammar between tokens, and squeezing --- */

/* What is carried from block to block; flags are 0 or 1, in_string all zeros or all ones. */
struct KERNEL(check) {
	uint64_t in_string, escaped, bad;
	int64_t depth, brackets; /* of all kinds that are open; of them [ */
	unsigned braces, colons; /* how many there were */
	bool ended;              /* the value's last bracket was met */
	/* the last token was this, and the next one has not begun */
	uint64_t after_brace, after_bracket, after_comma, after_value, after_string;
	/* the last byte was this */
	uint64_t in_scalar, digit, point_or_sign, sign_first, zero_first, in_fraction;
};

/*
 * Where the token after each of `tokens` begins, white space skipped. *carry says that the block before
 * ended while looking, and then that this one did.
 */
static inline uint64_t KERNEL(next)(uint64_t tokens, uint64_t space, uint64_t *carry)
{
	uint64_t at = tokens << 1 | *carry, run;

	*carry = tokens >> 63 | __builtin_add_overflow(at & space, space, &run);
	return (at | run) & ~space;
}

/* tokens moved by one byte, with the last bit of the block before, which is replaced by this one's. */
static inline uint64_t KERNEL(behind)(uint64_t tokens, uint64_t *carry)
{
	uint64_t moved = tokens << 1 | *carry;

	*carry = tokens >> 63;
	return moved;
}

/*
 * Bytes where a number breaks JSON's grammar, at the culprit or one behind it. *ends gets the bytes
 * behind numbers. Only digits, points and signs: an exponent raises doubt.
 */
static inline uint64_t KERNEL(numbers)(const struct masks *m, uint64_t scalar, struct KERNEL(check) *s, uint64_t *ends)
{
	uint64_t digit = m->digit & scalar, minus = m->minus & scalar, dot = m->dot & scalar;
	uint64_t behind_scalar = KERNEL(behind)(scalar, &s->in_scalar);
	uint64_t behind_digit = KERNEL(behind)(digit, &s->digit);
	uint64_t start = scalar & ~behind_scalar, bad, zero, fraction, run;

	*ends = behind_scalar & ~scalar;
	/* nothing else; a sign comes first, a point behind a digit, and a digit last */
	bad = scalar & ~(digit | minus | dot);
	bad |= minus & ~start;
	bad |= (dot | *ends) & ~behind_digit;
	/* behind a sign or a point comes a digit */
	bad |= KERNEL(behind)(minus | dot, &s->point_or_sign) & ~digit;
	/* a zero that comes first is alone before the point */
	zero = m->zero & (start | KERNEL(behind)(minus & start, &s->sign_first));
	bad |= KERNEL(behind)(zero & scalar, &s->zero_first) & digit;
	/* the digits behind a point do not end in another point */
	fraction = dot << 1 | s->in_fraction;
	s->in_fraction = dot >> 63 | __builtin_add_overflow(fraction & digit, digit, &run);
	return bad | ((fraction | run) & ~digit & dot);
}

/* The bit of the bracket that closes the value, or 0: opens and closes in their order, as deep as s->depth. */
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

/* Checks a block up to the end of the value, and returns the bytes of it that are no white space between tokens. */
static inline uint64_t KERNEL(check_block)(const char *p, uint64_t valid, struct KERNEL(check) *s)
{
	struct frame f;
	struct masks m;
	uint64_t in, out, quotes, space, scalar, open, close, opening, closing, separator, ends, value, bad, want, last;

	classify_frame(p, &f);
	classify_rest(p, &m);
	in = KERNEL(strings)(f.quote & valid, f.backslash & valid, &s->in_string, &s->escaped, &quotes);
	open = f.open & ~in & valid;
	close = f.close & ~in & valid;
	last = KERNEL(last_close)(open, close, &s->depth);
	if (last) {
		/* What stands behind the value is not part of it. */
		s->ended = true;
		valid &= last | (last - 1);
		open &= valid;
		close &= valid;
		quotes &= valid;
		in &= valid;
	}
	bad = (f.high | f.backslash | (f.control & in)) & valid;
	/* What lies behind the end is white space: it neither begins nor ends anything. */
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

	/* What may stand behind what. */
	value = opening | scalar | open;
	bad |= KERNEL(next)(open ^ m.bracket, space, &s->after_brace) & ~(opening | close);
	bad |= KERNEL(next)(m.bracket, space, &s->after_bracket) & ~(value | close);
	bad |= KERNEL(next)(separator, space, &s->after_comma) & ~value;
	bad |= KERNEL(next)(closing, space, &s->after_string) & ~(separator | close);
	/* `ends` is one behind the numbers already; a number that ended with the last block has bit 0. */
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

/* How long the value at text.p[0] is when it is clean, else 0. */
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
	/* The closing bracket is the last byte that was kept. */
	r.used = !s.ended ? text.n : at - (size_t)__builtin_clzll(keep);
	r.clean = KERNEL(is_clean)(&s, text);
	r.braces = s.braces;
	r.colons = s.colons;
	return r;
}

static size_t KERNEL(skip)(struct str text)
{
	struct scan_state s = {0};
	struct KERNEL(block) b;
	uint64_t ends;
	size_t at;

	for (at = 0; at < text.n; at += 64) {
		b = KERNEL(look)(text.p + at, BELOW(text.n - at), false, &s);
		if (s.depth > __builtin_popcountll(b.close)) {
			s.depth += __builtin_popcountll(b.open) - __builtin_popcountll(b.close);
			continue;
		}
		for (ends = b.open | b.close; ends; ends &= ends - 1) {
			s.depth += b.open & ends & (0 - ends) ? 1 : -1;
			if (s.depth == 0)
				return at + (size_t)__builtin_ctzll(ends) + 1;
		}
	}
	return 0;
}

static size_t KERNEL(quote)(struct str text)
{
	uint64_t escaped = 0, quotes;
	struct frame f;
	size_t at;

	for (at = 0; at < text.n; at += 64) {
		classify_frame(text.p + at, &f);
		quotes = f.quote & ~KERNEL(escapes)(f.backslash, &escaped) & BELOW(text.n - at);
		if (quotes)
			return at + (size_t)__builtin_ctzll(quotes);
	}
	return text.n;
}

static const struct kernel KERNEL(kernel) = {KERNEL(run), KERNEL(clean), KERNEL(squeeze), KERNEL(skip), KERNEL(quote)};
