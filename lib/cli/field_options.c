#include "cli/field_options.h"

#include "cli/opt_value.h"

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

enum { TIME = 256, SIZE };

const struct opt unit_option_rows[] = {
    {TIME, "time", OPT_TEXT("FIELD,..."), OPT_TAKE, "these fields are times in ns, as dur is"},
    {SIZE, "size", OPT_TEXT("FIELD,..."), OPT_TAKE, "these fields are sizes in bytes, as bytes is"},
    {0},
};

void unit_options_take(void *units, const struct opt_value *v)
{
	struct field_units *u = units;
	const char *list = v->text;
	struct buf text = {0};
	struct str name;

	while (opt_item(&list, &text, &name))
		map_put(v->opt->letter == TIME ? &u->times : &u->sizes, name);
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
