#include "cli/field_hints.h"

#include "base/err.h"

/* The field was in no record. */
static void hint_absent(const struct field *f, bool all)
{
	struct str_near near = {f->name, {NULL, 0}, 0};
	const char *none = all ? "no record has the field" : "none of the records that were read has the field";
	size_t i = str_find(f->name, STR("["));

	if (i + 1 < f->name.n && f->name.p[i + 1] != ']') {
		note("%s '%.*s'; '%.*s[]' is every element of an array", none, STR_FMT(f->name), (int)i, f->name.p);
		return;
	}
	for (i = 0; i < f->near.n; i++)
		str_near(&near, map_key(&f->near, i));
	str_near(&near, STR("end"));
	str_near(&near, STR("short"));
	if (near.best.p)
		note("%s '%.*s'; did you mean '%.*s'?", none, STR_FMT(f->name), STR_FMT(near.best));
	else
		note("%s '%.*s'", none, STR_FMT(f->name));
}

void field_hint(const struct field *f, bool all)
{
	if (f->records && !f->found)
		hint_absent(f, all);
	else if (f->numeric && f->found && !f->numbers)
		note("the field '%.*s' holds no numbers", STR_FMT(f->name));
}
