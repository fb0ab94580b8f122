/* repair_scalar: reads numbers, constants and words in JSON's and in other notations. */
#include "json/repair_private.h"

#include "base/char_class.h"
#include "json/check.h"

static bool is_one_of(struct str s, const struct str *words, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (str_eq_any_case(s, words[i]))
			return true;
	}
	return false;
}

static size_t count_digits(struct str s)
{
	size_t n = 0;

	while (n < s.n && is_digit(s.p[n]))
		n++;
	return n;
}

/*
 * Returns whether s, the text after the sign, is a number in a notation that JSON does not have: hexadecimal, with
 * digits on only one side of the point, or with leading zeros.
 */
static bool is_foreign_number(struct str s)
{
	size_t whole, part = 0, n;

	if (str_starts(s, STR("0x")) || str_starts(s, STR("0X")))
		return str_all(str_from(s, 2), is_hex_digit);
	whole = count_digits(s);
	s = str_from(s, whole);
	if (str_starts(s, STR("."))) {
		part = count_digits(str_from(s, 1));
		s = str_from(s, 1 + part);
	}
	if (whole + part == 0)
		return false;
	if (s.n && to_lower(*s.p) == 'e') {
		s = str_from(s, 1);
		s = str_from(s, s.n && (*s.p == '+' || *s.p == '-'));
		n = count_digits(s);
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
	static const struct str nulls[] = {{"nan", 3}, {"inf", 3}, {"infinity", 8}, {"nan(ind)", 8}, {"nan(snan)", 9},
	    {"1.#inf", 6}, {"1.#ind", 6}, {"1.#qnan", 7}, {"1.#snan", 7}};
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
	} else if (is_one_of(bare, nulls, sizeof nulls / sizeof *nulls) || str_eq_any_case(s, STR("n/a"))) {
		repair_note(r, REPAIR_CONSTANT);
		repair_put(r, "null", 4);
	} else if (str_eq_any_case(s, STR("true")) || str_eq_any_case(s, STR("false"))) {
		repair_note(r, REPAIR_LITERAL);
		repair_put(r, to_lower(*s.p) == 't' ? "true" : "false", s.n);
	} else if (str_eq(s, STR("None"))) {
		repair_note(r, REPAIR_LITERAL);
		repair_put(r, "null", 4);
	} else if (is_foreign_number(bare)) {
		repair_note(r, REPAIR_NUMBER);
		repair_put_string(r, s);
	} else {
		return false;
	}
	return true;
}
