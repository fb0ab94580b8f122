/* group_partial: writes a partial result: the question, the state of each group, and a last line with the counts. */
#include "cli/group_report_private.h"

#include "base/order.h"
#include "json/write.h"
#include "stats/aggregate_state.h"
#include "stats/groups_state.h"

#include <stdlib.h>

static void write_groups(struct group_report *r, struct buf *line)
{
	struct aggregate_writer w;
	size_t *order = groups_sort_keys(&r->groups), i;

	aggregate_writer_begin(&w, &r->aggs, &r->out);
	for (i = 0; i < r->groups.n; i++) {
		line->n = 0;
		json_write_begin(line, NULL, '{');
		groups_key_write(&r->groups, order[i], line);
		aggregate_writer_group(&w, order[i], line);
		json_write_end(line, '}');
		out_line(&r->out, json_write_str(line));
	}
	aggregate_writer_end(&w);
	free(order);
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
	const struct group_part *parts = list;

	return (parts[a].number > parts[b].number) - (parts[a].number < parts[b].number);
}

/* Writes the numbers of all parts, ascending. */
static void write_parts(const struct group_report *r, struct buf *line)
{
	const struct group_part self = {r->part, NULL};
	const struct group_part *parts = r->parts ? r->parts->list : &self;
	const size_t n = r->parts ? r->parts->n : 1;
	size_t *order = order_sort(n, compare_parts, parts), i;

	json_write_begin(line, "parts", '[');
	for (i = 0; i < n; i++)
		json_write_int(line, NULL, (int64_t)parts[order[i]].number);
	json_write_end(line, ']');
	free(order);
}

static void write_end(struct group_report *r, struct buf *line)
{
	line->n = 0;
	json_write_begin(line, NULL, '{');
	json_write_int(line, "end", 1);
	json_write_int(line, "groups", (int64_t)r->groups.n);
	json_write_int(line, "records", (int64_t)(r->parts ? r->parts->records : r->aggs.records));
	json_write_int(line, "lost", (int64_t)count_lost(&r->in.diagnostics));
	if (aggregate_is_ordered(&r->aggs))
		write_parts(r, line);
	json_write_begin(line, "source", '[');
	json_write_int(line, NULL, (int64_t)(r->parts ? r->parts->source_part : r->part));
	buf_char(line, ',');
	report_source_write(&r->source, line);
	json_write_end(line, ']');
	json_write_end(line, '}');
	out_line(&r->out, json_write_str(line));
}

void group_partial_write(struct group_report *r)
{
	struct buf line = {0};

	input_close(&r->in); /* now all losses are counted */
	group_question_write(r, &line);
	out_line(&r->out, json_write_str(&line));
	write_groups(r, &line);
	if (!r->in.failed) /* without its last line, --merge refuses the partial result */
		write_end(r, &line);
	buf_free(&line);
}
