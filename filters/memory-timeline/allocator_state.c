#include "allocator_state.h"

#include "json/value.h"

static int64_t get_size(struct str args, struct str key, int64_t otherwise)
{
	int64_t v;

	return value_integer(iter_find(args, key), &v) ? v : otherwise;
}

static void add_block(struct allocator_state *s, struct str args)
{
	const int64_t size = get_size(args, STR("size"), 0), requested = get_size(args, STR("requested_size"), size);
	const struct str state = iter_find(args, STR("state"));

	if (str_eq(state, STR("\"inactive\""))) {
		s->free = int_add(s->free, size);
		s->largest_free = size > s->largest_free ? size : s->largest_free;
		s->free_blocks++;
		return;
	}
	s->used = true;
	s->active = int_add(s->active, requested);
	s->rounding = int_add(s->rounding, int_sub(size, requested));
	if (str_eq(state, STR("\"active_allocated\"")))
		s->allocated = int_add(s->allocated, requested);
}

void allocator_state_add(struct allocator_state *s, struct event *e)
{
	const struct str args = event_get(e, EVENT_ARGS), name = event_get(e, EVENT_NAME);
	const int64_t size = get_size(args, STR("total_size"), 0);

	if (str_eq(name, STR("\"block\""))) {
		add_block(s, args);
	} else if (str_eq(name, STR("\"segment\""))) {
		s->segments++;
		s->reserved = int_add(s->reserved, size);
		if (!s->used)
			s->free_segments = int_add(s->free_segments, size);
		s->used = false;
	}
}
