#include "wire_json.h"

#include "base/num_format.h"
#include "json/string.h"

#include <math.h>

void wire_put_uint(struct buf *b, uint64_t v)
{
	char *to = buf_room(b, NUM_ROOM);

	b->n += (size_t)(num_put_u64(to, v) - to);
}

void wire_put_int(struct buf *b, int64_t v)
{
	char *to = buf_room(b, NUM_ROOM);

	b->n += (size_t)(num_put_i64(to, v) - to);
}

void wire_put_double(struct buf *b, double v)
{
	char *to;

	if (isfinite(v)) {
		to = buf_room(b, NUM_ROOM);
		b->n += (size_t)(num_put_double(to, v) - to);
	} else if (isnan(v)) {
		buf_lit(b, "\"NaN\"");
	} else if (v > 0) {
		buf_lit(b, "\"Infinity\"");
	} else {
		buf_lit(b, "\"-Infinity\"");
	}
}

void wire_put_numbered(struct buf *b, const char *prefix, uint64_t number)
{
	buf_char(b, '"');
	buf_add(b, prefix, strlen(prefix));
	wire_put_uint(b, number);
	buf_char(b, '"');
}

void wire_put_text(struct reader *r, uint64_t at, struct buf *b, struct str text)
{
	if (json_plain(text) < text.n)
		reader_check_text(r, text, 0, at);
	json_quote(b, text);
}
