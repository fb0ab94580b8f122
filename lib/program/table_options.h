/* table_options: sets the format, units and width of a table, from options and the terminal. */
#ifndef TABLE_OPTIONS_H
#define TABLE_OPTIONS_H

#include "program/opt.h"
#include "table/table.h"

/* TABLE_OPTIONS: -u and --wide, for struct table_options. UNIT_OPTIONS: --time and --size, for struct field_units. */
/* clang-format off */
#define TABLE_OPTIONS(options) {table_option_rows, options, table_options_take}
#define UNIT_OPTIONS(units) {unit_option_rows, units, unit_options_take}
/* clang-format on */
extern const struct opt table_option_rows[], unit_option_rows[];
void table_options_take(void *options, const struct opt_value *v);
void unit_options_take(void *units, const struct opt_value *v);

/* The argument of -o. The index of the word is a value of enum table_format. */
#define TABLE_OPTIONS_FORMAT OPT_CHOICE("FORMAT", table_format_names)
#define TABLE_FORMAT_NAME(id, name, help) name,
extern const char *const table_format_names[];

/*
 * Sets the width and the format. The default format is `terminal` when standard output is a terminal, and `otherwise`
 * when it is not. The width and the character set are those of program/tty.
 */
void table_options_init(struct table_options *to, enum table_format terminal, enum table_format otherwise);

#endif
