#include "json/value.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "json/string.h"

void value_of(struct value *v, struct str json)
{
	*v = (struct value){.type = VALUE_OTHER, .text = json};
	if (!json.n) {
		v->type = VALUE_NONE;
	} else if (json.p[0] == '"') {
		v->type = VALUE_STRING;
	} else if (json.p[0] == '-' || is_digit(json.p[0])) {
		if (num_int(json, &v->i) == NUM_OK) {
			v->type = VALUE_INT;
			v->d = (double)v->i;
		} else if (num_double(json, &v->d)) {
			v->type = VALUE_REAL;
		}
	}
}

bool value_integer(struct str json, int64_t *v)
{
	return json.p && num_whole(json_is_string(json) ? json_inner(json) : json, v) == NUM_OK;
}
