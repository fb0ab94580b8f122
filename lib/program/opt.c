#include "program/opt.h"

#include "base/mem.h"
#include "program/filter.h"
#include "io/out.h"

#include <getopt.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef TRACEFILTERS_VERSION
#define TRACEFILTERS_VERSION "unknown"
#endif

enum { HELP_COLUMN = 26, HELP_WIDTH = 100 };

struct option_row {
	const struct opt *opt;
	const struct opt_table *table;
	bool again; /* an earlier row has the same name */
	bool used;  /* the option is on the command line */
};

/* The rows of all tables. */
struct options {
	const struct opt_program *prog;
	struct option_row *list;
	size_t n, cap;
};

static bool is_same(const struct opt *a, const struct opt *b)
{
	return (a->letter == b->letter && opt_has_letter(a)) || (a->name && b->name && strcmp(a->name, b->name) == 0);
}

static void add_table(struct options *o, const struct opt_table *table)
{
	const struct opt *opt;
	size_t i;

	for (opt = table->rows; opt->letter || opt->name; opt++) {
		for (i = 0; i < o->n && !is_same(o->list[i].opt, opt); i++)
			;
		o->list = mem_grow(o->list, &o->cap, o->n + 1, sizeof *o->list);
		o->list[o->n] = (struct option_row){.opt = opt, .table = table, .again = i < o->n};
		o->n++;
	}
}

/* Returns whether row i appears in the help and in the rows of print_rows(). */
static bool is_shown(const struct options *o, size_t i)
{
	return !o->list[i].again && o->list[i].opt->arg.type < OPT_TYPE_RENAMED;
}

static void put_option(struct out *o, const struct opt *opt)
{
	size_t from = 0, n;
	struct buf left = {0};
	struct str help = str_of(opt->help), line;

	buf_lit(&left, "  ");
	if (opt_has_letter(opt)) {
		buf_char(&left, '-');
		buf_char(&left, (char)opt->letter);
		if (opt->name)
			buf_lit(&left, ", ");
	} else {
		buf_lit(&left, "    ");
	}
	if (opt->name) {
		buf_lit(&left, "--");
		buf_add(&left, opt->name, strlen(opt->name));
	}
	if (opt->arg.name) {
		if (opt->arg.optional)
			buf_char(&left, '[');
		buf_char(&left, opt->name ? '=' : ' ');
		buf_add(&left, opt->arg.name, strlen(opt->arg.name));
		if (opt->arg.optional)
			buf_char(&left, ']');
	}
	out_add(o, left.p, left.n);
	from = left.n;
	buf_free(&left);
	if (from + 2 > HELP_COLUMN) {
		out_char(o, '\n');
		from = 0;
	}
	while (str_split(&help, '\n', &line)) {
		for (n = from; n < HELP_COLUMN; n++)
			out_char(o, ' ');
		out_str(o, line);
		out_char(o, '\n');
		from = 0;
	}
}

/*
 * Returns the length of the first word of a synopsis; spaces between brackets do not end the word. If the word is
 * longer than `room` and lists alternatives, returns the length of the alternatives that fit; the rest begins with '|'.
 */
static size_t word_length(struct str s, size_t room)
{
	size_t i, depth = s.p[0] == '|', fits = 0;

	for (i = 0; i < s.n && (depth || s.p[i] != ' '); i++) {
		depth += (s.p[i] == '[') - (size_t)(s.p[i] == ']');
		if (depth == 1 && i <= room && str_starts(str_from(s, i), STR(" |")))
			fits = i;
	}
	return i <= room || !fits ? i : fits;
}

/* Prints the usage line, broken between words into lines of at most HELP_WIDTH columns if possible. */
static void put_usage(struct out *o, const char *synopsis)
{
	static const struct str usage = {"usage: ", 7};
	struct str rest = str_of(synopsis);
	size_t at, n;

	out_str(o, usage);
	out_z(o, err_prog());
	for (at = usage.n + strlen(err_prog()); rest.n; rest = str_from(rest, n + 1)) {
		n = word_length(rest, HELP_WIDTH - usage.n);
		if (at + 1 + n > HELP_WIDTH) {
			out_lit(o, "\n      ");
			at = usage.n - 1;
		}
		out_char(o, ' ');
		out_str(o, str_head(rest, n));
		at += 1 + n;
	}
}

/* Prints a line with a list of struct opt_program, if the program has it. */
static void put_list(struct out *o, const char *title, const char *list)
{
	if (!list)
		return;
	out_z(o, title);
	out_z(o, list);
	out_char(o, '\n');
}

_Noreturn static void print_help(const struct options *all)
{
	const struct opt_program *prog = all->prog;
	struct out o;
	size_t i;

	out_open(&o);
	out_z(&o, prog->example);
	out_lit(&o, "\n\n");
	put_usage(&o, prog->synopsis);
	out_lit(&o, "\n\n");
	out_z(&o, prog->brief);
	out_lit(&o, "\n\n");
	put_list(&o, "reads: ", prog->reads);
	put_list(&o, "writes: ", prog->writes);
	put_list(&o, "needs: ", prog->needs);
	out_char(&o, '\n');
	for (i = 0; i < all->n; i++) {
		if (is_shown(all, i))
			put_option(&o, all->list[i].opt);
	}
	out_lit(&o, "\nmore: man ");
	out_z(&o, err_prog());
	out_lit(&o, "\n");
	quit(filter_close_output(&o, NULL));
}

/* Ends a column; the next one has the lines of a text as one line, or nothing for NULL. */
static void put_cell(struct out *o, const char *text)
{
	out_char(o, '\t');
	for (; text && *text; text++)
		out_char(o, *text == '\n' ? ' ' : *text);
}

/*
 * Prints the rows for shell completion and for the catalogue of programs. The first line has the columns of the others,
 * with the description of the program as the help text, and then the usage, the example, and what the program reads,
 * writes and needs. Each other line is an option: letter, long name, name of the argument (in brackets if it may be
 * absent), possible words of the argument (separated by spaces), and help text. Columns are separated by tabs; a column
 * without a value is empty.
 */
_Noreturn static void print_rows(const struct options *all)
{
	const struct opt_program *prog = all->prog;
	const struct opt *opt;
	const char *const *word;
	struct out o;
	size_t i;

	out_open(&o);
	out_lit(&o, "\t\t\t");
	put_cell(&o, prog->brief);
	out_char(&o, '\t');
	out_z(&o, err_prog());
	out_char(&o, ' ');
	out_z(&o, prog->synopsis);
	put_cell(&o, prog->example);
	put_cell(&o, prog->reads);
	put_cell(&o, prog->writes);
	put_cell(&o, prog->needs);
	out_char(&o, '\n');
	for (i = 0; i < all->n; i++) {
		if (!is_shown(all, i))
			continue;
		opt = all->list[i].opt;
		if (opt_has_letter(opt))
			out_char(&o, (char)opt->letter);
		put_cell(&o, opt->name);
		out_char(&o, '\t');
		if (opt->arg.name) {
			out_z(&o, opt->arg.optional ? "[" : "");
			out_z(&o, opt->arg.name);
			out_z(&o, opt->arg.optional ? "]" : "");
		}
		out_char(&o, '\t');
		for (word = opt->arg.words; word && *word; word++) {
			out_z(&o, *word);
			if (word[1])
				out_char(&o, ' ');
		}
		put_cell(&o, opt->help);
		out_char(&o, '\n');
	}
	quit(filter_close_output(&o, NULL));
}

/* Handles -h and -V. */
static void answer(void *arg, const struct opt_value *v)
{
	struct out o;

	if (v->opt->letter == 'h')
		print_help(arg);
	out_open(&o);
	out_z(&o, err_prog());
	out_lit(&o, " (tracefilters) " TRACEFILTERS_VERSION "\n");
	quit(filter_close_output(&o, NULL));
}

static const struct opt common[] = {
    {'h', "help", OPT_FLAG, OPT_TAKE, "print this help and exit"},
    {'V', "version", OPT_FLAG, OPT_TAKE, "print the version and exit"},
    {0},
};

/*
 * Returns the value that getopt_long() returns for the long name of row i. For the letter of an option, getopt_long()
 * returns the letter itself.
 */
static int long_letter(size_t i)
{
	return 256 + (int)i;
}

_Noreturn static void bad_option(const struct options *o, char **argv, int letter)
{
	struct str_near near = {{NULL, 0}, {NULL, 0}, 0};
	const char *given = optind > 0 ? argv[optind - 1] : "";
	struct str want;
	size_t i;

	if (letter == ':' && strncmp(given, "--", 2) != 0)
		die("option -%c needs an argument; try %s -h", optopt, err_prog());
	if (letter == ':')
		die("option %s needs an argument; try %s -h", given, err_prog());
	if (optopt && optopt < 256)
		die("unknown option -%c; try %s -h", optopt, err_prog());
	want = str_of(strncmp(given, "--", 2) == 0 ? given + 2 : given);
	near.want = str_head(want, str_find(want, STR("=")));
	for (i = 0; i < o->n; i++) {
		if (optopt == long_letter(i))
			die("option --%s takes no argument", o->list[i].opt->name);
		if (o->list[i].opt->name)
			str_near(&near, str_of(o->list[i].opt->name));
	}
	if (near.best.p)
		die("unknown option %s; did you mean --%.*s?", given, STR_FMT(near.best));
	die("unknown option %s; try %s -h", given, err_prog());
}

/* Returns the row of the option, or of the option that it is now called. */
static const struct opt *current(const struct options *o, const struct opt *opt)
{
	size_t i = 0;

	if (opt->arg.type != OPT_TYPE_RENAMED)
		return opt;
	while (!o->list[i].opt->name || strcmp(o->list[i].opt->name, opt->arg.now) != 0)
		i++;
	return o->list[i].opt;
}

/* Prints a hint for each former name on the command line. */
static void hint_renamed(const struct options *o)
{
	const struct option_row *row;

	for (row = o->list; o->n && row < o->list + o->n; row++) {
		if (!row->used || row->opt->arg.type != OPT_TYPE_RENAMED)
			continue;
		if (opt_has_letter(row->opt))
			hint("-%c is now called --%s; -%c works until version 0.4.0", row->opt->letter,
			    row->opt->arg.now, row->opt->letter);
		else
			hint("--%s is now called --%s; --%s works until version 0.4.0", row->opt->name,
			    row->opt->arg.now, row->opt->name);
	}
}

/* The options that were given. */
static struct opt_value *given;
static size_t n_given, given_cap;

const char *opt_given(const char *names)
{
	struct str rest = str_of(names), name;
	size_t i;

	while (str_split(&rest, ' ', &name)) {
		for (i = 0; i < n_given; i++) {
			if (given[i].opt->name && str_eq(name, str_of(given[i].opt->name)))
				return given[i].option;
		}
	}
	return NULL;
}

/* Passes the option to all tables that contain it. */
static void take_value(const struct options *o, const struct opt *opt)
{
	struct opt_value value = {.opt = NULL};
	size_t i;

	for (i = 0; i < o->n; i++) {
		if (!is_same(o->list[i].opt, opt))
			continue;
		opt_value_parse(&value, o->list[i].opt, optarg);
		if (value.opt->to.type == OPT_TO_TAKE)
			o->list[i].table->take(o->list[i].table->to, &value);
		else
			opt_value_store(o->list[i].table->to, &value);
	}
	given = mem_grow(given, &given_cap, n_given + 1, sizeof *given);
	given[n_given++] = value;
}

/* Returns the value of `has_arg` in struct option for a row. */
static int argument_of(const struct options *o, const struct opt *opt)
{
	opt = current(o, opt);
	return !opt->arg.name ? no_argument : opt->arg.optional ? optional_argument : required_argument;
}

/* Calls getopt_long() with all rows. */
static void read_argv(struct options *o, int argc, char **argv)
{
	struct option *longs = mem_zero(o->n + 1, sizeof *longs), *end = longs;
	struct option_row *row;
	char *letters = mem_alloc(2 * o->n + 2), *p = letters;
	const struct opt *opt;
	size_t i;
	int c;

	*p++ = ':';
	for (i = 0; i < o->n; i++) {
		opt = o->list[i].opt;
		if (o->list[i].again)
			continue;
		if (opt_has_letter(opt)) {
			*p++ = (char)opt->letter;
			if (argument_of(o, opt) != no_argument)
				*p++ = ':';
		}
		if (opt->name)
			*end++ = (struct option){opt->name, argument_of(o, opt), NULL, long_letter(i)};
	}
	*p = '\0';
	opterr = 0;
	while ((c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		if (c == '?' || c == ':')
			bad_option(o, argv, c);
		row = o->list;
		if (c >= long_letter(0))
			row += c - long_letter(0);
		else
			while (row->opt->letter != c)
				row++;
		row->used = true;
		take_value(o, current(o, row->opt));
	}
	hint_renamed(o);
	mem_free(longs, letters);
}

/* Prints a hint if the first of several operands may be an item of a list: groupby -g name dur FILE. */
static void hint_list(const struct options *o, char *const *operands)
{
	const bool words = o->prog->synopsis[0] == '[' && o->prog->synopsis[1] != '-'; /* the first operand is a word */
	const char *name;
	size_t i;

	if (words || !operands[0] || !operands[1] || operands[0][strcspn(operands[0], "./=-")] ||
	    access(operands[0], F_OK) == 0 || access(operands[1], F_OK) != 0)
		return;
	for (i = 0; i < o->n; i++) {
		name = o->list[i].opt->arg.name;
		if (o->list[i].used && name && str_ends(str_of(name), STR(",...")))
			break;
	}
	if (i < o->n)
		hint(
		    "'%s' is not a file; the items of a list are separated by commas, as in -g name,kind", operands[0]);
}

char **opt_read(const struct opt_program *prog, int argc, char **argv, const struct opt_table *tables)
{
	struct options o = {.prog = prog};
	const struct opt_table answers = {common, &o, answer};

	for (; tables->rows; tables++)
		add_table(&o, tables);
	add_table(&o, &answers);
	/*
	 * This option is not in a table, so that it makes no abbreviation ambiguous and is never suggested as the
	 * nearest name.
	 */
	if (argc == 2 && strcmp(argv[1], "--option-rows") == 0)
		print_rows(&o);
	n_given = 0;
	read_argv(&o, argc, argv);
	hint_list(&o, argv + optind);
	free(o.list);
	opt_need_input(prog, argv + optind);
	return argv + optind;
}

void opt_need_input(const struct opt_program *prog, char *const *files)
{
	if (!*files && isatty(STDIN_FILENO))
		die("no input; usage: %s %s\n  example: %s\n  help: %s -h", err_prog(), prog->synopsis, prog->example,
		    err_prog());
}
