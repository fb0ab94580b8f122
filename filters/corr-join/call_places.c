#include "call_places.h"

#include "base/err.h"
#include "base/mem.h"

#include <stdlib.h>

static void add_part(struct buf *b, struct str part)
{
	/* No JSON value has a zero byte in it, and an absent one differs from all others. */
	buf_add(b, part.p, part.n);
	buf_char(b, '\0');
}

static void add_place(struct call_places *p, size_t number, struct str rank, struct str pid, struct str tid)
{
	struct str text = map_key(&p->texts, number);
	size_t pid_at = rank.n + 1, tid_at = pid_at + pid.n + 1;
	struct call_place *place;

	p->list = mem_grow(p->list, &p->cap, number + 1, sizeof *p->list);
	place = &p->list[number];
	place->rank = (uint32_t)value_ids_put(&p->ranks, rank);
	place->process = (uint32_t)value_ids_put(&p->processes, pid);
	place->rank_text = (struct str){rank.n ? text.p : NULL, rank.n};
	place->pid = (struct str){pid.n ? text.p + pid_at : NULL, pid.n};
	place->tid = (struct str){tid.n ? text.p + tid_at : NULL, tid.n};
}

uint32_t call_places_put(struct call_places *p, struct str rank, struct str pid, struct str tid)
{
	size_t known = p->texts.n, number;
	uint32_t *last = &p->last[tid.n > 0];
	const struct call_place *place;

	/* It is mostly the same place again. */
	place = known ? &p->list[*last] : NULL;
	if (place && str_eq(place->tid, tid) && str_eq(place->pid, pid) && str_eq(place->rank_text, rank))
		return *last;
	p->text.n = 0;
	add_part(&p->text, rank);
	add_part(&p->text, pid);
	add_part(&p->text, tid);
	number = map_put(&p->texts, (struct str){p->text.p, p->text.n});
	if (number > CALL_PLACES_MOST)
		die("more than %d processes and threads", (int)CALL_PLACES_MOST);
	if (number == known)
		add_place(p, number, rank, pid, tid);
	return *last = (uint32_t)number;
}

void call_places_free(struct call_places *p)
{
	value_ids_free(&p->ranks);
	value_ids_free(&p->processes);
	map_free(&p->texts);
	free(p->list);
	buf_free(&p->text);
}
