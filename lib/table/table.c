#include "table/table_private.h"

#include "base/num_format.h"
#include "json/json.h"
#include "cli/options.h"
#include "base/num_parse.h"

#include <math.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { TERMINAL = 80 }; /* columns of a terminal that does not tell */

/* --- options --- */

#define TABLE_NAME(id, name, help) name,
static const char *const formats[] = {TABLE_FORMATS(TABLE_NAME)};

static const char *format_name(size_t i)
{
	return i < TABLE_N ? formats[i] : NULL;
}

enum table_format table_format(const char *option, const char *arg)
{
	size_t i;

	for (i = 0; i < TABLE_N; i++) {
		if (str_eq(str_of(arg), str_of(formats[i])))
			return (enum table_format)i;
	}
	opt_unknown(option, "output format", str_of(arg), format_name);
}

static const char *unit_name(size_t i)
{
	const struct num_unit *unit = num_units(i);

	return unit ? unit->name : NULL;
}

void table_unit(struct table_options *to, const char *option, const char *arg)
{
	const struct num_unit *unit = num_unit(str_of(arg)), **slot;

	if (!unit)
		opt_unknown(option, "unit", str_of(arg), unit_name);
	slot = unit->size ? &to->size : &to->time;
	if (*slot)
		die("%s: '%s' after '%s': one unit of %s", option, arg, (*slot)->name, unit->size ? "size" : "time");
	*slot = unit;
}

void table_defaults(struct table_options *to, enum table_format otherwise)
{
	struct winsize size = {0};

	*to = (struct table_options){.format = otherwise};
	if (!isatty(STDOUT_FILENO))
		return;
	to->width = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : TERMINAL;
}

/* A moment: ts, end, api.ts, orig_ts, and what groupby's aggregates leave one: ts_min. */
static bool is_stamp(struct str name)
{
	static const char *const aggregates[] = {"_min", "_max", "_first", "_last", "_mean", "_median", NULL};
	size_t i;

	for (i = 0; aggregates[i]; i++) {
		if (str_ends(name, str_of(aggregates[i])))
			return is_stamp(str_head(name, name.n - strlen(aggregates[i])));
	}
	return str_eq(name, STR("ts")) || str_eq(name, STR("end")) || str_ends(name, STR(".ts")) ||
	       str_ends(name, STR("_ts"));
}

enum column_kind column_kind(struct str name)
{
	struct str field = str_head(name, str_find(name, STR("/")));

	if (str_eq(name, STR("name")) || str_ends(name, STR(".name")) || str_eq(name, STR("short")))
		return COLUMN_NAME;
	if (str_eq(name, STR("share")) || str_ends(name, STR("_share")))
		return COLUMN_SHARE;
	if (is_stamp(field))
		return COLUMN_STAMP;
	switch (field_base(field)) {
	case FIELD_TIME:
		return COLUMN_TIME;
	case FIELD_SIZE:
		return COLUMN_SIZE;
	default:
		return COLUMN_ANY;
	}
}

static bool is_human(const struct table *t)
{
	return t->options.format >= TABLE_MD;
}

/* --- opening, columns, cells --- */

struct table *table_open(struct out *o, const struct table_options *options)
{
	struct table *t = mem_zero(1, sizeof *t);

	t->out = o;
	t->options = *options;
	return t;
}

const struct num_unit *table_given_unit(const struct table *t, enum column_kind kind)
{
	if (t->options.format < TABLE_RAW)
		return NULL;
	return kind == COLUMN_TIME || kind == COLUMN_STAMP ? t->options.time :
	    kind == COLUMN_SIZE                            ? t->options.size :
							     NULL;
}

size_t table_column(struct table *t, struct str name, enum column_kind kind)
{
	struct column *c;

	t->columns = mem_grow(t->columns, &t->cap_columns, t->n + 1, sizeof *t->columns);
	t->row = mem_grow(t->row, &t->cap_row, t->n + 1, sizeof *t->row);
	c = &t->columns[t->n];
	*c = (struct column){.name = str_dup(name), .kind = kind, .unit = table_given_unit(t, kind)};
	json_quote(&c->key, name);
	buf_char(&c->key, ':');
	t->row[t->n] = (struct cell){.type = VALUE_NONE};
	return t->n++;
}

void table_none(struct table *t, size_t column, const char *text)
{
	t->columns[column].none = text;
}

void table_set_cell(struct table *t, size_t column, enum value_type type, struct str text)
{
	t->row[column] = (struct cell){type, false, t->text.n, text.n};
	buf_add(&t->text, text.p, text.n);
}

void table_set(struct table *t, size_t column, const struct value *v)
{
	table_set_cell(t, column, v->type, v->text);
}

void table_set_int(struct table *t, size_t column, num_i128 v)
{
	char text[NUM_ROOM];

	table_set_cell(t, column, VALUE_INT, (struct str){text, (size_t)(num_put_i128(text, v) - text)});
}

void table_set_real(struct table *t, size_t column, double v)
{
	char text[NUM_ROOM];

	if (isfinite(v))
		table_set_cell(t, column, VALUE_REAL, (struct str){text, (size_t)(num_put_double(text, v) - text)});
}

void table_set_approx(struct table *t, size_t column, double v)
{
	table_set_real(t, column, v);
	t->row[column].approx = true;
}

/* --- numbers --- */

int table_power_of_ten(int64_t factor)
{
	int shift = 0;

	for (; factor % 10 == 0; factor /= 10)
		shift++;
	return factor == 1 ? shift : -1;
}

char *table_put_number(char *p, struct str number, const struct num_unit *unit, int decimals)
{
	int shift = unit ? table_power_of_ten(unit->factor) : 0;
	char text[NUM_ROOM], *end;
	double v;

	if (shift < 0 && num_double(number, &v)) {
		end = num_put_double(text, v / (double)unit->factor);
		number = (struct str){text, (size_t)(end - text)};
		shift = 0;
	}
	end = num_put_scaled(p, number, shift, decimals);
	if (end)
		return end;
	/* Too long for plain digits: 1e300. */
	if (num_double(number, &v))
		return num_put_double(p, unit ? v / (double)unit->factor : v);
	number = str_head(number, NUM_ROOM);
	memcpy(p, number.p, number.n);
	return p + number.n;
}

/* --- csv, tsv, ndjson, raw: one row at a time, straight into the output's buffer --- */

static char *put(char *p, const void *from, size_t n)
{
	memcpy(p, from, n);
	return p + n;
}

/* Writes up to 2 * s.n + 2 bytes. */
static char *put_quoted(char *p, struct str s)
{
	size_t i;

	*p++ = '"';
	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '"')
			*p++ = '"';
		*p++ = s.p[i];
	}
	*p++ = '"';
	return p;
}

static char *put_csv(struct table *t, char *p, enum value_type type, struct str s)
{
	bool string = type == VALUE_STRING;

	if (string && !memchr(s.p, '\\', s.n)) {
		/* No escape: neither quote nor line end is inside, and the quotes are there already. */
		if (s.n == 2 || memchr(s.p, ',', s.n))
			return put(p, s.p, s.n);
		return put(p, s.p + 1, s.n - 2);
	}
	if (string) {
		t->one.n = 0;
		json_unescape(&t->one, json_inner(s));
		s = (struct str){t->one.p, t->one.n};
	}
	if (memchr(s.p, '"', s.n) || memchr(s.p, ',', s.n) || memchr(s.p, '\n', s.n) || memchr(s.p, '\r', s.n))
		return put_quoted(p, s);
	return put(p, s.p, s.n);
}

static char *put_tsv(struct table *t, char *p, enum value_type type, struct str s)
{
	static const char plain[] = "\t\n\r\\", escaped[] = "tnr\\";
	const char *hit;
	size_t i;

	if (type == VALUE_STRING) {
		s = json_inner(s);
		if (!memchr(s.p, '\\', s.n))
			return put(p, s.p, s.n);
		t->one.n = 0;
		json_unescape(&t->one, s);
		s = (struct str){t->one.p, t->one.n};
	}
	for (i = 0; i < s.n; i++) {
		hit = s.p[i] ? strchr(plain, s.p[i]) : NULL;
		if (hit)
			*p++ = '\\';
		*p++ = hit ? escaped[hit - plain] : s.p[i];
	}
	return p;
}

static char *put_cells(struct table *t, char *p)
{
	bool csv = t->options.format == TABLE_CSV;
	char *start = p;
	size_t i;

	for (i = 0; i < t->n; i++) {
		if (i)
			*p++ = csv ? ',' : '\t';
		if (table_is_number(t->row[i].type))
			p = put(p, table_cell(t, i).p, t->row[i].n);
		else if (t->row[i].type != VALUE_NONE)
			p = (csv ? put_csv : put_tsv)(t, p, t->row[i].type, table_cell(t, i));
	}
	/* A line of nothing would be no row to many readers. */
	if (csv && t->n == 1 && p == start)
		p = put(p, "\"\"", 2);
	return p;
}

static char *put_members(struct table *t, char *p)
{
	char *start = p;
	size_t i;

	*p++ = '{';
	for (i = 0; i < t->n; i++) {
		if (t->row[i].type == VALUE_NONE)
			continue;
		if (p > start + 1)
			*p++ = ',';
		p = put(p, t->columns[i].key.p, t->columns[i].key.n);
		p = put(p, table_cell(t, i).p, t->row[i].n);
	}
	*p++ = '}';
	return p;
}

/* Texts decoded, whatever bytes they are made of. */
static char *put_raw(struct table *t, char *p)
{
	struct str cell;
	size_t i;

	for (i = 0; i < t->n; i++) {
		cell = table_cell(t, i);
		if (t->row[i].type == VALUE_NONE)
			continue;
		if (t->row[i].type == VALUE_STRING) {
			t->one.n = 0;
			json_unescape(&t->one, json_inner(cell));
			cell = (struct str){t->one.p, t->one.n};
		}
		if (t->columns[i].unit && table_is_number(t->row[i].type))
			p = table_put_number(p, cell, t->columns[i].unit, -1);
		else
			p = put(p, cell.p, cell.n);
		if (!cell.n || p[-1] != '\n')
			*p++ = '\n';
	}
	return p;
}

static void write_row(struct table *t)
{
	size_t need = 2 * t->text.n + 8, i;
	char *p;

	for (i = 0; i < t->n; i++)
		need += t->columns[i].key.n + NUM_ROOM + 4;
	p = out_room(t->out, need);
	if (t->options.format == TABLE_RAW) {
		p = put_raw(t, p);
	} else {
		p = t->options.format == TABLE_NDJSON ? put_members(t, p) : put_cells(t, p);
		*p++ = '\n';
	}
	out_used(t->out, p);
}

void table_clear_row(struct table *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		t->row[i].type = VALUE_NONE;
	t->text.n = 0;
}

/* csv and tsv: the names, as cells. */
static void write_names(struct table *t)
{
	bool csv = t->options.format == TABLE_CSV;
	char *p;
	size_t i;

	for (i = 0; i < t->n; i++) {
		t->two.n = 0;
		json_quote(&t->two, str_of(t->columns[i].name));
		p = out_room(t->out, 2 * t->two.n + 4);
		if (i)
			*p++ = csv ? ',' : '\t';
		p = (csv ? put_csv : put_tsv)(t, p, VALUE_STRING, (struct str){t->two.p, t->two.n});
		out_used(t->out, p);
	}
	out_char(t->out, '\n');
}

/* --- rows --- */

static void start(struct table *t)
{
	if (t->options.format != TABLE_NDJSON && t->options.format != TABLE_RAW)
		write_names(t);
	t->started = true;
}

void table_row(struct table *t)
{
	if (is_human(t)) {
		table_human_row(t);
	} else {
		if (!t->started)
			start(t);
		write_row(t);
	}
	table_clear_row(t);
}

void table_close(struct table *t)
{
	size_t i;

	if (is_human(t))
		table_human_end(t);
	else if (!t->started && t->n)
		start(t);
	for (i = 0; i < t->n; i++) {
		free(t->columns[i].name);
		buf_free(&t->columns[i].key);
		buf_free(&t->columns[i].head);
		map_free(&t->columns[i].texts);
		free(t->columns[i].forms);
		buf_free(&t->columns[i].form_text);
	}
	free(t->columns);
	free(t->row);
	buf_free(&t->text);
	buf_free(&t->held);
	buf_free(&t->one);
	buf_free(&t->two);
	buf_free(&t->brief);
	buf_free(&t->line);
	free(t);
}
