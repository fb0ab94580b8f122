#include "record/clock_file.h"

#include "json/value.h"

#include <stdlib.h>

static struct str key_of(const int64_t *rank)
{
	return (struct str){(const char *)rank, sizeof *rank};
}

/* Sets *v to a member of the record; returns false when it is absent or not an integer. */
static bool get_int(const struct event *e, struct str name, int64_t *v)
{
	return value_integer(iter_find(e->raw, name), v);
}

const char *clock_file_add(struct clock_file *file, struct event *e)
{
	struct rank_clock clock = {.ok = true}, *c = &clock;
	bool has_base;
	int64_t rank;
	size_t i;

	if (!str_eq(event_get(e, EVENT_KIND), STR("\"clock\"")))
		return NULL;
	c->ok = !str_eq(iter_find(e->raw, STR("ok")), STR("false"));
	if (!get_int(e, STR("rank"), &rank) || rank < 0)
		return "clock without a rank";
	has_base = get_int(e, STR("base"), &c->base);
	if (c->ok && (!has_base || !get_int(e, STR("offset"), &c->offset) || !get_int(e, STR("drift"), &c->drift) ||
			 !get_int(e, STR("at"), &c->at)))
		return "clock without base, offset, drift or at";
	i = map_put(&file->ranks, key_of(&rank));
	if (i + 1 < file->ranks.n)
		return "second clock of this rank";
	file->clocks = mem_grow(file->clocks, &file->cap, i + 1, sizeof *file->clocks);
	file->clocks[i] = clock;
	return NULL;
}

const struct rank_clock *clock_file_find(const struct clock_file *file, int64_t rank)
{
	const size_t i = map_find(&file->ranks, key_of(&rank));

	return i == MAP_NONE ? NULL : &file->clocks[i];
}

void clock_file_free(struct clock_file *file)
{
	map_free(&file->ranks);
	free(file->clocks);
}
