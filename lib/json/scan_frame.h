/* scan_frame: finds the strings, brackets and newlines of one block; a part of scan_kernel.h. */

/*
 * Returns a mask of the bytes that are escaped by a preceding backslash. In a run of backslashes, every second one is
 * itself escaped.
 */
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
	uint64_t in = prefix_xor(quotes) ^ *in_string;

	*in_string = 0 - (in >> 63);
	return in;
}

/*
 * A block's strings and brackets: quotes that are not escaped, brackets outside strings, and bytes that a clean unit
 * must not contain.
 */
struct KERNEL(framed) {
	uint64_t quotes, in_string, open, close, newline, bad;
};

/*
 * Without always_inline here and at look(), compilers do not inline these functions, because each is called in several
 * places; the program is then 20 % slower.
 */
__attribute__((always_inline)) static inline struct KERNEL(framed)
    KERNEL(frame)(const char *p, uint64_t valid, uint64_t *in_string, uint64_t *escaped)
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

/* The result for one block: brackets outside strings, newlines, and bytes that a clean unit must not contain. */
struct KERNEL(block) {
	uint64_t open, close, newline, in_string, bad;
};

__attribute__((always_inline)) static inline struct KERNEL(block)
    KERNEL(look)(const char *p, uint64_t valid, bool lines, struct scan_state *s)
{
	struct KERNEL(framed) f = KERNEL(frame)(p, valid, &s->in_string, &s->escaped);

	if (lines) {
		f.bad &= ~f.newline; /* lines() itself checks for newlines in strings */
		/*
		 * }{ occurs where the newline between two records is missing. If there is text between the two
		 * brackets, the full check finds the error.
		 */
		f.bad |= f.open & (f.close << 1 | s->closed);
		s->closed = f.close >> 63;
	}
	return (struct KERNEL(block)){f.open, f.close, f.newline, f.in_string, f.bad};
}
