#include "chart.h"

#include "base/err.h"
#include "base/escape.h"
#include "base/num_parse.h"
#include "json/string.h"
#include "json/write.h"
#include "record/cxx_short_name.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* --- options --- */

enum { ERR = 300, FACET, LABEL, COLOR, BINS, PAGE };

static const char *const rows_words[] = {"stream", "thread", "depth", "each", "rank", NULL};

#define TO(member) OPT_TO(struct chart_options, member)
const struct opt chart_option_rows[] = {
    {'f', "field", OPT_TEXT("FIELD,..."), OPT_TAKE,
	"draw the values of this field; of several fields, of the first one that\n"
	"a record has (default dur_sum,dur_mean,dur or another aggregate; hist:\n"
	"dur)"},
    {'g', "group", OPT_TEXT("KEY,..."), OPT_TAKE,
	"name bars and parts by these fields (default name); line, steps: use\n"
	"this field for the x axis (default ts)"},
    {'t', "top", OPT_COUNT("N", 1), TO(top),
	"draw at most N bars (default 40), parts (8; stacked: 8 to 16), rows\n"
	"(1000; heat: 200) or levels of frames (flame: 1000); draw the sum of all\n"
	"other bars or parts as one, in grey"},
    {0, "bars", OPT_COUNT("N", 1), TO(bars),
	"stacked: draw at most N bars in each panel (default 20), and one for the\n"
	"rest"},
    {ERR, "err", OPT_TEXT("FIELD"), OPT_TAKE, "bar: draw error bars of plus or minus this field, such as dur_std"},
    {0, "as-read", OPT_FLAG, TO(as_read), "bar: draw the first records in input order, not the largest"},
    {FACET, "facet", OPT_TEXT("FIELD"), OPT_TAKE, "stacked: draw a panel for each value of this field"},
    {0, "rows", OPT_CHOICE("ROWS", rows_words), TO(rows),
	"gantt, heat: draw one row for each stream (default), thread, depth or\n"
	"rank; gantt also: for each record (each)"},
    {LABEL, "label", OPT_TEXT("FIELD,..."), OPT_TAKE, "gantt: write these fields in the boxes (default name)"},
    {COLOR, "color", OPT_TEXT("FIELD"), OPT_TAKE,
	"line, steps, area: draw one line or area for each value of this field;\n"
	"gantt: color the boxes by this field (default name; for each record: kind)"},
    {0, "zoom", OPT_FLAG, TO(zoom), "line, steps: begin the y axis at the minimum, not at 0"},
    {BINS, "bins", OPT_TEXT("BINS"), OPT_TAKE,
	"hist: use this number of bins, or bins between these edges, such as\n"
	"0,10us,1ms"},
    {0, "log", OPT_FLAG, TO(bins.log), "hist: use bins of increasing widths, such as 1 2 5 10 20 50"},
    {0, "diff", OPT_TEXT("FILE"), TO(diff), "flame: compare with the folded stacks in FILE, from an earlier run"},
    {0, "marks", OPT_FLAG, TO(marks),
	"gantt, area, flame: write the boxes as records, for a report, and no\n"
	"picture"},
    {0, "title", OPT_TEXT("TEXT"), TO(title), "write this title (default: a description of the picture; '' for none)"},
    {PAGE, "page", OPT_TEXT("WxH"), OPT_TAKE,
	"set the size in pixels, or with -T in columns and lines; the height 0\n"
	"fits the contents (default 900x0; -T: width of the terminal)"},
    {'T', "terminal", OPT_FLAG, TO(text), "draw with Unicode blocks, or with ASCII if the locale is not UTF-8"},
    {0},
};

/* The letters of the options that are lists of fields. */
static const int field_letters[] = {'f', 'g', ERR, FACET, LABEL, COLOR};

struct opt_fields *chart_options_fields(struct chart_options *o, size_t i)
{
	struct opt_fields *const lists[] = {&o->values, &o->keys, &o->error, &o->facet, &o->labels, &o->color};

	return i < sizeof lists / sizeof *lists ? lists[i] : NULL;
}

static void read_page(struct chart_options *o, const struct opt_value *v)
{
	struct str rest = str_of(v->text), width;
	int64_t w, h;

	if (!str_split(&rest, 'x', &width) || !rest.p || num_int(width, &w) != NUM_OK || num_int(rest, &h) != NUM_OK ||
	    w < 1 || w > 20000 || h < 0 || h > 100000)
		opt_invalid(v->option, str_of(v->text), "WxH, such as 900x400");
	o->width = (int)w;
	o->height = (int)h;
}

void chart_options_take(void *options, const struct opt_value *v)
{
	struct chart_options *o = options;
	struct opt_fields *to;
	size_t i = 0;

	if (v->opt->letter == PAGE) {
		read_page(o, v);
		return;
	}
	if (v->opt->letter == BINS) {
		histogram_options_read(&o->bins, v->option, v->text);
		return;
	}
	while (field_letters[i] != v->opt->letter)
		i++;
	to = chart_options_fields(o, i);
	opt_fields_add(to, v->option, v->text);
	if (to->n > 1 && (to == &o->error || to == &o->facet || to == &o->color))
		opt_invalid(v->option, str_of(v->text), "one field");
}

void chart_options_check(const char *kind, const char *allowed)
{
	const struct opt *row;

	for (row = chart_option_rows; row->name; row++) {
		const char *option = opt_given(row->name);
		const struct str name = str_of(row->name);

		if (option && !str_in_words(name, allowed) && !str_in_words(name, "title page terminal"))
			opt_excluded(option, kind);
	}
}

/* --- fields --- */

void chart_use(struct chart *c, struct field *field)
{
	if (c->n_used < CHART_FIELDS)
		c->used[c->n_used++] = field;
	unit_search_field(&c->units, field);
}

void chart_use_all(struct chart *c, struct opt_fields *fields)
{
	size_t i;

	for (i = 0; i < fields->n; i++)
		chart_use(c, &fields->list[i]);
}

/* --- values --- */

/* Chooses field i of -f. If it is a default, most records have it, and the search for all others would not end. */
static void choose(struct chart *c, size_t i)
{
	size_t k;

	c->chosen = i + 1;
	for (k = 0; !c->named && k < c->options.values.n; k++)
		unit_search_drop(&c->units, &c->options.values.list[k]);
}

bool chart_value(struct chart *c, struct event *e, struct value *v)
{
	struct opt_fields *values = &c->options.values;
	const enum event_kind kind = event_get_kind(e);
	size_t i;

	if (kind == KIND_META)
		return false;
	c->records++;
	if (!values->n) {
		value_of_int(v, 1, STR("1"));
		return true;
	}
	for (i = 0; i < values->n; i++) {
		if (!field_get(&values->list[i], e, 0, v) || !value_is_number(v))
			continue;
		if (!c->chosen)
			choose(c, i);
		c->kinds |= (uint64_t)1 << kind;
		if (!c->factor_known)
			c->factor = chart_factor(c);
		c->factor_known = c->units.known;
		if (c->factor != 1)
			*v = (struct value){.type = VALUE_REAL, .d = v->d * c->factor};
		return true;
	}
	c->valueless++;
	return false;
}

bool chart_positive(struct chart *c, struct event *e, long double *value)
{
	struct value v;

	if (!chart_value(c, e, &v))
		return false;
	*value = chart_exact(&v);
	c->negative += *value < 0;
	return *value > 0;
}

void chart_report_negative(const struct chart *c)
{
	if (c->negative)
		warn("%" PRIu64 " negative values are not shown", c->negative);
}

bool chart_number(struct field *f, struct event *e, double *d)
{
	struct value v;

	if (!field_get(f, e, 0, &v) || !value_is_number(&v))
		return false;
	*d = v.d;
	return true;
}

static const struct field *value_field(const struct chart *c)
{
	return &c->options.values.list[c->chosen ? c->chosen - 1 : 0];
}

static struct column_meaning value_meaning(const struct chart *c)
{
	return column_meaning_of(str_of(value_field(c)->spec), &c->units.source, &c->options.table.units);
}

double chart_factor(const struct chart *c)
{
	const struct column_meaning meaning = value_meaning(c);

	return meaning.unit ? (double)meaning.unit->factor : 1;
}

enum column_kind chart_value_kind(const struct chart *c)
{
	return value_meaning(c).kind;
}

enum column_kind chart_kind_of(const struct chart *c, const struct field *f)
{
	return column_meaning_of(f->name, &c->units.source, &c->options.table.units).kind;
}

struct display_unit chart_unit(const struct chart *c, double most)
{
	return display_unit_of(chart_value_kind(c), &c->options.table, most);
}

bool chart_adds_up(const struct chart *c)
{
	static const char *const other[] = {
	    "_mean", "_min", "_max", "_std", "_pstd", "_median", "_first", "_last", "_var", "_share", NULL};
	const struct str name = str_of(value_field(c)->spec);
	size_t i;

	if (str_ends_in(name, other))
		return false;
	/* A percentile: _p and digits. */
	for (i = name.n; i > 0 && name.p[i - 1] >= '0' && name.p[i - 1] <= '9'; i--)
		;
	return i == name.n || i < 2 || memcmp(name.p + i - 2, "_p", 2) != 0;
}

bool chart_is_subtotal(struct chart *c, struct event *e)
{
	struct value v;
	size_t i;

	if (!field_get(&c->level, e, 0, &v) || v.type != VALUE_STRING)
		return false;
	for (i = 0; i < c->options.keys.n; i++) {
		if (!field_get(&c->options.keys.list[i], e, 0, &v))
			return true;
	}
	return false;
}

void chart_value_fields(const struct chart *c, struct buf *to)
{
	const struct opt_fields *values = &c->options.values;
	size_t i;

	if (!values->n)
		buf_lit(to, "ts"); /* the kind has no -f: a timeline */
	for (i = 0; i < values->n; i++) {
		display_put(to, "%t%t", !i ? "" : i + 1 < values->n ? ", " : " or ", values->list[i].spec);
	}
}

void chart_report_rows(struct chart *c, uint64_t left_out)
{
	if (!left_out)
		return;
	warn("%" PRIu64 " records of further rows are not shown; -t shows more", left_out);
	c->lost = !c->options.top;
}

/* --- names --- */

static void write_value(struct chart *c, const struct field *f, const struct value *v, bool whole, struct buf *to)
{
	struct str text = v->text;

	/* A JSON value that begins with n is null. */
	if (v->type == VALUE_NONE || !text.n || *text.p == 'n') {
		buf_lit(to, "(none)");
		return;
	}
	if (v->type == VALUE_STRING) {
		c->decoded.n = 0;
		json_unescape(&c->decoded, json_inner(text));
		text = buf_str(&c->decoded);
		if (!whole && !c->options.table.wide &&
		    (str_eq(f->name, STR("name")) || str_ends(f->name, STR(".name"))))
			text = cxx_short_name(text, &c->scratch);
	}
	escape_text(to, ESCAPE_PLAIN, text.n ? text : STR("(empty)"));
}

void chart_name(
    struct chart *c, struct opt_fields *fields, size_t from, size_t to, struct event *e, bool whole, struct buf *text)
{
	struct value v;
	size_t i;

	for (i = from; i < to; i++) {
		if (i > from)
			buf_lit(text, " / ");
		if (!field_get(&fields->list[i], e, 0, &v))
			v = (struct value){.type = VALUE_NONE};
		write_value(c, &fields->list[i], &v, whole, text);
	}
}

void chart_series_name(
    struct chart *c, struct opt_fields *fields, size_t i, struct event *e, struct buf *brief, struct buf *whole)
{
	struct field *f = &fields->list[i];
	const size_t begin = brief->n;
	struct value v;

	if (!field_get(f, e, 0, &v)) {
		v = (struct value){.type = VALUE_NONE};
	} else if (value_is_number(&v)) {
		chart_key_words(c, fields, i, brief);
		buf_char(brief, ' ');
		if (whole)
			buf_add(whole, brief->p + begin, brief->n - begin);
	}
	write_value(c, f, &v, false, brief);
	if (whole)
		write_value(c, f, &v, true, whole);
}

enum color chart_color(struct event *e, struct str name, enum color otherwise)
{
	const enum event_kind kind = event_get_kind(e);
	const enum color by_kind = kind == KIND_N ? otherwise : color_of_kind(kind);

	return color_of_name(name, by_kind == COLOR_SERIES_0 ? otherwise : by_kind);
}

/* --- words --- */

struct word {
	const char *name, *words;
};

/* Appends the words for a name, or the name itself if it has none. */
static void put_words(struct buf *to, const struct word *list, size_t n, struct str name)
{
	size_t i;

	for (i = 0; i < n && !str_eq(name, str_of(list[i].name)); i++)
		;
	if (i < n)
		name = str_of(list[i].words);
	buf_add(to, name.p, name.n);
}

static void append_text(struct buf *to, const char *text)
{
	buf_add(to, text, strlen(text));
}

/* Returns whether all records that are shown are of these kinds: bits 1 << kind. */
static bool only_kinds(const struct chart *c, uint64_t kinds)
{
	return c->kinds && !(c->kinds & ~kinds);
}

#define BIT(kind) ((uint64_t)1 << KIND_##kind)

/* Appends the words for the end of the name of an aggregate, such as p99; returns false for other names. */
static bool put_aggregate_words(struct buf *to, struct str name)
{
	static const struct word words[] = {{"mean", "mean "}, {"max", "maximum "}, {"min", "minimum "},
	    {"median", "median "}, {"p50", "median "}, {"std", "standard deviation of "}, {"sum", ""},
	    {"share", "share of "}};
	double percentile;
	size_t i;

	for (i = 0; i < sizeof words / sizeof *words; i++) {
		if (str_eq(name, str_of(words[i].name))) {
			append_text(to, words[i].words);
			return true;
		}
	}
	if (name.n < 2 || name.p[0] != 'p' || !num_double(str_from(name, 1), &percentile))
		return false;
	display_put(to, "percentile %s of ", str_from(name, 1));
	return true;
}

void chart_value_words(const struct chart *c, struct buf *to)
{
	static const struct word fields[] = {{"bytes", "bytes"}, {"delay", "launch delay"},
	    {"queue", "time in the queue"}, {"self", "own time"}, {"busy", "busy time"}, {"idle", "idle time"},
	    {"kernel_time", "kernel time"}, {"count", "number of records"}, {"busy_share", "share of busy time"}};
	const struct str name = str_of(value_field(c)->spec);
	const size_t n = str_after_last(name, '_');
	struct str field = str_head(name, value_meaning(c).field_n);

	if (n > 1 && put_aggregate_words(to, str_from(name, n)) && field.n == name.n)
		field = str_head(name, n - 1);
	if (!str_eq(field, STR("dur")))
		put_words(to, fields, sizeof fields / sizeof *fields, field);
	else if (only_kinds(c, BIT(KERNEL) | BIT(MEMCPY) | BIT(MEMSET) | BIT(SYNC)))
		append_text(to, "GPU time");
	else
		append_text(to, only_kinds(c, BIT(API) | BIT(OP) | BIT(PYTHON) | BIT(RANGE) | BIT(PRIMITIVE))
				    ? "host time"
				    : "time");
}

void chart_key_words(const struct chart *c, const struct opt_fields *keys, size_t i, struct buf *to)
{
	static const char *const kinds[KIND_N] = {[KIND_KERNEL] = "kernel",
	    [KIND_MEMCPY] = "copy",
	    [KIND_MEMSET] = "set",
	    [KIND_API] = "API call",
	    [KIND_OP] = "operator",
	    [KIND_RANGE] = "range",
	    [KIND_PRIMITIVE] = "primitive",
	    [KIND_PYTHON] = "function",
	    [KIND_SAMPLE] = "function"};
	static const struct word fields[] = {
	    {"dev", "device"}, {"ts", "time"}, {"op", "operator"}, {"pid", "process"}, {"tid", "thread"}};
	const struct str name = keys->list[i].name;
	size_t kind;

	if (!str_eq(name, STR("name")) && !str_eq(name, STR("short"))) {
		put_words(to, fields, sizeof fields / sizeof *fields, name);
		return;
	}
	for (kind = 0; kind < KIND_N && c->kinds != (uint64_t)1 << kind; kind++)
		;
	append_text(to, kind < KIND_N && kinds[kind] ? kinds[kind] : "name");
}

void chart_title(const struct chart *c, const char *between, struct buf *to)
{
	const struct opt_fields *keys = &c->options.keys;
	size_t i;

	chart_value_words(c, to);
	for (i = 0; i < keys->n; i++) {
		append_text(to, i ? " and " : between);
		chart_key_words(c, keys, i, to);
	}
	if (to->n && to->p[0] >= 'a' && to->p[0] <= 'z')
		to->p[0] = (char)(to->p[0] - 'a' + 'A');
}

void chart_others(struct buf *to, size_t n)
{
	display_put(to, n == 1 ? "(%i other)" : "(%i others)", (double)n);
}

struct label chart_others_label(struct map *texts, size_t n)
{
	struct buf text = {0};
	struct str name;

	chart_others(&text, n);
	name = labels_store(texts, &text);
	buf_free(&text);
	return label_of(name);
}

struct chart_parts chart_parts_of(
    const struct ranked_sums *sums, const size_t *order, size_t n, bool *chosen, struct map *texts)
{
	struct chart_parts p = {.rank_of = mem_alloc((sums->keys.n + 1) * sizeof *p.rank_of)};
	struct color_use use = {{0}, 0};
	size_t own = 0, i;

	for (i = 0; i < n; i++)
		own += chosen[order[i]];
	for (i = 0; i < n && own + 1 == n; i++)
		chosen[order[i]] = true;
	own += own + 1 == n;
	p.labels = mem_zero(own + 1, sizeof *p.labels);
	p.colors = mem_zero(own + 1, sizeof *p.colors);
	for (i = 0; i < sums->keys.n; i++)
		p.rank_of[i] = own;
	for (i = 0; i < n; i++) {
		if (!chosen[order[i]])
			continue;
		p.rank_of[order[i]] = p.n;
		p.labels[p.n] = ranked_sums_label(sums, order[i]);
		p.colors[p.n] = color_of_part(&use, p.labels[p.n].brief);
		p.n++;
	}
	if (own < n) {
		p.labels[own] = chart_others_label(texts, n - own);
		p.colors[own] = COLOR_NONE;
		p.n++;
	}
	return p;
}

void chart_parts_free(struct chart_parts *p)
{
	mem_free(p->rank_of, p->labels, p->colors);
}

void chart_nothing(struct chart *c)
{
	const bool cells = c->canvas->cells;
	struct buf text = {0};

	if (c->options.marks)
		return;
	if (c->records && c->valueless == c->records) {
		append_text(&text, "no record has a number in ");
		chart_value_fields(c, &text);
	} else {
		append_text(&text, "no records");
	}
	page_begin(c->canvas, cells ? 3 : 120, STR("Nothing to draw"));
	canvas_text(c->canvas, c->canvas->width / 2, cells ? 2.5 : 70, CANVAS_MIDDLE, CANVAS_SOFT, buf_str(&text));
	c->canvas->ops->end(c->canvas);
	buf_free(&text);
}

/* --- marks --- */

void chart_mark_begin(struct buf *line)
{
	line->n = 0;
	json_write_begin(line, NULL, '{');
	json_write_text(line, "kind", STR("ndjson2svg/mark"));
}

void chart_mark_end(struct buf *line, struct out *out)
{
	json_write_end(line, '}');
	buf_char(line, '\n');
	out_add(out, line->p, line->n);
}
