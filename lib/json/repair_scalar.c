/* repair_scalar: numbers, constants and words by JSON's grammar and by others. */
#include "json/repair_private.h"

#include "json/check.h"

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool eq_any_case(struct str s, struct str lower_word)
{
	size_t i;

	for (i = 0; i < s.n && i < lower_word.n; i++) {
		if (lower(s.p[i]) != lower_word.p[i])
			return false;
	}
	return s.n == lower_word.n;
}

static bool is_one_of(struct str s, const struct str *words, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (eq_any_case(s, words[i]))
			return true;
	}
	return false;
}

static size_t count_digits(struct str s, bool hex)
{
	size_t n = 0;

	while (n < s.n && (hex ? repair_is_hex(s.p[n]) : (unsigned char)(s.p[n] - '0') < 10))
		n++;
	return n;
}

/* A number by somebody's grammar, behind its sign: hexadecimal, or digits on either side of a point. */
static bool is_foreign_number(struct str s)
{
	size_t whole, part = 0, n;

	if (str_starts(s, STR("0x")) || str_starts(s, STR("0X")))
		return s.n > 2 && count_digits(str_from(s, 2), true) == s.n - 2;
	whole = count_digits(s, false);
	s = str_from(s, whole);
	if (str_starts(s, STR("."))) {
		part = count_digits(str_from(s, 1), false);
		s = str_from(s, 1 + part);
	}
	if (whole + part == 0)
		return false;
	if (s.n && lower(*s.p) == 'e') {
		s = str_from(s, 1);
		s = str_from(s, s.n && (*s.p == '+' || *s.p == '-'));
		n = count_digits(s, false);
		return n > 0 && n == s.n;
	}
	return s.n == 0;
}

static bool ends_scalar(char c)
{
	return (unsigned char)c <= ' ' || c == ',' || c == '}' || c == ']';
}

bool repair_scalar(struct repair *r, struct repair_spot *at)
{
	static const struct str nulls[] = {{"nan", 3}, {"inf", 3}, {"infinity", 8}, {"nan(ind)", 8},
	    {"nan(snan)", 9}, {"1.#inf", 6}, {"1.#ind", 6}, {"1.#qnan", 7}, {"1.#snan", 7}};
	struct str s = {at->p, 0}, bare;
	struct fault ignored;

	while (at->p < r->end && !ends_scalar(*at->p))
		at->p++;
	s.n = (size_t)(at->p - s.p);
	if (!s.n)
		return false;
	bare = str_from(s, *s.p == '-' || *s.p == '+');
	if (json_check(s, &ignored)) {
		repair_put(r, s.p, s.n);
	} else if (is_one_of(bare, nulls, sizeof nulls / sizeof *nulls) || eq_any_case(s, STR("n/a"))) {
		repair_mend(r, REPAIR_CONSTANT);
		repair_put(r, "null", 4);
	} else if (eq_any_case(s, STR("true")) || eq_any_case(s, STR("false"))) {
		repair_mend(r, REPAIR_LITERAL);
		repair_put(r, lower(*s.p) == 't' ? "true" : "false", s.n);
	} else if (str_eq(s, STR("None"))) {
		repair_mend(r, REPAIR_LITERAL);
		repair_put(r, "null", 4);
	} else if (is_foreign_number(bare)) {
		repair_mend(r, REPAIR_NUMBER);
		repair_put_string(r, s);
	} else {
		return false;
	}
	return true;
}
