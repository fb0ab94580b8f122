/*
 * scan_kernel: the body of a kernel. scan_scalar.c, scan_avx2.c and scan_avx512.c define KERNEL(name),
 * classify_frame(), classify_odd(), classify_rest(), prefix_xor(), squeeze_block() and shape_bytes(), and include
 * this file.
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

/* What is found in the blocks that were looked at. */
struct KERNEL(finder) {
	struct scan_unit *units;
	size_t found, known; /* known: the end of the last unit of the call before */
	size_t base;         /* where the block lies in p[] */
	int64_t depth;
	uint64_t doubt;      /* about the unit in progress */
};

static inline void KERNEL(emit)(struct KERNEL(finder) *f, size_t end, bool clean)
{
	/* As a partial block, the call before may have had it. */
	if (end > f->known)
		f->units[f->found++] = (struct scan_unit){end, clean};
}

/* Any number of lines in a block; where an open string crosses one's end, the bytes up to it, else 0. */
static unsigned KERNEL(many_lines)(struct KERNEL(finder) *f, const struct KERNEL(block) *b)
{
	uint64_t ends, bit, rest = ~(uint64_t)0, mine;
	unsigned at;

	for (ends = b->newline; ends; ends &= ends - 1) {
		bit = ends & (0 - ends);
		at = (unsigned)__builtin_ctzll(ends);
		mine = rest & (bit - 1);
		f->depth += __builtin_popcountll(b->open & mine) - __builtin_popcountll(b->close & mine);
		KERNEL(emit)(f, f->base + at + 1, !f->depth && !f->doubt && !(b->bad & mine) && !(b->in_string & bit));
		f->depth = 0;
		f->doubt = 0;
		rest = 0 - bit;
		if (b->in_string & bit)
			return at + 1;
	}
	f->depth += __builtin_popcountll(b->open & rest) - __builtin_popcountll(b->close & rest);
	f->doubt |= b->bad & rest;
	return 0;
}

/*
 * As many_lines(). Most blocks end one line or none, and which of them nobody can foretell: there is no branch
 * on it, and a block without an end has none of its bytes behind it.
 */
static inline unsigned KERNEL(lines)(struct KERNEL(finder) *f, const struct KERNEL(block) *b)
{
	uint64_t bit = b->newline & (0 - b->newline), before = bit - 1, behind = ~before, none = bit ? 0 : before;
	int64_t depth;

	if ((b->newline ^ bit) | (b->in_string & bit) || f->known > f->base)
		return KERNEL(many_lines)(f, b);
	depth = f->depth + __builtin_popcountll(b->open & before) - __builtin_popcountll(b->close & before);
	f->units[f->found] = (struct scan_unit){f->base + (size_t)__builtin_popcountll(before) + 1,
	    !((uint64_t)depth | f->doubt | (b->bad & before))};
	f->found += !none;
	f->depth = (int64_t)((uint64_t)depth & none) + __builtin_popcountll(b->open & behind) -
	    __builtin_popcountll(b->close & behind);
	f->doubt = ((f->doubt | b->bad) & none) | (b->bad & behind);
	return 0;
}

/* The ends of values in a block; true behind a bracket that closes what was not opened. */
static inline bool KERNEL(values)(struct KERNEL(finder) *f, const struct KERNEL(block) *b)
{
	uint64_t ends, bit, rest = ~(uint64_t)0;

	/* Only a block with as many closing brackets as are open can end a value. */
	if (f->depth > __builtin_popcountll(b->close)) {
		f->depth += __builtin_popcountll(b->open) - __builtin_popcountll(b->close);
		f->doubt |= b->bad;
		return false;
	}
	for (ends = b->open | b->close; ends; ends &= ends - 1) {
		bit = ends & (0 - ends);
		f->depth += b->open & bit ? 1 : -1;
		if (f->depth > 0)
			continue;
		KERNEL(emit)(f, f->base + (unsigned)__builtin_ctzll(ends) + 1,
		    !f->depth && !f->doubt && !(b->bad & rest & (bit | (bit - 1))));
		f->doubt = 0;
		rest = ~(bit | (bit - 1));
		if (f->depth < 0)
			return true;
	}
	f->doubt |= b->bad & rest;
	return false;
}

/* Blocks are looked at so many at a time. */
enum { KERNEL(BATCH) = 16 };

/*
 * Two loops over each batch, what its blocks say and what is found in them: either keeps in registers what it carries
 * from block to block. Inlined for each mode: a compiler left to itself asks for the mode at every block.
 */
__attribute__((always_inline)) static inline size_t KERNEL(run_mode)(struct scan *s, const char *p, size_t n,
    struct scan_unit *units, size_t max, bool lines)
{
	struct KERNEL(block) blocks[KERNEL(BATCH)];
	struct KERNEL(finder) f = {.units = units, .known = s->end, .depth = s->state.depth, .doubt = s->state.doubt};
	struct scan_state state = s->state, ahead;
	size_t at = s->at, left, count, i, k;
	unsigned broken = 0;
	bool stop = false;

	while (at < n) {
		/* A line that is nested 1024 deep is over 512 deep at one end of a batch, the one before or the next. */
		f.doubt |= lines && f.depth > DEEP;
		left = n - at;
		count = left < 64 ? 1 : left / 64 < KERNEL(BATCH) ? left / 64 : KERNEL(BATCH);
		ahead = state;
		for (i = 0; i < count; i++)
			blocks[i] = KERNEL(look)(p + at + i * 64, BELOW(left), lines, &ahead);
		for (i = 0; i < count; i++) {
			state.depth = f.depth;
			state.doubt = f.doubt;
			f.base = at + i * 64;
			/* A block ends at most 64 units. */
			stop = f.found + 64 > max || (!lines && KERNEL(values)(&f, &blocks[i]));
			broken = lines && !stop ? KERNEL(lines)(&f, &blocks[i]) : 0;
			if (stop || broken)
				break;
		}
		if (broken) {
			/* An open string would turn all that follows inside out: begin anew. */
			at += i * 64 + broken;
			state = (struct scan_state){0};
			f.depth = 0;
			f.doubt = 0;
		} else if (stop || left < 64) {
			break;
		} else {
			at += count * 64;
			ahead.depth = f.depth;
			ahead.doubt = f.doubt;
			state = ahead;
		}
	}
	/* Of a batch that was not used up, only the blocks before the one that stopped it count. */
	for (k = 0; stop && k < i; k++, at += 64)
		KERNEL(look)(p + at, ~(uint64_t)0, lines, &state);
	s->state = state;
	s->at = at;
	if (f.found)
		s->end = units[f.found - 1].end;
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
static inline uint64_t KERNEL(numbers)(const struct scan_masks *m, uint64_t scalar, struct KERNEL(check) *s,
    uint64_t *ends)
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
__attribute__((always_inline)) static inline uint64_t KERNEL(check_block)(
    const char *p, uint64_t valid, struct KERNEL(check) * s)
{
	struct KERNEL(framed) f = KERNEL(frame)(p, valid, &s->in_string, &s->escaped);
	struct scan_masks m;
	uint64_t in = f.in_string, quotes = f.quotes, open = f.open, close = f.close;
	uint64_t out, space, scalar, opening, closing, separator, ends, value, bad, want, last;

	classify_rest(p, &m);
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
	bad = f.bad & valid;
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
	struct scan_oddities o;
	struct scan_frame f;
	size_t at;

	for (at = 0; at < text.n; at += 64) {
		classify_frame(text.p + at, &f);
		quotes = f.quote & BELOW(text.n - at);
		if (f.odd || escaped) {
			classify_odd(text.p + at, &o);
			quotes &= ~KERNEL(escapes)(o.backslash, &escaped);
		}
		if (quotes)
			return at + (size_t)__builtin_ctzll(quotes);
	}
	return text.n;
}

#include "json/scan_shape.h"

static const struct scan_kernel KERNEL(kernel) = {KERNEL(run), KERNEL(clean), KERNEL(squeeze), KERNEL(skip),
    KERNEL(quote), KERNEL(shape)};
