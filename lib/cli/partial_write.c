/* partial_write: writes a partial result: the question, the state, and a last line with the counts. */
#include "cli/partial_private.h"

#include "base/order.h"
#include "json/write.h"

#include <stdlib.h>

void partial_write_question(const struct partial *p, struct buf *line)
{
	json_write_begin(line, NULL, '{');
	json_write_int(line, "partial", PARTIAL_VERSION);
	json_write_text(line, "of", str_of(p->of));
	p->state->write_question(p, line);
	json_write_end(line, '}');
}

static uint64_t count_lost(const struct diagnostics *d)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < d->n; i++)
		n += d->rows[i].kind == DIAGNOSTICS_LOST ? d->rows[i].count : 0;
	return n;
}

static int compare_parts(const void *list, size_t a, size_t b)
{
	const struct partial_part *parts = list;

	return (parts[a].number > parts[b].number) - (parts[a].number < parts[b].number);
}

/* Writes the numbers of all parts, ascending. */
static void write_parts(const struct partial *p, struct buf *line)
{
	const struct partial_part self = {p->part, NULL};
	const struct partial_part *parts = p->number ? p->parts : &self;
	const size_t n = p->number ? p->n_parts : 1;
	size_t *order = order_sort(n, compare_parts, parts), i;

	json_write_begin(line, "parts", '[');
	for (i = 0; i < n; i++)
		json_write_int(line, NULL, (int64_t)parts[order[i]].number);
	json_write_end(line, ']');
	free(order);
}

static void write_end(const struct partial *p, uint64_t count, struct buf *line)
{
	json_write_begin(line, NULL, '{');
	json_write_int(line, "end", 1);
	json_write_int(line, p->state->count, (int64_t)count);
	json_write_int(line, "records", (int64_t)p->records);
	json_write_int(line, "lost", (int64_t)count_lost(&p->in->diagnostics));
	if (p->state->is_ordered(p))
		write_parts(p, line);
	if (p->state->write_end)
		p->state->write_end(p, line);
	json_write_end(line, '}');
}

void partial_write(struct partial *p, struct out *out)
{
	struct buf line = {0};
	uint64_t count;

	input_close(p->in); /* now all losses are counted */
	partial_write_question(p, &line);
	out_line(out, json_write_str(&line));
	count = p->state->write(p, out);
	if (!p->in->failed) {
		line.n = 0;
		write_end(p, count, &line);
		out_line(out, json_write_str(&line));
	}
	buf_free(&line);
}
