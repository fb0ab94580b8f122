#include "previous_values.h"

#include "json/scan.h"

#include <stdlib.h>

void previous_values_add(struct previous_values *p, struct field field, char *spec, bool first)
{
	p->list = mem_grow(p->list, &p->cap, p->n + 1, sizeof *p->list);
	p->list[p->n++] = (struct previous_value){.field = field, .spec = spec, .first = first};
}

void previous_values_free(struct previous_values *p)
{
	size_t i;

	for (i = 0; i < p->n_groups * p->n; i++)
		buf_free(&p->texts[i]);
	for (i = 0; i < p->n; i++) {
		field_free(&p->list[i].field);
		free(p->list[i].spec);
	}
	free(p->texts);
	free(p->list);
	*p = (struct previous_values){0};
}

static void add_groups(struct previous_values *p, size_t n)
{
	p->texts = mem_grow(p->texts, &p->groups_cap, n * p->n, sizeof *p->texts);
	for (; p->n_groups < n; p->n_groups++)
		memset(&p->texts[p->n_groups * p->n], 0, p->n * sizeof *p->texts);
}

void previous_values_next(struct previous_values *p, struct event *e, size_t group)
{
	size_t i;

	if (!p->n)
		return;
	if (group >= p->n_groups)
		add_groups(p, group + 1);
	p->group = group;
	for (i = 0; i < p->n; i++) {
		const struct buf *text = &p->texts[group * p->n + i];

		field_get(&p->list[i].field, e, 0, &p->list[i].current);
		p->list[i].value = p->list[i].first && !text->n ? result_of(&p->list[i].current)
								: result_json((struct str){text->p, text->n});
	}
}

void previous_values_keep(struct previous_values *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		struct buf *text = &p->texts[p->group * p->n + i];
		const struct str current = p->list[i].current.text;

		if (p->list[i].first && text->n)
			continue;
		text->n = 0;
		if (p->list[i].current.type == VALUE_NONE)
			continue;
		buf_add(text, current.p, current.n);
		scan_pad(text); /* iterators may read past the end of the text */
	}
}
