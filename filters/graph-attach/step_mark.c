#include "step_mark.h"

#include "base/char_class.h"

/* Sets *n to the number after the first `before` in the text; returns false if there is no such number. */
static bool number_after(struct str text, const char *before, int64_t *n)
{
	struct str digits = str_from(text, str_find(text, str_of(before)));

	digits = str_first(str_from(digits, strlen(before)), is_digit);
	if (!digits.n || digits.n > 15)
		return false;
	for (*n = 0; digits.n; digits = str_from(digits, 1))
		*n = *n * 10 + (digits.p[0] - '0');
	return true;
}

bool step_mark_read(struct str name, int64_t *tokens)
{
	int64_t a = 0, b = 0;

	*tokens = 0;
	if (str_starts(name, STR("execute_context_"))) {
		if (number_after(name, "(", &a) &&
		    number_after(str_from(name, str_find(name, STR("_generation_"))), "(", &b))
			*tokens = a + b;
	} else if (str_starts(name, STR("execute_"))) {
		if (str_find(name, STR("_context_")) < name.n && number_after(name, "execute_", &a))
			*tokens = a;
	} else if (str_starts(name, STR("step[DECODE "))) {
		if (number_after(name, " g_sq=", &a) || number_after(name, " bs=", &a))
			*tokens = a;
	} else if (str_starts(name, STR("step[MIXED "))) {
		if (number_after(name, " c_sq=", &a) && number_after(name, " g_sq=", &b))
			*tokens = a + b;
	} else if (str_starts(name, STR("step[EXTEND "))) {
		if (number_after(name, " toks=", &a))
			*tokens = a;
	} else if (str_starts(name, STR("prefill[")) || str_starts(name, STR("decode["))) {
		if (number_after(name, " tok=", &a))
			*tokens = a;
	} else {
		return str_starts(name, STR("step["));
	}
	return true;
}
