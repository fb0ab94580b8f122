#include "record/record_line.h"

#include "json/write.h"

void record_line_begin(struct buf *line, const char *kind)
{
	line->n = 0;
	json_write_begin(line, NULL, '{');
	if (kind)
		json_write_text(line, "kind", str_of(kind));
}

void record_line_end(struct buf *line, struct out *o)
{
	json_write_end(line, '}');
	out_line(o, buf_str(line));
}
