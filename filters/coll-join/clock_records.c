#include "clock_records.h"

#include "json/write.h"

static void write_clock(struct buf *b, const struct rank_clock *c, int64_t rank, int64_t reference)
{
	json_write_begin(b, NULL, '{');
	json_write_json(b, "kind", STR("\"clock\""));
	json_write_int(b, "rank", rank);
	json_write_int(b, "ref", reference);
	if (c->count || rank == reference)
		json_write_int(b, "via", c->via);
	json_write_int(b, "base", c->base);
	if (c->count || c->ok) {
		json_write_int(b, "offset", c->offset);
		json_write_int(b, "drift", c->drift);
		json_write_int(b, "at", c->at);
	}
	if (c->count || rank == reference) {
		json_write_int(b, "lo", c->low);
		json_write_int(b, "hi", c->high);
		json_write_int(b, "spread", c->spread);
	}
	json_write_int(b, "count", (int64_t)c->count);
	json_write_bool(b, "ok", c->ok);
	json_write_end(b, '}');
}

void clock_records_write(const struct rank_clocks *c, const struct job *j, struct out *out)
{
	struct buf b = {0};
	size_t i;

	for (i = 0; i < j->n_ranks; i++) {
		if (job_is_process(j->ranks[i].rank))
			continue;
		b.n = 0;
		write_clock(&b, &c->list[i], j->ranks[i].rank, j->ranks[c->reference].rank);
		out_line(out, json_write_str(&b));
	}
	buf_free(&b);
}

void clock_records_apply(const struct clock_file *file, struct rank_clocks *c, const struct job *j)
{
	const struct rank_clock *found;
	size_t i;

	for (i = 0; i < j->n_ranks; i++) {
		found = clock_file_find(file, j->ranks[i].rank);
		if (found)
			c->list[i] = *found;
		else
			c->list[i].ok = false;
		c->list[i].via = j->ranks[c->reference].rank;
	}
}
