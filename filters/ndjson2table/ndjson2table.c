/*
 * ndjson2table: writes any NDJSON as a table, CSV, TSV, Markdown, a list, or bare text.
 *
 * in:  {"ts":100,"dur":90500,"kind":"kernel","name":"void gemm<float>(float*)","stream":7}
 *      {"ts":160,"dur":1200,"kind":"memcpy","name":"Memcpy HtoD (Pinned -> Device)","bytes":4096}
 * out, with -f short,dur,bytes:
 *      short                           dur (us)  bytes (B)
 *      gemm                                90.5
 *      Memcpy HtoD (Pinned -> Device)       1.2       4096
 */
#include "column_names.h"
#include "row_writer.h"
#include "typed_columns.h"
#include "table/unit_search.h"
#include "program/filter.h"
#include "program/input_options.h"
#include "program/table_options.h"
#include "top_rows.h"
#include "json/iter.h"

#include <stdlib.h>

/* Number of records that determine the column widths and, without -f, the columns. */
enum { LOOK = 1000 };

enum { COLUMNS = 256, ALSO };

struct ndjson2table {
	struct table_options options;
	struct out *out;
	struct input *in;
	struct row_writer writer;    /* its table is NULL until the columns are known */
	struct opt_fields fields;    /* with -f: one field for each column */
	struct column_names members; /* without -f: one member for each column */
	bool sorted, streaming;
	bool whole;               /* records are written unchanged */
	bool has_units;           /* the table writes units in the names of columns */
	struct unit_search units; /* the kind of the records, and the units in the names of members */
	struct top_rows rows;     /* records that are stored to sort them or to find the columns */
	size_t cap_by;            /* capacity of rows.by, the fields of -s */
	bool typed;               /* --columns */
	enum typed_columns_engine engine;
	struct typed_columns added; /* --also */
	uint64_t top, seen;         /* top: maximum number of rows, UINT64_MAX for no maximum; seen: records read */
};

#define TO(member) OPT_TO(struct ndjson2table, member)
static const struct opt options[] = {
    {'f', "field", OPT_TEXT("FIELD,..."), OPT_TAKE, "columns to show (default all members of the first 1000 records)"},
    {'s', "sort", OPT_TEXT("FIELD,..."), OPT_TAKE, "sort by these fields, descending; +FIELD: ascending"},
    {'t', "top", OPT_COUNT("N", 0), TO(top), "show only the first N rows; with -s, the first N after sorting"},
    {'o', "output", TABLE_OPTIONS_FORMAT, TO(options.format),
	"ndjson, csv, tsv, raw, md, table or list (default table)"},
    {COLUMNS, "columns", OPT_CHOICE("ENGINE", typed_columns_engines), OPT_TAKE,
	"print the columns of event records with their types for duckdb,\n"
	"clickhouse, spark, pandas or polars, and exit; read no input"},
    {ALSO, "also", OPT_TEXT("NAME:TYPE,..."), OPT_TAKE,
	"with --columns: add these columns; TYPE is integer, number, text,\n"
	"json or texts"},
    {0},
};

static const struct opt_program program = {
    "Shows records as a table, or as CSV, TSV, Markdown, a list, bare text or NDJSON.",
    "[-f FIELD,...] [-s FIELD,...] [-t N] [-u UNIT] [--time FIELD,...] [--size FIELD,...] [-o FORMAT] [--wide] "
    "[--columns ENGINE [--also NAME:TYPE,...]] [FILE...]",
    "trace2ndjson run.json.gz | filter-calls -k kernel | ndjson2table -f ts,short,dur -s dur -t 10",
    .reads = "records, table",
};

/* --- options --- */

/* Adds the fields of -s. */
static void add_order(struct ndjson2table *s, const struct opt_value *v)
{
	const char *list = v->text;
	struct buf text = {0};
	struct fault fault;
	struct str item;

	while (opt_item(&list, &text, &item)) {
		const bool ascending = str_starts(item, STR("+"));
		struct top_rows_order *order;

		s->rows.by = mem_grow(s->rows.by, &s->cap_by, s->rows.n_by + 1, sizeof *s->rows.by);
		order = &s->rows.by[s->rows.n_by++];
		order->ascending = ascending;
		if (!field_compile(&order->field, str_from(item, ascending), &fault))
			opt_field_refused(v->option, str_from(item, ascending), &fault);
	}
	buf_free(&text);
	s->sorted = true;
}

static void take_option(void *arg, const struct opt_value *v)
{
	struct ndjson2table *s = arg;

	switch (v->opt->letter) {
	case 'f':
		opt_fields_add(&s->fields, v->option, v->text);
		break;
	case 's':
		add_order(s, v);
		break;
	case COLUMNS:
		s->typed = true;
		s->engine = (enum typed_columns_engine)v->number;
		break;
	case ALSO:
		typed_columns_add(&s->added, v->option, v->text);
		break;
	}
}

_Noreturn static void print_columns(const struct ndjson2table *s)
{
	struct out out;

	out_open(&out);
	typed_columns_print(&s->added, s->engine, &out);
	quit(filter_close_output(&out, NULL));
}

static char **read_options(struct ndjson2table *s, int argc, char **argv)
{
	const struct opt_table tables[] = {{options, s, take_option}, TABLE_OPTIONS(&s->options),
	    UNIT_OPTIONS(&s->options.units), INPUT_OPTIONS(s->in), {0}};
	char **operands;
	size_t i;

	table_options_init(&s->options, TABLE_TABLE, TABLE_TABLE);
	s->options.look = LOOK;
	operands = opt_read(&program, argc, argv, tables);
	if (s->added.n && !s->typed)
		opt_needs("--also", "--columns");
	if (s->typed && *operands)
		die("'%s': --columns reads no FILE; try %s -h", *operands, err_prog());
	if (s->typed)
		print_columns(s);
	s->rows.most = s->top;
	s->members.without_args = table_options_are_human(&s->options) && !s->options.wide;
	s->members.nested = s->options.format == TABLE_LIST;
	for (i = 0; i < s->fields.n; i++)
		unit_search_field(&s->units, &s->fields.list[i]);
	for (i = 0; i < s->rows.n_by; i++)
		unit_search_field(&s->units, &s->rows.by[i].field);
	s->has_units = table_options_are_human(&s->options) || s->options.time || s->options.size;
	s->whole = s->options.format == TABLE_NDJSON && !s->fields.n && !s->has_units;
	return operands;
}

/* --- columns --- */

static void add_column(struct ndjson2table *s, struct str name)
{
	const struct column_meaning meaning = column_meaning_of(name, &s->units.source, &s->options.units);

	table_column_of(s->writer.table, name, &meaning);
}

static void open_table(struct ndjson2table *s)
{
	size_t i;

	s->writer.table = table_begin(s->out, &s->options);
	for (i = 0; i < s->fields.n; i++)
		add_column(s, str_of(s->fields.list[i].spec));
	for (i = 0; i < s->members.names.n; i++)
		add_column(s, map_key(&s->members.names, i));
	/* A program that reads the output needs the kind of a report, to know which members are times and sizes. */
	if (s->units.source.report)
		table_kind(s->writer.table, buf_str(&s->units.kind));
}

/* --- rows --- */

static void write_row(struct ndjson2table *s, struct event *e)
{
	if (s->whole)
		event_copy(s->out, e);
	else
		row_writer_write(&s->writer, e);
}

/* Writes the stored rows; from now on, records are written immediately. */
static void write_stored_rows(struct ndjson2table *s)
{
	struct event e;
	size_t i;

	top_rows_sort(&s->rows);
	if (!s->fields.n) { /* the columns are the members of the stored rows */
		s->members.without_kind = s->units.source.report && s->options.format != TABLE_NDJSON;
		for (i = 0; i < s->rows.n; i++)
			column_names_see(&s->members, top_rows_line(&s->rows, i));
		column_names_order(&s->members);
	}
	if (!s->whole)
		open_table(s);
	for (i = 0; i < s->rows.n; i++) {
		top_rows_get(&s->rows, i, &e);
		write_row(s, &e);
	}
	top_rows_free(&s->rows);
	s->streaming = true;
	for (i = 0; !s->sorted && i < s->fields.n; i++)
		input_uses(s->in, &s->fields.list[i]);
}

int main(int argc, char **argv)
{
	struct input in = {0};
	struct out out;
	struct ndjson2table s = {.in = &in,
	    .out = &out,
	    .writer = {.fields = &s.fields, .members = &s.members, .in = &in},
	    .top = UINT64_MAX};
	struct event e;
	char **operands;
	bool known, all; /* known: the columns are known */
	int status;
	size_t i;

	err_init(argv[0]);
	operands = read_options(&s, argc, argv);
	filter_open(&in, operands, &out);
	input_stop_on_signal();
	if (!s.sorted && s.whole)
		write_stored_rows(&s); /* no columns are needed, so records are written immediately */
	while ((s.sorted || s.seen < s.top) && input_next(&in, &e)) {
		s.seen++;
		if (s.streaming) {
			write_row(&s, &e);
			continue;
		}
		if (s.seen <= LOOK)
			unit_search_look(&s.units, &e);
		top_rows_add(&s.rows, &e);
		known = s.rows.n == LOOK || (s.fields.n && (!s.has_units || unit_search_is_done(&s.units)));
		if (!s.sorted && known)
			write_stored_rows(&s);
	}
	if (!s.streaming)
		write_stored_rows(&s);
	if (s.writer.table)
		table_end(s.writer.table);
	all = s.sorted || s.seen < s.top;
	for (i = 0; i < s.fields.n; i++)
		filter_hint_field(&s.fields.list[i], all);
	for (i = 0; i < s.rows.n_by; i++)
		filter_hint_field(&s.rows.by[i].field, all);
	status = filter_close(&in);
	field_units_free(&s.options.units);
	opt_fields_free(&s.fields);
	for (i = 0; i < s.rows.n_by; i++)
		field_free(&s.rows.by[i].field);
	free(s.rows.by);
	column_names_free(&s.members);
	unit_search_free(&s.units);
	row_writer_free(&s.writer);
	return status;
}
