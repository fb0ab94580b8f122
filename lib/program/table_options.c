#include "program/table_options.h"

#include "program/opt_fields.h"
#include "program/tty.h"

#include <unistd.h>

const char *const table_format_names[] = {TABLE_FORMATS(TABLE_FORMAT_NAME) NULL};

#define TO(member) OPT_TO(struct table_options, member)
const struct opt table_option_rows[] = {
    {'u', "unit", OPT_TEXT("UNIT"), OPT_TAKE,
	"write times in ns, us, ms or s; sizes in B, kB, MB, GB, KiB, MiB or GiB\n"
	"(default units that fit; in ndjson, csv and tsv, ns and B)"},
    {0, "wide", OPT_FLAG, TO(wide), "show full names and all columns, even if wider than the terminal"},
    {0},
};

static const struct unit *read_unit(const struct opt_value *v)
{
	const struct unit *unit = units_find(str_of(v->text));

	if (!unit)
		opt_unknown(v->option, str_of(v->text), units_names);
	return unit;
}

/* -u */
void table_options_take(void *options, const struct opt_value *v)
{
	struct table_options *to = options;
	const struct unit *unit = read_unit(v), **slot = unit->size ? &to->size : &to->time;

	if (*slot)
		die("%s: '%s' and '%s' are both units of %s; choose one", v->option, (*slot)->name, v->text,
		    unit->size ? "size" : "time");
	*slot = unit;
}

enum { TIME = 256, SIZE };

const struct opt unit_option_rows[] = {
    {TIME, "time", OPT_TEXT("FIELD,..."), OPT_TAKE, "treat these fields as times in ns, like dur"},
    {SIZE, "size", OPT_TEXT("FIELD,..."), OPT_TAKE, "treat these fields as sizes in bytes, like the field bytes"},
    {0},
};

void unit_options_take(void *units, const struct opt_value *v)
{
	struct field_units *u = units;
	const char *list = v->text;
	struct buf text = {0};
	struct fault fault;
	struct field field;
	struct str name;

	while (opt_item(&list, &text, &name)) {
		if (!field_compile(&field, name, &fault))
			opt_field_refused(v->option, name, &fault);
		map_put(v->opt->letter == TIME ? &u->times : &u->sizes, str_of(field.spec));
		field_free(&field);
	}
	buf_free(&text);
}

void table_options_init(struct table_options *to, enum table_format terminal, enum table_format otherwise)
{
	*to = (struct table_options){
	    .format = isatty(STDOUT_FILENO) ? terminal : otherwise, .width = tty_width(), .utf8 = tty_is_utf8()};
}
