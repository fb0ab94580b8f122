/*
 * ndjson2table: any NDJSON as a table, CSV, TSV, Markdown or a list.
 *
 * in:  {"ts":100,"dur":90500,"kind":"kernel","name":"void gemm<float>(float*)","stream":7}
 *      {"ts":160,"dur":1200,"kind":"memcpy","name":"Memcpy HtoD (Pinned -> Device)","bytes":4096}
 * out, with -f short,dur,bytes:
 *      short                           dur (us)  bytes (B)
 *      gemm                                90.5
 *      Memcpy HtoD (Pinned -> Device)       1.2       4096
 */
#include "input.h"
#include "json.h"
#include "opt.h"
#include "scan.h"
#include "table.h"
#include "walk.h"

#include <getopt.h>
#include <stdlib.h>

/* Records from which the columns are taken when -f does not name them, and column widths are measured. */
enum { LOOK = 1000 };

enum { WIDE = INPUT_OPTION_END };

static const struct opt options[] = {
    {'f', "field", "FIELD,...", "these columns (all members of the first records)"},
    {'s', "sort", "FIELD", "sorted by FIELD, descending"},
    {'t', "top", "N", "only the first N rows, of the sorted ones with -s"},
    {'u', "unit", "UNIT", "times in ns us ms s; sizes in B kB MB GB KiB MiB GiB"},
    {'o', "output", "FORMAT", "table (default), csv, tsv, md, list or ndjson"},
    {WIDE, "wide", NULL, "names whole, args and src too, wider than the terminal"},
    INPUT_OPTIONS,
    {0},
};

static const struct program program = {
    "Shows records as a table; with -o csv, tsv, md, list or ndjson as that.",
    "[-f FIELD,...] [-s FIELD] [-t N] [-u UNIT] [-o FORMAT] [--wide] [FILE...]",
    "trace2ndjson run.json.gz | filter-calls -k kernel | ndjson2table -f ts,short,dur -s dur -t 10",
    options,
};

/* A record that is kept: its line, and what -s found in it. */
struct row {
	char *line; /* with SCAN_PAD bytes behind it; the sort field's text follows */
	size_t n;
	struct value key;
	uint64_t place;
};

struct sheet {
	struct table_options options;
	struct table *table;
	struct out *out;
	struct input *in;
	struct field *fields, sort; /* -f: one a column */
	char **specs;
	size_t n_fields, cap_fields, cap_specs;
	struct map members;         /* without -f: names in column order */
	bool sorted, settled;
	bool whole;                 /* records are passed as they are */
	struct row *rows;           /* kept: for -s, and to learn the columns */
	size_t n_rows, cap_rows;
	uint64_t top, seen;         /* top: UINT64_MAX for all */
	struct buf text;            /* a decoded name, the elements of a reference with [] */
	char *missing;              /* what is said of members without a column */
};

/* --- options --- */

/* A list of fields at its commas; a comma in a name is written as "\,". */
static void add_fields(struct sheet *s, const char *arg)
{
	struct buf spec = {0};

	for (;; arg++) {
		if (*arg == '\\' && arg[1] == ',') {
			buf_char(&spec, *++arg);
			continue;
		}
		if (*arg && *arg != ',') {
			buf_char(&spec, *arg);
			continue;
		}
		s->fields = mem_grow(s->fields, &s->cap_fields, s->n_fields + 1, sizeof *s->fields);
		s->specs = mem_grow(s->specs, &s->cap_specs, s->n_fields + 1, sizeof *s->specs);
		s->specs[s->n_fields] = str_dup((struct str){spec.p, spec.n});
		field_option(&s->fields[s->n_fields], "-f", s->specs[s->n_fields]);
		s->n_fields++;
		spec.n = 0;
		if (!*arg)
			break;
	}
	buf_free(&spec);
}

static void read_options(struct sheet *s, int argc, char **argv)
{
	const char *arg;
	int letter;

	table_defaults(&s->options, TABLE_TABLE);
	s->options.look = LOOK;
	s->top = UINT64_MAX;
	while ((letter = opt_next(&program, argc, argv, &arg)) != -1) {
		if (letter == 'f') {
			add_fields(s, arg);
		} else if (letter == 's') {
			field_option(&s->sort, "-s", arg);
			s->sorted = true;
		} else if (letter == 't') {
			s->top = (uint64_t)opt_count("-t", arg, 0);
		} else if (letter == 'u') {
			table_unit(&s->options, "-u", arg);
		} else if (letter == 'o') {
			s->options.format = table_format("-o", arg);
		} else if (letter == WIDE) {
			s->options.wide = true;
		} else {
			input_option(s->in, letter, arg);
		}
	}
	s->whole = s->options.format == TABLE_NDJSON && !s->n_fields && !s->options.time && !s->options.size;
}

/* --- columns --- */

static bool is_human(const struct sheet *s)
{
	return s->options.format == TABLE_MD || s->options.format == TABLE_TABLE || s->options.format == TABLE_LIST;
}

/* The key as text: itself, or decoded into s->text. */
static struct str plain_key(struct sheet *s, struct str key)
{
	if (!memchr(key.p, '\\', key.n))
		return key;
	s->text.n = 0;
	json_unescape(&s->text, key);
	return (struct str){s->text.p, s->text.n};
}

/* Whether a member gets no column unless it is asked for: long JSON that no line has room for. */
static bool is_left_out(const struct sheet *s, struct str key)
{
	return is_human(s) && !s->options.wide && (str_eq(key, STR("args")) || str_eq(key, STR("src")));
}

static void add_member(struct sheet *s, struct map *seen, struct str name)
{
	if (map_find(seen, name) != MAP_NONE && !is_left_out(s, name))
		map_put(&s->members, name);
}

/* Without -f: the members of the rows kept; standard ones as records have them, others as they first came. */
static void learn_members(struct sheet *s)
{
	struct map seen = {0};
	struct str key, value;
	struct walk w;
	size_t i;

	for (i = 0; i < s->n_rows; i++) {
		walk_open(&w, (struct str){s->rows[i].line, s->rows[i].n});
		while (walk_next(&w, &key, &value) > 0)
			map_put(&seen, plain_key(s, key));
	}
	for (i = 0; i < EVENT_ARGS; i++)
		add_member(s, &seen, str_of(event_member_name(i)));
	for (i = 0; i < seen.n; i++) {
		key = map_key(&seen, i);
		if (!str_eq(key, STR("args")) && !str_eq(key, STR("src")))
			add_member(s, &seen, key);
	}
	add_member(s, &seen, STR("args"));
	add_member(s, &seen, STR("src"));
	map_free(&seen);
}

static void open_table(struct sheet *s)
{
	struct str name;
	size_t i;

	s->table = table_open(s->out, &s->options);
	for (i = 0; i < s->n_fields; i++)
		table_column(s->table, str_of(s->fields[i].spec), column_kind(str_of(s->fields[i].spec)));
	for (i = 0; i < s->members.n; i++) {
		name = map_key(&s->members, i);
		table_column(s->table, name, column_kind(name));
	}
}

/* --- rows --- */

/* All values of a reference with [], as an array. */
static void set_elements(struct sheet *s, struct event *e, size_t column, struct value *v)
{
	size_t i;

	s->text.n = 0;
	buf_char(&s->text, '[');
	for (i = 1; v->type != VALUE_NONE; i++) {
		if (i > 1)
			buf_char(&s->text, ',');
		buf_add(&s->text, v->text.p, v->text.n);
		field_get(&s->fields[column], e, i, v);
	}
	buf_char(&s->text, ']');
	*v = (struct value){.type = VALUE_OTHER, .text = {s->text.p, s->text.n}};
	table_set(s->table, column, v);
}

static void set_fields(struct sheet *s, struct event *e)
{
	struct value v;
	size_t i;

	for (i = 0; i < s->n_fields; i++) {
		if (!field_get(&s->fields[i], e, 0, &v))
			continue;
		if (s->fields[i].each)
			set_elements(s, e, i, &v);
		else
			table_set(s->table, i, &v);
	}
}

/* A record has a member that came too late to get a column. */
static void tell_missing(struct sheet *s, struct str name)
{
	struct buf text = {0};

	if (!s->missing) {
		buf_lit(&text, "a member that the first 1000 records did not have: '");
		buf_add(&text, name.p, name.n < 80 ? name.n : 80);
		buf_lit(&text, "', not shown; name the columns with -f");
		s->missing = str_dup((struct str){text.p, text.n});
		buf_free(&text);
	}
	input_lost(s->in, s->missing);
}

static void set_members(struct sheet *s, struct event *e)
{
	size_t column = MAP_NONE;
	bool missing = false;
	struct str key, text;
	struct value v;
	struct walk w;

	walk_open(&w, e->raw);
	while (walk_next(&w, &key, &text) > 0) {
		key = plain_key(s, key);
		/* Records of one kind have their members in one order: the next column is a good guess. */
		if (++column >= s->members.n || !str_eq(map_key(&s->members, column), key))
			column = map_find(&s->members, key);
		if (column != MAP_NONE) {
			value_of(&v, text);
			if (text.p[0] != 'n') /* null: absent */
				table_set(s->table, column, &v);
		} else if (!missing && !is_left_out(s, key)) {
			missing = true;
			tell_missing(s, key);
		}
	}
}

static void write_row(struct sheet *s, struct event *e)
{
	if (s->whole) {
		event_copy(s->out, e);
		return;
	}
	if (s->n_fields)
		set_fields(s, e);
	else
		set_members(s, e);
	table_row(s->table);
}

/* --- keeping rows --- */

/* The order of -s: numbers, texts, other values, each descending; without the field; as they came. */
static int compare(const void *a, const void *b)
{
	static const int rank[] = {[VALUE_INT] = 0, [VALUE_REAL] = 0, [VALUE_STRING] = 1, [VALUE_OTHER] = 2,
	    [VALUE_NONE] = 3};
	const struct row *x = a, *y = b;
	int c = rank[x->key.type] - rank[y->key.type];

	if (!c && x->key.type == VALUE_INT && y->key.type == VALUE_INT)
		c = (x->key.i < y->key.i) - (x->key.i > y->key.i);
	else if (!c && rank[x->key.type] == 0)
		c = (x->key.d < y->key.d) - (x->key.d > y->key.d);
	else if (!c)
		c = str_cmp(y->key.text, x->key.text);
	return c ? c : (x->place > y->place) - (x->place < y->place);
}

static void swap(struct row *a, struct row *b)
{
	struct row kept = *a;

	*a = *b;
	*b = kept;
}

/* Restores the heap below i: the row that comes last is at the root, to be replaced first. */
static void sift(struct sheet *s, size_t i)
{
	size_t last = i, child;

	for (;; i = last) {
		for (child = 2 * i + 1; child <= 2 * i + 2 && child < s->n_rows; child++) {
			if (compare(&s->rows[child], &s->rows[last]) > 0)
				last = child;
		}
		if (last == i)
			return;
		swap(&s->rows[i], &s->rows[last]);
	}
}

/* A copy of a record; the text to sort by goes behind it. */
static struct row copy_row(const struct event *e, struct value key, uint64_t place)
{
	struct row row = {mem_alloc(e->raw.n + SCAN_PAD + key.text.n), e->raw.n, key, place};

	memcpy(row.line, e->raw.p, row.n);
	memset(row.line + row.n, 0, SCAN_PAD);
	row.key.text.p = row.line + row.n + SCAN_PAD;
	if (key.text.n)
		memcpy(row.line + row.n + SCAN_PAD, key.text.p, key.text.n);
	return row;
}

static void keep_sorted(struct sheet *s, struct event *e)
{
	struct row row = {NULL, 0, {VALUE_NONE, 0, 0, {NULL, 0}}, s->seen};
	size_t i;

	if (field_get(&s->sort, e, 0, &row.key) && row.key.type == VALUE_STRING) {
		s->text.n = 0;
		json_unescape(&s->text, (struct str){row.key.text.p + 1, row.key.text.n - 2});
		row.key.text = (struct str){s->text.p, s->text.n};
	}
	if (s->n_rows < s->top) {
		s->rows = mem_grow(s->rows, &s->cap_rows, s->n_rows + 1, sizeof *s->rows);
		s->rows[s->n_rows++] = copy_row(e, row.key, row.place);
		for (i = s->n_rows / 2; s->n_rows == s->top && i > 0; i--)
			sift(s, i - 1);
	} else if (s->n_rows && compare(&row, &s->rows[0]) < 0) {
		free(s->rows[0].line);
		s->rows[0] = copy_row(e, row.key, row.place);
		sift(s, 0);
	}
}

/* Writes the rows kept: from here on, records are written as they come. */
static void settle(struct sheet *s)
{
	struct event e;
	size_t i;

	if (s->sorted && s->n_rows)
		qsort(s->rows, s->n_rows, sizeof *s->rows, compare);
	if (!s->n_fields)
		learn_members(s);
	if (!s->whole)
		open_table(s);
	for (i = 0; i < s->n_rows; i++) {
		event_parse(&e, (struct str){s->rows[i].line, s->rows[i].n}); /* again: it was good before */
		write_row(s, &e);
		free(s->rows[i].line);
	}
	free(s->rows);
	s->rows = NULL;
	s->n_rows = s->cap_rows = 0;
	s->settled = true;
}

static void take(struct sheet *s, struct event *e)
{
	static const struct value none;

	s->seen++;
	if (s->sorted) {
		keep_sorted(s, e);
	} else if (s->settled) {
		write_row(s, e);
	} else {
		s->rows = mem_grow(s->rows, &s->cap_rows, s->n_rows + 1, sizeof *s->rows);
		s->rows[s->n_rows++] = copy_row(e, none, s->seen);
		if (s->n_rows == LOOK)
			settle(s);
	}
}

/* --- the end --- */

static void hint(struct sheet *s)
{
	struct field *field;
	size_t i;

	for (i = 0; i < s->n_fields; i++) {
		field = &s->fields[i];
		field_hints(&field, 1);
	}
	field = &s->sort;
	if (s->sorted)
		field_hints(&field, 1);
}

static void free_sheet(struct sheet *s)
{
	size_t i;

	for (i = 0; i < s->n_fields; i++) {
		free(s->specs[i]);
		field_free(&s->fields[i]);
	}
	field_free(&s->sort);
	free(s->specs);
	free(s->fields);
	map_free(&s->members);
	buf_free(&s->text);
}

int main(int argc, char **argv)
{
	struct input in = {0};
	struct out out;
	struct sheet s = {.in = &in, .out = &out};
	struct event e;
	int status;

	err_init(argv[0]);
	read_options(&s, argc, argv);
	opt_need_input(&program, argc, argv);
	out_open(&out);
	input_open(&in, argv + optind, &out);
	input_stop_on_signal();
	if (!s.sorted && (s.n_fields || s.whole))
		settle(&s); /* nothing to learn */
	while ((s.sorted || s.seen < s.top) && input_next(&in, &e))
		take(&s, &e);
	if (!s.settled)
		settle(&s);
	if (s.table)
		table_close(s.table);
	hint(&s);
	status = input_finish(&in);
	free(s.missing);
	free_sheet(&s);
	return status;
}
