#include "record/field_list.h"

#include "cli/options.h"

#include <stdlib.h>

static void add(struct field_list *f, const char *option, const struct buf *spec)
{
	f->list = mem_grow(f->list, &f->cap, f->n + 1, sizeof *f->list);
	f->specs = mem_grow(f->specs, &f->specs_cap, f->n + 1, sizeof *f->specs);
	f->specs[f->n] = str_dup((struct str){spec->p, spec->n});
	field_option(&f->list[f->n], option, f->specs[f->n]);
	f->n++;
}

void field_list_option(struct field_list *f, const char *option, const char *arg)
{
	struct buf spec = {0};

	while (opt_item(&arg, &spec))
		add(f, option, &spec);
	buf_free(&spec);
}

void field_list_free(struct field_list *f)
{
	size_t i;

	for (i = 0; i < f->n; i++) {
		field_free(&f->list[i]);
		free(f->specs[i]);
	}
	free(f->list);
	free(f->specs);
	*f = (struct field_list){0};
}
