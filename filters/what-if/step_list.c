#include "step_list.h"

#include "base/char_class.h"
#include "base/num_parse.h"

#include <stdlib.h>

static bool read_number(struct str text, int64_t *v)
{
	return str_all(text, is_digit) && num_int(text, v) == NUM_OK;
}

bool step_list_add(struct step_list *l, struct str text)
{
	struct str part, first;
	struct step_range r;

	while (str_split(&text, ',', &part)) {
		r = (struct step_range){.found = false};
		str_split(&part, '-', &first);
		if (!read_number(first, &r.from))
			return false;
		r.to = r.from;
		if (part.p && (!read_number(part, &r.to) || r.to < r.from))
			return false;
		l->ranges = mem_grow(l->ranges, &l->cap, l->n + 1, sizeof *l->ranges);
		l->ranges[l->n++] = r;
	}
	return true;
}

bool step_list_has(struct step_list *l, int64_t step)
{
	bool has = !l->n;
	size_t i;

	for (i = 0; i < l->n; i++) {
		if (step >= l->ranges[i].from && step <= l->ranges[i].to)
			has = l->ranges[i].found = true;
	}
	return has;
}

void step_list_free(struct step_list *l)
{
	free(l->ranges);
}
