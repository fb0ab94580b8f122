#include "json/write.h"

#include "json/scan.h"
#include "json/string.h"
#include "base/num_format.h"
#include "base/num_parse.h"

#include <math.h>

void json_write_member(struct buf *b, struct str key, struct str json)
{
	char *p = buf_room(b, key.n + json.n + 4);

	if (!b->n || (b->p[b->n - 1] != '{' && b->p[b->n - 1] != '['))
		*p++ = ',';
	if (key.p) {
		*p++ = '"';
		p = str_copy_short(p, key);
		*p++ = '"';
		*p++ = ':';
	}
	b->n = (size_t)(str_copy_short(p, json) - b->p);
}

void json_write_squeezed(struct buf *b, struct str key, struct str json)
{
	json_write_member(b, key, STR(""));
	scan_append(b, json);
}

void json_write_key(struct buf *b, const char *key)
{
	json_write_json(b, key, STR(""));
}

void json_write_name(struct buf *b, struct str name)
{
	json_write_key(b, NULL);
	json_quote(b, name);
	buf_char(b, ':');
}

void json_write_text(struct buf *b, const char *key, struct str text)
{
	json_write_key(b, key);
	json_quote(b, text);
}

void json_write_int(struct buf *b, const char *key, int64_t v)
{
	json_write_key(b, key);
	num_add_i64(b, v);
}

void json_write_double(struct buf *b, const char *key, double v)
{
	json_write_key(b, key);
	json_put_double(b, v);
}

void json_put_double(struct buf *b, double v)
{
	char *to = buf_room(b, NUM_ROOM);

	if (isfinite(v))
		b->n += (size_t)(num_put_double(to, v) - to);
	else
		json_quote(b, isnan(v) ? STR("NaN") : v < 0 ? STR("-Infinity") : STR("Infinity"));
}

void json_write_bool(struct buf *b, const char *key, bool v)
{
	json_write_json(b, key, v ? STR("true") : STR("false"));
}

void json_write_number(struct buf *b, const char *key, struct str text)
{
	double v;

	if (num_double(text, &v))
		json_write_json(b, key, text);
	else
		json_write_text(b, key, text);
}

void json_write_begin(struct buf *b, const char *key, char bracket)
{
	/* No comma precedes the outermost value. */
	if (key || b->n)
		json_write_key(b, key);
	buf_char(b, bracket);
}

void json_write_end(struct buf *b, char bracket)
{
	buf_char(b, bracket);
}
