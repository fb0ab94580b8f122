#include "marks.h"

#include "json/write.h"

#include <math.h>

static const double exact = 9007199254740992; /* integers up to this number are exact in a double */

void marks_begin(struct buf *line)
{
	line->n = 0;
	json_write_begin(line, NULL, '{');
	json_write_text(line, "kind", STR("ndjson2svg/mark"));
}

void marks_add_number(struct buf *line, const char *key, double v)
{
	if (fabs(v) <= exact && floor(v) >= v)
		json_write_int(line, key, (int64_t)v);
	else
		json_write_double(line, key, isfinite(v) ? v : 0);
}

void marks_end(struct buf *line, struct out *out)
{
	json_write_end(line, '}');
	buf_char(line, '\n');
	out_add(out, line->p, line->n);
}
