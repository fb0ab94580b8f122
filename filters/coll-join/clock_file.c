#include "clock_file.h"
#include "process_names.h"

#include "base/num_parse.h"
#include "json/write.h"

#include <stdlib.h>

/* --- writing --- */

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

void clock_file_write(const struct rank_clocks *c, const struct job *j, struct out *out)
{
	struct buf b = {0};
	size_t i;

	for (i = 0; i < j->n_ranks; i++) {
		if (process_names_is(j->ranks[i].rank))
			continue;
		b.n = 0;
		write_clock(&b, &c->list[i], j->ranks[i].rank, j->ranks[c->reference].rank);
		out_line(out, json_write_str(&b));
	}
	buf_free(&b);
}

/* --- reading --- */

/* Sets *v to a member that is an integer; returns false when it is absent or not an integer. */
static bool get_int(const struct event *e, struct str name, int64_t *v)
{
	const struct str json = iter_find(e->raw, name);

	return json.p && num_whole(json, v) == NUM_OK;
}

const char *clock_file_add(struct clock_file *file, struct event *e)
{
	struct rank_clock clock = {.ok = true}, *c = &clock;
	int64_t rank;
	size_t i;

	if (!str_eq(event_get(e, EVENT_KIND), STR("\"clock\"")))
		return NULL;
	c->ok = !str_eq(iter_find(e->raw, STR("ok")), STR("false"));
	if (!get_int(e, STR("rank"), &rank) || rank < 0)
		return "clock without a rank";
	if (c->ok && (!get_int(e, STR("base"), &c->base) || !get_int(e, STR("offset"), &c->offset) ||
			 !get_int(e, STR("drift"), &c->drift) || !get_int(e, STR("at"), &c->at)))
		return "clock without base, offset, drift or at";
	i = map_put(&file->ranks, (struct str){(const char *)&rank, sizeof rank});
	if (i + 1 < file->ranks.n)
		return "second clock of this rank";
	file->clocks = mem_grow(file->clocks, &file->cap, i + 1, sizeof *file->clocks);
	file->clocks[i] = clock;
	return NULL;
}

bool clock_file_apply(const struct clock_file *file, struct rank_clocks *c, const struct job *j)
{
	size_t i, at;

	for (i = 0; i < j->n_ranks && file->ranks.n; i++) {
		at = map_find(&file->ranks, (struct str){(const char *)&j->ranks[i].rank, sizeof j->ranks[i].rank});
		if (at == MAP_NONE)
			c->list[i].ok = false;
		else
			c->list[i] = file->clocks[at];
		c->list[i].via = j->ranks[c->reference].rank;
	}
	return file->ranks.n > 0;
}

void clock_file_free(struct clock_file *file)
{
	map_free(&file->ranks);
	free(file->clocks);
}
