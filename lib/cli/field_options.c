#include "cli/field_options.h"

#include "cli/option_value.h"

#include <stdlib.h>

void field_refused(const char *option, struct str spec, const struct fault *f)
{
	die("%s: '%.*s' is not a field: %s", option, STR_FMT(spec), f->what);
}

void field_option(struct field *f, const char *option, const char *spec)
{
	struct fault fault;

	if (!field_compile(f, spec, &fault))
		field_refused(option, str_of(spec), &fault);
}

void field_list_option(struct field_list *f, const char *option, const char *list)
{
	struct str item;
	struct buf text = {0};

	while (opt_item(&list, &text, &item)) {
		f->list = mem_grow(f->list, &f->cap, f->n + 1, sizeof *f->list);
		f->specs = mem_grow(f->specs, &f->specs_cap, f->n + 1, sizeof *f->specs);
		f->specs[f->n] = str_dup(item);
		field_option(&f->list[f->n], option, f->specs[f->n]);
		f->n++;
	}
	buf_free(&text);
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
