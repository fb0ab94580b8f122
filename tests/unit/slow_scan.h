/* slow_scan: a second implementation of json/scan, a byte at a time and without state between calls. */
#ifndef SLOW_SCAN_H
#define SLOW_SCAN_H

#include "json/scan.h"

#include <stdlib.h>

static inline bool slow_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static inline bool slow_is_open(char c)
{
	return c == '{' || c == '[';
}

static inline bool slow_is_close(char c)
{
	return c == '}' || c == ']';
}

/* The state while reading; a backslash escapes the next byte, both inside and outside strings. */
struct slow_state {
	bool in_string, escaped;
};

/* Returns whether c is a quote that is not escaped; *s becomes the state after c. */
static inline bool slow_step(struct slow_state *s, char c)
{
	bool escaped = s->escaped, quote = c == '"' && !escaped;

	s->escaped = c == '\\' && !escaped;
	s->in_string ^= quote;
	return quote;
}

/*
 * Returns all units of s; the caller frees them. With SCAN_VALUES, a closing bracket without an opening one ends the
 * last unit.
 */
static inline struct scan_unit *slow_units(struct str s, enum scan_mode mode, size_t *n)
{
	struct scan_unit *units = malloc((s.n + 1) * sizeof *units);
	struct slow_state state = {0};
	bool clean = true, closed = false, within;
	long depth = 0;
	size_t i;

	*n = 0;
	for (i = 0; i < s.n; i++) {
		char c = s.p[i];
		bool lines = mode == SCAN_LINES, quote = slow_step(&state, c);

		within = state.in_string && !quote;
		if (c == '\\' || (unsigned char)c >= 0x80 ||
		    (within && (unsigned char)c < 0x20 && !(lines && c == '\n')))
			clean = false;
		if (lines && !within && !quote && slow_is_open(c) && closed)
			clean = false;
		closed = !within && !quote && slow_is_close(c);
		if (!within && !quote)
			depth += slow_is_open(c) ? 1 : slow_is_close(c) ? -1 : 0;
		if (lines ? c == '\n' : !within && !quote && (slow_is_open(c) || slow_is_close(c)) && depth <= 0) {
			units[(*n)++] = (struct scan_unit){i + 1, clean && depth == 0 && !(lines && within)};
			if (!lines && depth < 0)
				break;
			if (lines && within)
				state = (struct slow_state){0};
			clean = true;
			depth = 0;
		}
	}
	return units;
}

/* Returns whether s is one object or array, with closed strings, and nothing else. */
static inline bool slow_framed(struct str s)
{
	struct slow_state state = {0};
	long depth = 0;
	size_t i;

	if (!s.n || !slow_is_open(s.p[0]))
		return false;
	for (i = 0; i < s.n; i++) {
		if (slow_step(&state, s.p[i]) || state.in_string)
			continue;
		depth += slow_is_open(s.p[i]) ? 1 : slow_is_close(s.p[i]) ? -1 : 0;
		if (depth <= 0)
			return i + 1 == s.n;
	}
	return false;
}

static inline size_t slow_number_end(struct str s, size_t i)
{
	size_t first;

	i += i < s.n && s.p[i] == '-';
	for (first = i; i < s.n && s.p[i] >= '0' && s.p[i] <= '9';)
		i++;
	if (i == first || (s.p[first] == '0' && i - first > 1))
		return 0;
	if (i < s.n && s.p[i] == '.') {
		for (first = ++i; i < s.n && s.p[i] >= '0' && s.p[i] <= '9';)
			i++;
		if (i == first)
			return 0;
	}
	return i;
}

/* The same as scan_clean(), for a value that slow_framed() accepts: checks all its tokens and their order. */
static inline bool slow_clean(struct str s)
{
	char before = 0, token; /* one of {[}],:"0 */
	long brackets = 0;
	size_t i, end;

	for (i = 0; i < s.n; i = end, before = token) {
		end = i + 1;
		token = s.p[i];
		if (slow_is_space(token)) {
			token = before;
			continue;
		}
		brackets += token == '[' ? 1 : token == ']' ? -1 : 0;
		if (token == '"') {
			for (; end < s.n && s.p[end] != '"'; end++) {
				if ((unsigned char)s.p[end] < 0x20 || (unsigned char)s.p[end] >= 0x80 ||
				    s.p[end] == '\\')
					return false;
			}
			end++;
		} else if (!memchr("{}[],:", token, 6)) {
			end = slow_number_end(s, i);
			token = '0';
			if (!end)
				return false;
		}
		if (before == '{'                    ? token != '"' && !slow_is_close(token)
		    : before == '['                  ? token == ',' || token == ':'
		    : before == ',' || before == ':' ? token == ',' || token == ':' || slow_is_close(token)
		    : before == '"'                  ? token != ',' && token != ':' && !slow_is_close(token)
		    : before                         ? token != ',' && !slow_is_close(token)
						     : false)
			return false;
	}
	return brackets == 0;
}

/* Writes s to `to`, without the white space outside strings. Returns the number of bytes written. */
static inline size_t slow_squeeze(char *to, struct str s)
{
	struct slow_state state = {0};
	size_t i, n = 0;

	for (i = 0; i < s.n; i++) {
		bool was = state.in_string;

		slow_step(&state, s.p[i]);
		if (was || state.in_string || !slow_is_space(s.p[i]))
			to[n++] = s.p[i];
	}
	return n;
}

/*
 * Returns the offset of the end of the value at the start of s. The value ends after the bracket that closes its first
 * bracket, or after a closing bracket that has no opening one. Returns s.n if there is no such bracket.
 */
static inline size_t slow_value_end(struct str s)
{
	struct slow_state state = {0};
	long depth = 0;
	size_t i;

	for (i = 0; i < s.n; i++) {
		if (slow_step(&state, s.p[i]) || state.in_string || !(slow_is_open(s.p[i]) || slow_is_close(s.p[i])))
			continue;
		depth += slow_is_open(s.p[i]) ? 1 : -1;
		if (depth <= 0)
			return i + 1;
	}
	return s.n;
}

/* Counts how often the byte c occurs outside strings. */
static inline size_t slow_count(struct str s, char c)
{
	struct slow_state state = {0};
	size_t i, n = 0;

	for (i = 0; i < s.n; i++)
		n += !slow_step(&state, s.p[i]) && !state.in_string && s.p[i] == c;
	return n;
}

static inline size_t slow_skip(struct str s)
{
	struct slow_state state = {0};
	long depth = 0;
	size_t i;

	for (i = 0; i < s.n; i++) {
		if (slow_step(&state, s.p[i]) || state.in_string || !(slow_is_open(s.p[i]) || slow_is_close(s.p[i])))
			continue;
		depth += slow_is_open(s.p[i]) ? 1 : -1;
		if (depth == 0)
			return i + 1;
	}
	return 0;
}

static inline size_t slow_quote(struct str s)
{
	size_t i;

	for (i = 0; i < s.n && s.p[i] != '"'; i++)
		i += s.p[i] == '\\';
	return i < s.n ? i : s.n;
}

static inline bool slow_is_scalar(char c)
{
	return !slow_is_space(c) && !slow_is_open(c) && !slow_is_close(c) && c != ':' && c != ',' && c != '"';
}

static inline bool slow_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The same as scan_shape(), without a limit on the length. */
static inline size_t slow_shape(char *to, struct str s)
{
	bool in_string = false, bad = false, follows, zero = false;
	size_t i, run = 0, n = 0;
	char before = ',';

	for (i = 0; i < s.n; before = s.p[i++]) {
		char c = s.p[i];

		run = slow_is_digit(c) ? run + 1 : 0;
		bad |= run > 16 || (run == 16 && s.p[i - 15] == '9');
		if (c == '"' || in_string) {
			in_string ^= c == '"';
			if (c == '"')
				to[n++] = c;
			zero = false;
			continue;
		}
		follows = slow_is_digit(c) && slow_is_digit(before) && !zero;
		if (slow_is_space(c) ? slow_is_scalar(before) : !follows)
			to[n++] = slow_is_digit(c) ? '0' : c;
		zero = c == '0' && !slow_is_digit(before) && before != '.';
	}
	return bad ? 0 : n;
}

#endif
