/* table_output: captures tables as text, and makes the tables that several tests need. */
#ifndef TABLE_OUTPUT_H
#define TABLE_OUTPUT_H

#include "table/table.h"
#include "test.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

static struct table_options options;
static struct out out;
static FILE *file;
static int saved;

/* Begins a table and captures standard output, until caught() ends the table and returns the output. */
static inline struct table *begin(enum table_format format)
{
	fflush(stdout);
	file = tmpfile();
	saved = dup(STDOUT_FILENO);
	dup2(fileno(file), STDOUT_FILENO);
	out_open(&out);
	options.format = format;
	return table_begin(&out, &options);
}

static inline struct str caught(struct table *t)
{
	static char text[65536];
	size_t n;

	table_end(t);
	CHECK(out_flush(&out));
	free(out.p);
	rewind(file);
	n = fread(text, 1, sizeof text, file);
	fclose(file);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	return (struct str){text, n};
}

static inline void set(struct table *t, size_t column, const char *json)
{
	struct value v;

	value_of(&v, str_of(json));
	table_set(t, column, &v);
}

/* Begins a table of names and numbers, like that of a report. */
static inline struct table *report(enum table_format format)
{
	struct table *t = begin(format);

	table_column(t, STR("name"), COLUMN_NAME);
	table_column(t, STR("count"), COLUMN_ANY);
	table_column(t, STR("dur_sum"), COLUMN_TIME);
	table_column(t, STR("dur_share"), COLUMN_SHARE);
	set(t, 0, "\"void at::k<int>(int, float)\"");
	table_set_int(t, 1, 12);
	table_set_int(t, 2, 43210987);
	table_set_real(t, 3, 0.9995);
	table_row(t);
	set(t, 0, "\"Memset (Device)\"");
	table_set_int(t, 1, 3);
	table_set_real(t, 2, 1500.5);
	table_set_real(t, 3, 0.0005);
	table_row(t);
	return t;
}

/*
 * Returns the output of a table with one column of that kind and name. The following arguments are the values in the
 * column.
 */
static inline struct str column(enum column_kind kind, const char *name, ...)
{
	struct table *t = begin(TABLE_TABLE);
	const char *json;
	va_list ap;

	table_column(t, str_of(name), kind);
	va_start(ap, name);
	while ((json = va_arg(ap, const char *))) {
		if (*json)
			set(t, 0, json);
		table_row(t);
	}
	va_end(ap);
	return caught(t);
}

#endif
