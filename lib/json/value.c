#include "json/value.h"

#include "base/num_parse.h"
#include "json/string.h"

#include <math.h>

void value_of(struct value *v, struct str json)
{
	enum num_result result;

	*v = (struct value){.type = VALUE_OTHER, .text = json};
	if (!json.n) {
		v->type = VALUE_NONE;
	} else if (json.p[0] == '"') {
		v->type = VALUE_STRING;
	} else if (json.p[0] == '-' || is_digit(json.p[0])) {
		result = num_read(json, &v->i, &v->d, &v->wide);
		if (result == NUM_OK) {
			v->type = VALUE_INT;
			v->d = (double)v->i;
		} else if (result == NUM_RANGE && isfinite(v->d)) {
			v->type = VALUE_REAL;
		}
	}
}

int value_rank(const struct value *v)
{
	static const int ranks[] = {[VALUE_STRING] = 1, [VALUE_OTHER] = 2, [VALUE_NONE] = 3};

	return value_is_huge(v) ? 0 : ranks[v->type];
}

int value_compare_numbers(const struct value *a, const struct value *b)
{
	if (a->type == VALUE_INT && b->type == VALUE_INT)
		return int_compare(a->i, b->i);
	/* numbers that differ as doubles have the same order before they are rounded */
	if (a->type != VALUE_OTHER && b->type != VALUE_OTHER && a->d != b->d)
		return a->d < b->d ? -1 : 1;
	return num_compare(a->text, b->text);
}

bool value_integer(struct str json, int64_t *v)
{
	return json.p && num_whole(json_is_string(json) ? json_inner(json) : json, v) == NUM_OK;
}
