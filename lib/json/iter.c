#include "json/iter.h"

#include "json/iter_inline.h"

/* Returns the first byte from p on that is not white space. Usually this is p itself, or the byte after one space. */
static inline const char *skip_space(const char *p, const char *end)
{
	if (p < end && (unsigned char)*p > ' ')
		return p;
#ifdef __SSE2__
	/* In indented text, a newline and many spaces precede a member, so this loop skips 16 bytes at a time. */
	for (; end - p >= 16; p += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
		__m128i blank =
		    _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\n')));
		__m128i other =
		    _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('\t')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\r')));
		unsigned text = (unsigned)_mm_movemask_epi8(_mm_or_si128(blank, other)) ^ 0xffffu;

		if (text)
			return p + __builtin_ctz(text);
	}
#endif
	while (p < end && is_json_space(*p))
		p++;
	return p;
}

/* Returns the end of the digits at p, at most `end`. */
static inline const char *digits_end(const char *p, const char *end)
{
	const char *from;

	do {
		from = p;
		p = iter_digits_end(p);
	} while (p - from == 32 && p < end);
	return p < end ? p : end;
}

/* Returns the end of the number at p, or NULL if it is not a JSON number. */
static inline const char *number_end(const char *p, const char *end)
{
	const char *first = p + (*p == '-');

	p = digits_end(first, end);
	if (p == first || (*first == '0' && p - first > 1))
		return NULL;
	if (p < end && *p == '.') {
		first = p + 1;
		p = digits_end(first, end);
		if (p == first)
			return NULL;
	}
	if (p < end && (*p == 'e' || *p == 'E')) {
		first = p + 1;
		first += first < end && (*first == '+' || *first == '-');
		p = digits_end(first, end);
		if (p == first)
			return NULL;
	}
	return p;
}

static inline const char *word_end(const char *p, const char *end, struct str word)
{
	return (size_t)(end - p) >= word.n && memcmp(p, word.p, word.n) == 0 ? p + word.n : NULL;
}

/* Returns whether there is a bracket in the 16 bytes at p. */
static inline bool has_bracket(const char *p)
{
#ifdef __SSE2__
	__m128i v = _mm_or_si128(_mm_loadu_si128((const __m128i *)(const void *)p), _mm_set1_epi8(0x20));

	return _mm_movemask_epi8(
		   _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('{')), _mm_cmpeq_epi8(v, _mm_set1_epi8('}')))) != 0;
#else
	return true;
#endif
}

/*
 * Returns whether the object or array at p is short, contains no bracket, and ends directly before the last byte of the
 * text, which is a bracket, as the args of most records do. In valid text, the last two bytes are then not in a string.
 */
static inline bool is_flat_and_last(const char *p, const char *end)
{
	const char *last = end - 2;

	if (last - p <= 16 || last - p > 128 || *last != *p + 2 || (end[-1] != '}' && end[-1] != ']'))
		return false;
	for (p++; last - p > 16; p += 16) {
		if (has_bracket(p))
			return false;
	}
	return !has_bracket(last - 16);
}

/* Returns the end of the value that begins at p, or NULL if there is no value. */
static inline const char *value_end(const char *p, const char *end)
{
	size_t n;

	if (p == end)
		return NULL;
	switch (*p) {
	case '"':
		p = iter_string_end(p + 1, end);
		return p ? p + 1 : NULL;
	case '{':
	case '[':
		if (end - p > 1 && p[1] == *p + 2) /* {} and [] */
			return p + 2;
		if (is_flat_and_last(p, end))
			return end - 1;
		n = scan_skip((struct str){p, (size_t)(end - p)});
		return n ? p + n : NULL;
	case 't':
		return word_end(p, end, STR("true"));
	case 'f':
		return word_end(p, end, STR("false"));
	case 'n':
		return word_end(p, end, STR("null"));
	default:
		return number_end(p, end);
	}
}

void iter_init(struct iter *w, struct str text)
{
	w->end = text.p + text.n;
	w->p = skip_space(text.p, w->end);
	w->first = true;
	w->close = 0;
	if (w->p < w->end && (*w->p == '{' || *w->p == '['))
		w->close = *w->p++ == '{' ? '}' : ']';
}

int iter_key(struct iter *w, struct str *key)
{
	const char *p = skip_space(w->p, w->end), *end = w->end, *q;

	if (!w->close || p == end)
		return -1;
	if (*p == w->close) {
		w->p = p; /* w->p stays at the bracket, so that further calls return the same result */
		return skip_space(p + 1, end) == end ? 0 : -1;
	}
	if (!w->first) {
		if (*p != ',')
			return -1;
		p = skip_space(p + 1, end);
	}
	w->first = false;
	*key = (struct str){NULL, 0};
	if (w->close == '}') {
		if (p == end || *p != '"')
			return -1;
		q = iter_string_end(++p, end);
		if (!q)
			return -1;
		*key = (struct str){p, (size_t)(q - p)};
		p = skip_space(q + 1, end);
		if (p == end || *p != ':')
			return -1;
		p = skip_space(p + 1, end);
	}
	w->p = p;
	return p < end ? 1 : -1;
}

bool iter_value(struct iter *w, struct str *value)
{
	const char *end = value_end(w->p, w->end);

	if (!end)
		return false;
	*value = (struct str){w->p, (size_t)(end - w->p)};
	w->p = end;
	return true;
}

int iter_next(struct iter *w, struct str *key, struct str *value)
{
	int r = iter_key(w, key);

	return r <= 0 ? r : iter_value(w, value) ? 1 : -1;
}

bool iter_may_find(struct str text, const char three[3])
{
	return scan_find(text, (const char[]){'"', three[0], three[1], three[2]}) < text.n;
}

bool iter_array(struct iter *w, struct str text)
{
	*w = (struct iter){.close = 0};
	if (text.p)
		iter_init(w, text);
	return w->close == ']';
}

bool iter_element(struct iter *w, struct str *value)
{
	struct str key;

	return iter_next(w, &key, value) > 0;
}

struct str iter_find(struct str object, struct str key)
{
	struct str found = {NULL, 0}, k, v;
	struct iter w;
	int r;

	iter_init(&w, object);
	if (w.close != '}')
		return found;
	while ((r = iter_next(&w, &k, &v)) > 0) {
		if (str_eq(k, key))
			found = v;
	}
	return r == 0 ? found : (struct str){NULL, 0};
}
