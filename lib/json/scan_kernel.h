/*
 * scan_kernel: the body of a kernel, which scan.c includes once for each instruction set.
 *
 * All functions work on 64-bit masks with one bit for each byte of a block, bit 0 for the first byte. The carry of an
 * addition passes through a run of ones: in this way, one addition finds the first byte after each run of white space
 * in a block.
 */

/* --- the strings, brackets and newlines of one block --- */

/* Returns the bytes that a backslash escapes. In a run of backslashes, every second one is itself escaped. */
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

/* Returns the string mask: its bits are set from each opening quote up to the byte before the closing quote. */
static inline uint64_t KERNEL(strings)(uint64_t quotes, uint64_t *in_string)
{
	uint64_t in = KERNEL(prefix_xor)(quotes) ^ *in_string;

	*in_string = 0 - (in >> 63);
	return in;
}

/* One block: brackets outside strings, newlines, bytes in strings, and bytes that a clean unit must not contain. */
struct KERNEL(block) {
	uint64_t open, close, newline, in_string, bad;
};

/*
 * Sets *quotes to the quotes that are not escaped. Without always_inline here and at look(), compilers do not inline
 * these functions, because each is called in several places; the program is then 20 % slower.
 */
__attribute__((always_inline)) static inline struct KERNEL(block)
    KERNEL(frame)(const char *p, uint64_t valid, uint64_t *in_string, uint64_t *escaped, uint64_t *quotes)
{
	struct KERNEL(block) b = {.newline = KERNEL(equal)(p, '\n') & valid};
	uint64_t out;

	*quotes = KERNEL(equal)(p, '"') & valid;
	if (KERNEL(odd)(p) || *escaped) {
		const uint64_t backslash = KERNEL(equal)(p, '\\');

		*quotes &= ~KERNEL(escapes)(backslash & valid, escaped);
		b.in_string = KERNEL(strings)(*quotes, in_string);
		b.bad = (KERNEL(high)(p) | backslash | (KERNEL(low_or_high)(p) & b.in_string)) & valid;
	} else {
		b.in_string = KERNEL(strings)(*quotes, in_string);
		b.bad = b.newline & b.in_string;
	}
	out = ~b.in_string & valid;
	b.open = KERNEL(folded)(p, '{') & out;
	b.close = KERNEL(folded)(p, '}') & out;
	return b;
}

__attribute__((always_inline)) static inline struct KERNEL(block)
    KERNEL(look)(const char *p, uint64_t valid, bool lines, struct scan_state *s)
{
	uint64_t quotes;
	struct KERNEL(block) b = KERNEL(frame)(p, valid, &s->in_string, &s->escaped, &quotes);

	if (lines) {
		b.bad &= ~b.newline; /* run_lines() checks for newlines in strings */
		/*
		 * }{ occurs where the newline between two records is missing. If there is text between the two
		 * brackets, the full check finds the error.
		 */
		b.bad |= b.open & (b.close << 1 | s->closed);
		s->closed = b.close >> 63;
	}
	return b;
}

/* --- where units, values and strings end --- */

/* The results for the blocks searched so far. */
struct KERNEL(finder) {
	struct scan_unit *units;
	/* found: number of units in units[]; known: the end of the last unit that the preceding call returned */
	size_t found, known;
	size_t base; /* offset of the block in p[] */
	int64_t depth;
	uint64_t doubt; /* 0 as long as the current unit is clean */
};

static inline void KERNEL(emit)(struct KERNEL(finder) *f, size_t end, bool clean)
{
	/* The preceding call may have returned this unit already, when the block was incomplete. */
	if (end > f->known)
		f->units[f->found++] = (struct scan_unit){end, clean};
}

/* Finds the ends of values in a block; returns true after a closing bracket without an opening one. */
static inline bool KERNEL(values)(struct KERNEL(finder) *f, const struct KERNEL(block) *b)
{
	uint64_t ends, bit, rest = ~(uint64_t)0;

	/* A value can end in a block only if the block has at least as many closing brackets as there are open ones. */
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

/* The number of blocks that are classified before they are searched. */
enum { KERNEL(BATCH) = 16 };

/*
 * Runs two loops over each batch, one that classifies its blocks and one that searches them, so that each loop keeps
 * its state in registers.
 */
static size_t KERNEL(run_values)(struct scan *s, const char *p, size_t n, struct scan_unit *units, size_t max)
{
	struct KERNEL(block) blocks[KERNEL(BATCH)];
	struct KERNEL(finder) f = {.units = units, .known = s->end, .depth = s->state.depth, .doubt = s->state.doubt};
	struct scan_state state = s->state, ahead;
	size_t at = s->at, left, count, i, k;
	bool stop = false;

	while (at < n && !stop) {
		left = n - at;
		count = left < 64 ? 1 : left / 64 < KERNEL(BATCH) ? left / 64 : KERNEL(BATCH);
		ahead = state;
		for (i = 0; i < count; i++)
			blocks[i] = KERNEL(look)(p + at + i * 64, BELOW(left), false, &ahead);
		for (i = 0; i < count; i++) {
			state.depth = f.depth;
			state.doubt = f.doubt;
			f.base = at + i * 64;
			/* At most 64 units end in one block. */
			stop = f.found + 64 > max || KERNEL(values)(&f, &blocks[i]);
			if (stop)
				break;
		}
		if (stop || left < 64)
			break;
		at += count * 64;
		ahead.depth = f.depth;
		ahead.doubt = f.doubt;
		state = ahead;
	}
	/* If the search stopped within a batch, `state` and `at` advance up to the block where it stopped. */
	for (k = 0; stop && k < i; k++, at += 64)
		KERNEL(look)(p + at, ~(uint64_t)0, false, &state);
	s->state = state;
	s->at = at;
	if (f.found)
		s->end = units[f.found - 1].end;
	return f.found;
}

/* --- lines --- */

/*
 * A classified batch. `sum` counts open brackets, minus closing ones, plus 1 << BAD for each bad byte. So a line is
 * clean if the sums up to its beginning and up to its end are equal.
 */
struct KERNEL(batch) {
	uint64_t open[KERNEL(BATCH)], close[KERNEL(BATCH)], bad[KERNEL(BATCH)], in_string[KERNEL(BATCH)];
	int64_t before[KERNEL(BATCH)]; /* the sum of all bytes before each block */
	int64_t sum;                   /* the sum of the whole batch, and of the line that began before it */
	bool unclosed;                 /* a newline is in a string */
	size_t n_ends;
	uint16_t ends[KERNEL(BATCH) * 64 + 1]; /* the offsets of the newlines */
};

/* Lists the newlines of a block. It has no branch for blocks without one, since these cannot be predicted well. */
static inline void KERNEL(list_ends)(struct KERNEL(batch) *b, size_t base, uint64_t newline)
{
	b->ends[b->n_ends] = (uint16_t)(base + (size_t)__builtin_ctzll(newline | (uint64_t)1 << 63));
	b->n_ends += newline != 0;
	for (newline &= newline - 1; newline; newline &= newline - 1)
		b->ends[b->n_ends++] = (uint16_t)(base + (size_t)__builtin_ctzll(newline));
}

/*
 * The same as classify(), but faster, for a whole batch of clean text: the only special bytes are newlines outside
 * strings, and no line has two records. Returns false for other text, except when special bytes are outside strings:
 * these are listed as ends, because newlines are checked faster by the caller, once for each line.
 */
__attribute__((always_inline)) static inline bool KERNEL(classify_plain)(
    struct KERNEL(batch) *b, const char *p, struct scan_state *state)
{
	uint64_t in_string = state->in_string, closed = state->closed, odd = state->escaped;
	int64_t sum = state->depth;
	size_t i;

	b->n_ends = 0;
	b->unclosed = false;
	for (i = 0; i < KERNEL(BATCH); i++, p += 64) {
		const uint64_t special = KERNEL(special)(p);
		const uint64_t in = KERNEL(strings)(KERNEL(equal)(p, '"'), &in_string);
		const uint64_t open = KERNEL(folded)(p, '{') & ~in, close = KERNEL(folded)(p, '}') & ~in;

		odd |= (special & in) | (open & (close << 1 | closed));
		closed = close >> 63;
		b->open[i] = open;
		b->close[i] = close;
		b->bad[i] = 0;
		b->before[i] = sum;
		sum += (int64_t)__builtin_popcountll(open);
		sum -= (int64_t)__builtin_popcountll(close);
		KERNEL(list_ends)(b, i * 64, special);
	}
	b->sum = sum;
	state->in_string = in_string;
	state->closed = closed;
	return !odd;
}

/* Classifies a batch that begins with the state *state, which it updates except its depth. */
__attribute__((always_inline)) static inline void KERNEL(classify)(
    struct KERNEL(batch) *b, const char *p, size_t count, uint64_t valid, struct scan_state *state)
{
	struct scan_state s = *state; /* a copy stays in registers */
	uint64_t unclosed = 0;
	int64_t sum = s.depth;
	size_t i;

	b->n_ends = 0;
	for (i = 0; i < count; i++, p += 64) {
		const struct KERNEL(block) k = KERNEL(look)(p, valid, true, &s);

		b->open[i] = k.open;
		b->close[i] = k.close;
		b->bad[i] = k.bad;
		b->in_string[i] = k.in_string;
		b->before[i] = sum;
		sum += (int64_t)__builtin_popcountll(k.open);
		sum -= (int64_t)__builtin_popcountll(k.close);
		sum += (int64_t)__builtin_popcountll(k.bad) << BAD;
		unclosed |= k.newline & k.in_string;
		KERNEL(list_ends)(b, i * 64, k.newline);
	}
	b->sum = sum;
	b->unclosed = unclosed != 0;
	*state = s;
}

/* Returns the sum of all bytes before the offset `at` of the batch. */
static inline int64_t KERNEL(sum_before)(const struct KERNEL(batch) *b, unsigned at)
{
	const uint64_t mask = ((uint64_t)1 << at % 64) - 1;
	const size_t i = at / 64;

	return b->before[i] + __builtin_popcountll(b->open[i] & mask) - __builtin_popcountll(b->close[i] & mask) +
	       ((int64_t)__builtin_popcountll(b->bad[i] & mask) << BAD);
}

/*
 * Removes the lines that do not fit in units[], and those after an unclosed string, after which the inside and outside
 * of strings would be swapped. Returns whether it removed any, or could have done so. Sets *unclosed if the last line
 * that remains has an unclosed string.
 */
static bool KERNEL(cut)(struct KERNEL(batch) *b, size_t room, bool *unclosed)
{
	const bool all = b->n_ends <= room;
	size_t i;

	b->n_ends = all ? b->n_ends : room;
	for (i = 0; i < b->n_ends && b->unclosed; i++) {
		if (b->in_string[b->ends[i] / 64] >> b->ends[i] % 64 & 1) {
			b->n_ends = i + 1;
			return *unclosed = true;
		}
	}
	return !all;
}

static size_t KERNEL(run_lines)(struct scan *s, const char *p, size_t n, struct scan_unit *units, size_t max)
{
	struct scan_state state = s->state, ahead;
	struct KERNEL(batch) b;
	size_t at = s->at, found = 0, left, count, i;
	unsigned wait = 0; /* for this number of batches, classify_plain() is not tried */
	bool cut, newlines, unclosed = false;
	int64_t sum, last;

	while (at < n && found < max) {
		left = n - at;
		count = left / 64 < KERNEL(BATCH) ? left / 64 : KERNEL(BATCH);
		/*
		 * A batch has 1024 bytes. So a line that is nested deeper than 1024 within the batch is nested deeper
		 * than 512 at the beginning or at the end of the batch.
		 */
		state.depth |= (int64_t)((int32_t)state.depth > DEEP) << BAD;
		ahead = state;
		if (count < KERNEL(BATCH) || wait || !KERNEL(classify_plain)(&b, p + at, &ahead)) {
			wait = wait ? wait - 1 : KERNEL(BATCH);
			ahead = state;
			if (count)
				KERNEL(classify)(&b, p + at, count, ~(uint64_t)0, &ahead);
			else
				KERNEL(classify)(&b, p + at, 1, BELOW(left), &ahead);
		}
		cut = (b.unclosed || b.n_ends > max - found) && KERNEL(cut)(&b, max - found, &unclosed);
		for (i = 0, last = 0, newlines = true; i < b.n_ends; i++, last = sum) {
			sum = KERNEL(sum_before)(&b, b.ends[i]);
			units[found + i] = (struct scan_unit){at + b.ends[i] + 1, sum == last};
			newlines &= p[at + b.ends[i]] == '\n';
		}
		if (!newlines) {
			wait = KERNEL(BATCH); /* the batch is classified again */
			continue;
		}
		found += b.n_ends;
		if (unclosed)
			units[found - 1].clean = unclosed = false;
		if (count && !cut) {
			at += count * 64;
			state = ahead;
			state.depth = b.sum - last;
		} else if (b.n_ends) {
			at += (size_t)b.ends[b.n_ends - 1] + 1;
			state = (struct scan_state){0};
		} else {
			break; /* the last block is incomplete */
		}
	}
	s->state = state;
	s->at = at;
	return found;
}

static size_t KERNEL(run)(struct scan *s, const char *p, size_t n, struct scan_unit *units, size_t max)
{
	return s->mode == SCAN_LINES ? KERNEL(run_lines)(s, p, n, units, max) : KERNEL(run_values)(s, p, n, units, max);
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

static size_t KERNEL(skip)(struct str text)
{
	struct scan_state s = {0};
	struct KERNEL(block) b;
	uint64_t last;
	size_t at;

	for (at = 0; at < text.n; at += 64) {
		b = KERNEL(look)(text.p + at, BELOW(text.n - at), false, &s);
		last = KERNEL(last_close)(b.open, b.close, &s.depth);
		if (last)
			return at + (size_t)__builtin_ctzll(last) + 1;
	}
	return 0;
}

static size_t KERNEL(quote)(struct str text)
{
	uint64_t escaped = 0, quotes;
	size_t at;

	for (at = 0; at < text.n; at += 64) {
		quotes = KERNEL(equal)(text.p + at, '"') & BELOW(text.n - at);
		if (KERNEL(odd)(text.p + at) || escaped)
			quotes &= ~KERNEL(escapes)(KERNEL(equal)(text.p + at, '\\'), &escaped);
		if (quotes)
			return at + (size_t)__builtin_ctzll(quotes);
	}
	return text.n;
}

/* Reads at most SCAN_PAD - 1 bytes after the text, although it compares four bytes at each place of a block. */
static size_t KERNEL(find)(struct str text, const char four[4])
{
	uint64_t found;
	size_t at;

	for (at = 0; at + 3 < text.n; at += 64) {
		found = KERNEL(equal)(text.p + at + 2, four[2]) & KERNEL(equal)(text.p + at + 3, four[3]);
		if (!found)
			continue;
		found &= KERNEL(equal)(text.p + at, four[0]) & KERNEL(equal)(text.p + at + 1, four[1]);
		found &= BELOW(text.n - 3 - at);
		if (found)
			return at + (size_t)__builtin_ctzll(found);
	}
	return text.n;
}

/* --- numbers, the order of tokens, and squeezed text --- */

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

static inline uint64_t KERNEL(spaces)(const char *p)
{
	return KERNEL(equal)(p, ' ') | KERNEL(equal)(p, '\n') | KERNEL(equal)(p, '\t') | KERNEL(equal)(p, '\r');
}

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

/* Returns the bytes that follow `tokens`. *carry is the last bit of `tokens` in the preceding block. */
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
static inline uint64_t KERNEL(numbers)(const char *p, uint64_t scalar, struct KERNEL(check) *s, uint64_t *ends)
{
	uint64_t digit = KERNEL(digits)(p) & scalar, minus = KERNEL(equal)(p, '-') & scalar;
	uint64_t dot = KERNEL(equal)(p, '.') & scalar;
	uint64_t behind_scalar = KERNEL(behind)(scalar, &s->in_scalar);
	uint64_t behind_digit = KERNEL(behind)(digit, &s->digit);
	uint64_t start = scalar & ~behind_scalar, bad, zero, fraction, run;

	*ends = behind_scalar & ~scalar;
	/* only digits, signs and points; a sign comes first; a digit precedes each point and is the last byte */
	bad = scalar & ~(digit | minus | dot);
	bad |= minus & ~start;
	bad |= (dot | *ends) & ~behind_digit;
	/* a sign or a point must be followed by a digit */
	bad |= KERNEL(behind)(minus | dot, &s->point_or_sign) & ~digit;
	/* a leading zero must not be followed by a digit */
	zero = KERNEL(equal)(p, '0') & (start | KERNEL(behind)(minus & start, &s->sign_first));
	bad |= KERNEL(behind)(zero & scalar, &s->zero_first) & digit;
	/* the digits after a point must not be followed by another point */
	fraction = dot << 1 | s->in_fraction;
	s->in_fraction = dot >> 63 | __builtin_add_overflow(fraction & digit, digit, &run);
	return bad | ((fraction | run) & ~digit & dot);
}

/* Checks a block up to the end of the value, and returns the bytes that are not white space between tokens. */
__attribute__((always_inline)) static inline uint64_t KERNEL(check_block)(
    const char *p, uint64_t valid, struct KERNEL(check) *s)
{
	uint64_t quotes, out, space, scalar, bracket, colon, opening, closing, separator, ends, value, bad, want, last;
	struct KERNEL(block) b = KERNEL(frame)(p, valid, &s->in_string, &s->escaped, &quotes);

	last = KERNEL(last_close)(b.open, b.close, &s->depth);
	if (last) {
		/* The text after the value is not part of it. */
		s->ended = true;
		valid &= last | (last - 1);
		b.open &= valid;
		b.close &= valid;
		quotes &= valid;
		b.in_string &= valid;
	}
	bad = b.bad & valid;
	/* Bytes after the end are treated as white space: they neither begin nor end a token. */
	space = (KERNEL(spaces)(p) | ~valid) & ~b.in_string;
	out = ~b.in_string & valid;
	bracket = KERNEL(equal)(p, '[') & b.open;
	colon = KERNEL(equal)(p, ':') & out;
	separator = colon | (KERNEL(equal)(p, ',') & out);
	opening = quotes & b.in_string;
	closing = quotes & out;
	scalar = out & ~(space | b.open | b.close | separator | closing);
	s->brackets += __builtin_popcountll(bracket) - __builtin_popcountll(KERNEL(equal)(p, ']') & b.close);
	s->braces += (unsigned)__builtin_popcountll(b.open ^ bracket);
	s->colons += (unsigned)__builtin_popcountll(colon);
	bad |= KERNEL(numbers)(p, scalar, s, &ends);

	/* Checks which token may follow which. */
	value = opening | scalar | b.open;
	bad |= KERNEL(next)(b.open ^ bracket, space, &s->after_brace) & ~(opening | b.close);
	bad |= KERNEL(next)(bracket, space, &s->after_bracket) & ~(value | b.close);
	bad |= KERNEL(next)(separator, space, &s->after_comma) & ~value;
	bad |= KERNEL(next)(closing, space, &s->after_string) & ~(separator | b.close);
	/* `ends` marks the bytes after numbers: for a number that ended with the preceding block, this is bit 0. */
	s->after_value |= ends & 1;
	want = KERNEL(next)(b.close | ends >> 1, space, &s->after_value);
	bad |= want & ~((separator & ~colon) | b.close);
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
		to = KERNEL(squeeze_block)(to, text.p + at, keep);
	}
	r.n = (size_t)(to - begin);
	/* The closing bracket is the last byte in `keep`. */
	r.used = !s.ended ? text.n : at - (size_t)__builtin_clzll(keep);
	r.clean = KERNEL(is_clean)(&s, text);
	r.braces = s.braces;
	r.colons = s.colons;
	return r;
}

/* --- scan_shape(), which scan.h describes --- */

/* A clean unit has no escapes, so each quote begins or ends a string. */

/* The state carried from block to block; flags are 0 or 1. */
struct KERNEL(shape) {
	uint64_t in_string;
	uint64_t scalar, digit, dot; /* the class of the last byte; scalar: part of a number or a word */
	uint64_t zero;               /* the last byte was a leading zero of a number */
	size_t digits;               /* number of digits at the end of the preceding block */
	uint64_t bad;
};

/* Returns a value that is not 0 for 17 consecutive digits, or 16 that begin with a 9, even in strings. */
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
	uint64_t quote = KERNEL(equal)(p, '"') & valid, space = KERNEL(spaces)(p), digit = KERNEL(digits)(p);
	uint64_t structural =
	    KERNEL(folded)(p, '{') | KERNEL(folded)(p, '}') | KERNEL(equal)(p, ':') | KERNEL(equal)(p, ',');
	uint64_t zero = KERNEL(equal)(p, '0'), nine = KERNEL(equal)(p, '9'), dot = KERNEL(equal)(p, '.');
	uint64_t out, scalar, follows, spaced;

	GENERAL_REGISTERS(quote, space, structural, digit);
	GENERAL_REGISTERS(zero, nine, dot, valid);
	out = ~KERNEL(strings)(quote, &s->in_string) & valid & ~quote;
	s->bad |= KERNEL(long_digits)(p, digit & valid, nine, s);
	space &= out;
	scalar = out & ~(space | structural);
	digit &= out;

	/* White space directly after a scalar is kept: otherwise a second scalar would continue the first one. */
	spaced = KERNEL(behind)(scalar, &s->scalar) & space;
	/* A digit after a leading zero is invalid and is kept. A fraction may begin with zeros. */
	follows = KERNEL(behind)(digit, &s->digit);
	zero &= digit & ~follows & ~KERNEL(behind)(dot & out, &s->dot);
	follows &= ~KERNEL(behind)(zero, &s->zero);
	*digits = digit;
	return (out & ~space & ~(digit & follows)) | spaced | quote;
}

/* Returns 0 when the shape is longer than max or the unit needs a full check. to[] has at least max + 64 bytes. */
static size_t KERNEL(shape)(char *to, size_t max, struct str text)
{
	struct KERNEL(shape) s = {0};
	char *begin = to;
	uint64_t keep, digits;
	size_t at;

	for (at = 0; at < text.n && to <= begin + max; at += 64) {
		keep = KERNEL(shape_block)(text.p + at, BELOW(text.n - at), &s, &digits);
		to = KERNEL(shape_bytes)(to, text.p + at, keep, digits);
	}
	return s.bad || to > begin + max ? 0 : (size_t)(to - begin);
}

static const struct scan_kernel KERNEL(kernel) = {
    KERNEL(run), KERNEL(clean), KERNEL(squeeze), KERNEL(skip), KERNEL(quote), KERNEL(shape), KERNEL(find)};
