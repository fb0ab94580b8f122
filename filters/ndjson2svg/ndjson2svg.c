/*
 * ndjson2svg: draws records as an SVG with tooltips, or with characters.
 *
 * in:  {"kind":"groupby/event","name":"gemm","count":2,"dur_sum":90500}
 *      {"kind":"groupby/event","name":"relu","count":1,"dur_sum":1200}
 * out: <svg ...> ... <rect class="bar m" ...><title>gemm
 *      90.5 us</title></rect> ... </svg>
 */
#include "chart.h"
#include "program/filter.h"
#include "program/input_options.h"
#include "program/kernel_names_option.h"
#include "program/tty.h"

#include <inttypes.h>
#include <stdlib.h>

#define WORD(name) #name
#define NEXT_WORD(name) "|" #name
static const struct opt_program program = {
    "Draws records as bars, lines, a timeline, shares or a flame graph, in SVG with tooltips.",
    "[" CHART_KINDS(WORD, NEXT_WORD) "] [-f FIELD,...] [-g KEY,...] [-t N] [-u UNIT] [--title TEXT] [-T] "
				     "[OPTION...] [FILE...]",
    "trace2ndjson run.json.gz | filter-calls -k kernel | ndjson2svg share >kernels.svg",
    .reads = "records, table; flame: folded stacks too",
    .writes = "picture, text",
};

#define ADDRESS(name) &chart_##name,
static const struct chart_kind *const kinds[] = {CHART_KINDS(ADDRESS, ADDRESS)};

enum { PAGE_WIDTH = 900 };

/* Reads the kind from the first operand; the default is bar. Returns the other operands, which are files. */
static char **read_kind(struct chart *c, char **operands)
{
	size_t i;

	c->kind = kinds[0];
	for (i = 0; operands[0] && i < sizeof kinds / sizeof *kinds; i++) {
		if (strcmp(operands[0], kinds[i]->name) != 0)
			continue;
		c->kind = kinds[i];
		opt_need_input(&program, operands + 1);
		return operands + 1;
	}
	return operands;
}

/* Adds the defaults of -f and -g. */
static void add_fields(struct chart *c)
{
	struct chart_options *o = &c->options;
	struct opt_fields *fields;
	size_t i;

	c->named = o->values.n > 0;
	if (!o->values.n && c->kind->values)
		opt_fields_add(&o->values, "-f", c->kind->values);
	if (!o->keys.n && c->kind->keys)
		opt_fields_add(&o->keys, "-g", c->kind->keys);
	for (i = 0; (fields = chart_options_fields(o, i)); i++)
		chart_use_all(c, fields);
	c->n_asked = c->n_used;
}

static char **read_options(struct chart *c, int argc, char **argv)
{
	const struct opt_table tables[] = {{chart_option_rows, &c->options, chart_options_take},
	    TABLE_OPTIONS(&c->options.table), UNIT_OPTIONS(&c->options.table.units), KERNEL_NAMES_OPTION,
	    INPUT_OPTIONS(&c->in), {0}};
	char **operands;

	table_options_init(&c->options.table, TABLE_NDJSON, TABLE_NDJSON);
	operands = read_kind(c, opt_read(&program, argc, argv, tables));
	chart_options_check(c->kind->name, c->kind->options);
	kernel_names_option_read();
	add_fields(c);
	opt_field(&c->level, "-g", "level");
	return operands;
}

static void open_canvas(struct chart *c)
{
	const int width = c->options.width;

	if (c->options.text)
		c->canvas = canvas_cells_new(&c->out, width ? width : canvas_terminal_width(c->options.table.width),
		    !tty_is_utf8(), tty_colors());
	else
		c->canvas = canvas_svg_new(&c->out, width ? width : PAGE_WIDTH);
	c->options.table.utf8 = !c->options.text || tty_is_utf8();
	c->canvas->height = c->options.height;
	c->canvas->title = c->options.title;
}

/* Reports fields of options that no record has, and records without a value. Returns the exit status. */
static int report_problems(struct chart *c)
{
	struct opt_fields *values = &c->options.values;
	const struct unit *size = c->options.table.size;
	const bool nothing = c->records && c->valueless == c->records;
	struct buf names = {0};
	size_t i;

	chart_value_fields(c, &names);
	for (i = 0; i < c->n_asked; i++) {
		if (i >= values->n || (c->named && !nothing))
			filter_hint_field(c->used[i], true);
	}
	if (!nothing && values->n && size && chart_value_kind(c) != COLUMN_SIZE)
		hint("-u %s: no value is a size; name the sizes, such as --size %s", size->name, values->list[0].spec);
	if (nothing)
		warn("no record has a number in %.*s; stats --fields lists the fields", STR_FMT((buf_str(&names))));
	else if (c->valueless && c->named)
		note("%" PRIu64 " of %" PRIu64 " records %s no number in %.*s and %s not shown", c->valueless,
		    c->records, c->valueless == 1 ? "has" : "have", STR_FMT((buf_str(&names))),
		    c->valueless == 1 ? "is" : "are");
	buf_free(&names);
	return c->lost || nothing ? STATUS_LOST : STATUS_OK;
}

/* Reads a text of folded stacks. */
static void read_lines(struct chart *c, struct input *in, void *state, bool before)
{
	struct str line;

	while (input_next_line(in, &line)) {
		if (line.n && !c->kind->line(state, line, before))
			input_lost(in, "not a folded stack; skipped");
	}
}

/* --diff: reads the stacks to compare with. Returns the exit status. */
static int read_before(struct chart *c, void *state)
{
	char *operands[] = {(char *)c->options.diff, NULL};
	struct input before = {.options = c->in.options, .report = filter_report};

	input_open(&before, operands, &c->out);
	read_lines(c, &before, state, true);
	return filter_close_input(&before);
}

/* Returns the state of c->kind, for its functions. */
static void *new_state(struct chart *c)
{
	void *state = mem_zero(1, c->kind->size);

	*(struct chart **)state = c;
	if (c->kind->open)
		c->kind->open(state);
	return state;
}

/* Begins another kind of picture if the first record is one of those that it draws. Returns its state. */
static void *choose_special(struct chart *c, struct event *first, void *state)
{
	const struct chart_kind *k = c->kind;

	if (c->named || !k->special || !str_eq(event_get(first, EVENT_KIND), str_of(k->special_kind)))
		return state;
	k->close(state);
	free(state);
	c->kind = k->special;
	return new_state(c);
}

static void free_all(struct chart *c)
{
	struct opt_fields *fields;
	size_t i;

	for (i = 0; (fields = chart_options_fields(&c->options, i)); i++)
		opt_fields_free(fields);
	field_units_free(&c->options.table.units);
	histogram_options_free(&c->options.bins);
	unit_search_free(&c->units);
	field_free(&c->level);
	bufs_free(&c->scratch, &c->decoded);
	free(c->canvas);
}

int main(int argc, char **argv)
{
	struct chart c = {0};
	struct event e;
	char **operands;
	size_t i;
	void *state;
	int status, closed, before = STATUS_OK;

	err_init(argv[0]);
	operands = read_options(&c, argc, argv);
	input_stop_on_signal();
	filter_open(&c.in, operands, &c.out);
	open_canvas(&c);
	state = new_state(&c);
	/* Most records have one of the first defaults of -f; the others are searched for only when they are needed. */
	for (i = 0; i < c.n_used; i++) {
		if (c.named || i == 0 || i >= c.options.values.n)
			input_uses(&c.in, c.used[i]);
	}
	input_uses(&c.in, &c.level);
	input_uses_members(&c.in, UINT32_MAX, 1u << EVENT_KIND | 1u << EVENT_NAME);
	if (c.kind->line)
		read_lines(&c, &c.in, state, false);
	while (!c.kind->line && input_next(&c.in, &e)) {
		if (!c.records)
			state = choose_special(&c, &e, state);
		if (!unit_search_is_done(&c.units))
			unit_search_look(&c.units, &e);
		c.kind->add(state, &e);
	}
	if (c.options.diff)
		before = read_before(&c, state);
	/* If a file cannot be read or records were lost, and there are no other records, there is no picture. */
	if (filter_in_order(&c.in, argv, operands) && (c.records || !(c.in.failed || c.in.diagnostics.lost)) &&
	    !c.kind->draw(state))
		chart_nothing(&c);
	status = report_problems(&c);
	c.kind->close(state);
	free(state);
	closed = filter_close(&c.in);
	free_all(&c);
	status = before > status ? before : status;
	return closed > status ? closed : status;
}
