#include "call_places.h"

#include "base/err.h"

#include <stdlib.h>

uint32_t call_places_put(struct call_places *p, struct str rank, struct str pid, struct str tid)
{
	const struct str values[] = {rank, pid, tid};
	size_t known = p->numbers.n, number = places_put(&p->numbers, values, 3);

	if (number > CALL_PLACES_MOST)
		die_too_many("processes and threads", CALL_PLACES_MOST + 1);
	if (number == known) {
		p->list = mem_grow(p->list, &p->cap, number + 1, sizeof *p->list);
		p->list[number] = (struct call_place){
		    .rank = (uint32_t)value_ids_put(&p->ranks, rank),
		    .process = (uint32_t)value_ids_put(&p->processes, pid),
		    .pid = places_value(&p->numbers, number, 1),
		    .tid = places_value(&p->numbers, number, 2),
		};
	}
	return (uint32_t)number;
}

void call_places_free(struct call_places *p)
{
	places_free(&p->numbers);
	value_ids_free(&p->ranks);
	value_ids_free(&p->processes);
	free(p->list);
}
