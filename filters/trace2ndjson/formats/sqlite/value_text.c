#include "value_text.h"

#include "json/string.h"

#include <math.h>

struct str value_text_other(struct value_text *t, const struct query_value *v)
{
	if (v->type == QUERY_REAL && isfinite(v->real))
		return (struct str){t->real, (size_t)(num_put_double(t->real, v->real) - t->real)};
	t->text.n = 0;
	if (v->type == QUERY_TEXT) {
		json_quote(&t->text, v->bytes);
	} else if (v->type == QUERY_BLOB) {
		buf_char(&t->text, '"');
		if (v->bytes.n)
			buf_hex(&t->text, v->bytes.p, v->bytes.n);
		buf_char(&t->text, '"');
	} else {
		json_quote(&t->text, v->real > 0 ? STR("Infinity") : STR("-Infinity"));
	}
	return (struct str){t->text.p, t->text.n};
}

struct str value_text_get(struct value_text *t, const struct query *q, int column)
{
	struct query_value v;
	int64_t number;

	switch (query_get_int(q, column, &number)) {
	case QUERY_NULL:
		return (struct str){NULL, 0};
	case QUERY_INT:
		return value_text_int(t, number);
	default:
		v = query_get(q, column);
		return value_text_other(t, &v);
	}
}

void value_text_free(struct value_text *t)
{
	buf_free(&t->text);
}
