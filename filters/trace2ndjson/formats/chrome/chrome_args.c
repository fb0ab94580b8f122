/*
 * Most args are copied in one pass, which checks them, reads them and removes their white space. Any other args are
 * copied by scan_squeeze() and then read.
 */
#include "chrome_args.h"

#include "json/iter_inline.h"
#include "key_gaps.h"

#define ARG_NAME(id, name) {name, sizeof(name) - 1},
static enum chrome_arg arg_of(struct str key)
{
	static const struct str names[] = {CHROME_ARGS(ARG_NAME)};
	enum chrome_arg arg;

	for (arg = 0; arg < ARG_N && !str_eq(key, names[arg]); arg++)
		;
	return arg;
}

/* --- the copy in one pass --- */

/* The positions in the text and in the copy. The copy never gets longer than the text that was read. */
struct copying {
	const char *p, *end;
	char *to;
};

/* Copies a string of a clean text: its end is the next quote. */
static inline bool copy_string(struct copying *c)
{
	const char *p = c->p + 1;
	size_t n;
#ifdef __SSE2__
	const __m128i quote = _mm_set1_epi8('"');
	unsigned quotes;

	*c->to++ = '"';
	for (; p < c->end; p += 16, c->to += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);

		_mm_storeu_si128((__m128i *)(void *)c->to, v);
		quotes = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, quote));
		if (quotes) {
			n = (size_t)__builtin_ctz(quotes) + 1;
			c->to += n;
			c->p = p + n;
			return c->p <= c->end;
		}
	}
	return false;
#else
	const char *q = memchr(p, '"', (size_t)(c->end - p));

	if (!q)
		return false;
	n = (size_t)(q + 1 - c->p);
	memcpy(c->to, c->p, n);
	c->to += n;
	c->p += n;
	return true;
#endif
}

/* Copies an integer or a number with a fraction; false for other numbers. */
static inline bool copy_number(struct copying *c)
{
	const char *first = c->p + (*c->p == '-'), *q = iter_digits_end(first);
	size_t n;

	if (q == first || (*first == '0' && q - first > 1))
		return false;
	if (*q == '.') {
		first = q + 1;
		q = iter_digits_end(first);
		if (q == first)
			return false;
	}
	n = (size_t)(q - c->p);
	if (n > 32 || q >= c->end || *q == 'e' || *q == 'E' || *q == '.' || is_digit(*q))
		return false;
	memcpy(c->to, c->p, 32);
	c->to += n;
	c->p = q;
	return true;
}

/* Copies an array. Arrays of a few integers, such as the sizes of a grid, are so short that a scan would cost more. */
static inline bool copy_array(struct copying *c)
{
	const char *p = c->p + 1, *q;
	char *to = c->to;
	struct scan_squeezed squeezed;

	for (*to++ = '['; c->end - p > 16 && is_digit(*p) && *p != '0'; p = q + 1 + (q[1] == ' ')) {
		q = iter_digits_end(p);
		if (q - p > 15 || (*q != ',' && *q != ']'))
			break;
		memcpy(to, p, 16);
		to += q - p + 1;
		if (*q == ']') {
			c->to = to;
			c->p = q + 1;
			return true;
		}
	}
	squeezed = scan_squeeze(c->to, (struct str){c->p, (size_t)(c->end - c->p)});
	/* An array without objects that is clean is JSON, because it has only one type of brackets. */
	c->to += squeezed.n;
	c->p += squeezed.used;
	return squeezed.clean && !squeezed.braces && !squeezed.colons;
}

/* Copies a value; returns false when it is an object or not JSON. */
static inline bool copy_value(struct copying *c)
{
	struct iter w;
	struct str value;

	if (*c->p == '"')
		return copy_string(c);
	if (*c->p == '[')
		return copy_array(c);
	if (*c->p == '{')
		return false;
	if (copy_number(c))
		return true;
	w = (struct iter){.p = c->p, .end = c->end};
	if (!iter_value(&w, &value))
		return false;
	c->to = str_copy(c->to, value);
	c->p = w.p;
	return true;
}

/* Gets the gap at c->p by an iteration, and remembers it. */
static struct key_gap *learn(
    struct chrome_args *a, struct key_gap *last, const struct copying *c, const struct kept_args *kept)
{
	struct iter w = {.p = c->p, .end = c->end, .close = '}', .first = last == key_gaps_begin(&a->gaps)};
	struct str key = {NULL, 0};
	struct key_gap *gap;
	int r;

	/* The text continues after args, so the end of args is found here. */
	while (w.p < w.end && is_json_space(*w.p))
		w.p++;
	if (w.p < w.end && *w.p == '}')
		return key_gaps_learn(&a->gaps, last, (struct str){c->p, (size_t)(w.p + 1 - c->p)}, key, KEY_GAP_END);
	r = iter_key(&w, &key);
	if (r <= 0)
		return NULL;
	gap = key_gaps_learn(&a->gaps, last, (struct str){c->p, (size_t)(w.p - c->p)}, key, arg_of(key));
	if (gap)
		gap->kept = kept_args_has(kept, key);
	return gap;
}

/*
 * Copies args; with `cut`, only the members with the names in `kept`. Returns the end of the copy, or NULL when these
 * args need scan_squeeze().
 */
static char *copy_members(struct chrome_args *a, struct copying *c, const struct kept_args *kept, bool cut)
{
	struct key_gap *gap = key_gaps_begin(&a->gaps), *next;
	char *const first = c->to + 1, *to;
	const char *from;
	size_t comma;

	memset(a->m, 0, sizeof a->m);
	*c->to++ = *c->p++;
	for (;; gap = next) {
		next = key_gaps_find(&a->gaps, gap, c->p, c->end);
		if (!next && !(next = learn(a, gap, c, kept)))
			return NULL;
		to = c->to;
		/* The members before the first one that is kept had the comma after them. */
		comma = cut && to == first && next->squeezed[0] == ',';
		memcpy(to, next->squeezed + comma, KEY_GAP_ROOM - 1);
		c->to += next->squeezed_n - comma;
		c->p += next->n;
		if (next->member == KEY_GAP_END)
			break;
		from = cut ? c->p : c->to;
		if (!copy_value(c))
			return NULL;
		if (next->member < ARG_N)
			a->m[next->member] = (struct str){from, (size_t)((cut ? c->p : c->to) - from)};
		if (cut && !next->kept)
			c->to = to;
	}
	a->sound = true;
	a->cut = cut;
	return c->to;
}

/* --- any args --- */

/* Reads the copy, which scan_squeeze() made. */
static void read_copy(struct chrome_args *a, struct str copy, const struct scan_squeezed *squeezed)
{
	struct str key, value;
	enum chrome_arg arg;
	struct iter w;
	unsigned members = 0;
	int r;

	memset(a->m, 0, sizeof a->m);
	iter_init(&w, copy);
	while ((r = iter_quick(&w, &key, &value)) > 0) {
		members++;
		arg = arg_of(key);
		if (arg < ARG_N)
			a->m[arg] = value;
	}
	a->cut = false;
	/* see struct scan_squeezed */
	a->sound = r == 0 && squeezed->clean && squeezed->braces == 1 && squeezed->colons == members;
}

size_t chrome_args_copy(
    struct chrome_args *a, struct buf *to, struct str rest, bool clean, const struct kept_args *kept, bool cut)
{
	struct copying c = {.p = rest.p, .end = rest.p + rest.n};
	struct scan_squeezed squeezed;
	char *end;

	to->n = 0;
	c.to = buf_room(to, rest.n + 64);
	end = clean ? copy_members(a, &c, kept, cut) : NULL;
	if (end) {
		to->n = (size_t)(end - to->p);
		return (size_t)(c.p - rest.p);
	}
	squeezed = scan_squeeze(to->p, rest);
	to->n = squeezed.n;
	read_copy(a, buf_str(to), &squeezed);
	return squeezed.used;
}
