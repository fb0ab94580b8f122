#include "cli/options.h"

#include "base/mem.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "base/units.h"
#include "cli/filter.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef TRACEFILTERS_VERSION
#define TRACEFILTERS_VERSION "unknown"
#endif

static const struct opt common[] = {
    {'h', "help", NULL, "print this and exit"},
    {'V', "version", NULL, "print the version and exit"},
    {0},
};

enum { HELP_COLUMN = 26, HELP_WIDTH = 100 };

static const struct opt *row(const struct program *prog, size_t i)
{
	size_t n = 0;

	while (prog->options && (prog->options[n].letter || prog->options[n].name))
		n++;
	if (i < n)
		return &prog->options[i];
	i -= n;
	return i < sizeof common / sizeof *common - 1 ? &common[i] : NULL;
}

static void put_option(struct out *o, const struct opt *opt)
{
	size_t from = 0, n;
	struct buf left = {0};
	struct str help = str_of(opt->help), line;

	buf_lit(&left, "  ");
	if (opt->letter < 256) {
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
	if (opt->arg) {
		buf_char(&left, opt->name ? '=' : ' ');
		buf_add(&left, opt->arg, strlen(opt->arg));
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

/* How long the first word of a synopsis is: what stands in brackets is one. */
static size_t word_length(struct str s)
{
	size_t i, depth = 0;

	for (i = 0; i < s.n && (depth || s.p[i] != ' '); i++)
		depth += (s.p[i] == '[') - (size_t)(s.p[i] == ']');
	return i;
}

/* The usage line, in lines of at most HELP_WIDTH columns where its words allow that. */
static void put_usage(struct out *o, const char *synopsis)
{
	static const struct str usage = {"usage: ", 7};
	struct str rest = str_of(synopsis);
	size_t at, n;

	out_str(o, usage);
	out_z(o, err_prog());
	for (at = usage.n + strlen(err_prog()); rest.n; rest = str_from(rest, n + 1)) {
		n = word_length(rest);
		if (at + 1 + n > HELP_WIDTH) {
			out_lit(o, "\n      ");
			at = usage.n - 1;
		}
		out_char(o, ' ');
		out_str(o, str_head(rest, n));
		at += 1 + n;
	}
}

_Noreturn static void print_help(const struct program *prog)
{
	const struct opt *opt;
	struct out o;
	size_t i;

	out_open(&o);
	out_z(&o, prog->example);
	out_lit(&o, "\n\n");
	put_usage(&o, prog->synopsis);
	out_lit(&o, "\n\n");
	out_z(&o, prog->brief);
	out_lit(&o, "\n\n");
	for (i = 0; (opt = row(prog, i)); i++)
		put_option(&o, opt);
	out_lit(&o, "\nmore: man ");
	out_z(&o, err_prog());
	out_lit(&o, "\n");
	quit(filter_close_output(&o, NULL));
}

_Noreturn static void print_version(void)
{
	struct out o;

	out_open(&o);
	out_z(&o, err_prog());
	out_lit(&o, " (tracefilters) " TRACEFILTERS_VERSION "\n");
	quit(filter_close_output(&o, NULL));
}

_Noreturn static void bad_option(const struct program *prog, char **argv, int letter)
{
	struct str_near near = {{NULL, 0}, {NULL, 0}, 0};
	const struct opt *opt;
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
	for (i = 0; (opt = row(prog, i)); i++) {
		if (optopt && opt->letter == optopt)
			die("option --%s takes no argument", opt->name);
		if (opt->name)
			str_near(&near, str_of(opt->name));
	}
	if (near.best.p)
		die("unknown option %s; did you mean --%.*s?", given, STR_FMT(near.best));
	die("unknown option %s; try %s -h", given, err_prog());
}

int opt_next(const struct program *prog, int argc, char **argv, const char **arg)
{
	static struct option *longs;
	static char *letters;
	const struct opt *opt;
	size_t i, n, at, longn;
	int c;

	if (!longs) {
		for (n = 0; row(prog, n); n++)
			;
		longs = mem_zero(n + 1, sizeof *longs);
		letters = mem_alloc(2 * n + 2);
		for (i = longn = 0, at = 1; i < n; i++) {
			opt = row(prog, i);
			if (opt->letter < 256) {
				letters[at++] = (char)opt->letter;
				if (opt->arg)
					letters[at++] = ':';
			}
			if (opt->name)
				longs[longn++] = (struct option){opt->name, opt->arg ? required_argument : no_argument,
				    NULL, opt->letter};
		}
		letters[0] = ':';
		letters[at] = '\0';
		opterr = 0;
	}
	c = getopt_long(argc, argv, letters, longs, NULL);
	*arg = optarg;
	if (c == 'h')
		print_help(prog);
	if (c == 'V')
		print_version();
	if (c == '?' || c == ':')
		bad_option(prog, argv, c);
	if (c == -1) {
		free(longs);
		free(letters);
		longs = NULL;
	}
	return c;
}

void opt_need_input(const struct program *prog, int argc, char **argv)
{
	(void)argv;
	if (optind < argc || !isatty(STDIN_FILENO))
		return;
	die("no input; usage: %s %s\n  %s\n  (%s -h explains)", err_prog(), prog->synopsis, prog->example, err_prog());
}

void opt_unknown(const char *option, const char *what, struct str got, const char *(*name)(size_t i))
{
	struct str_near near = {got, {NULL, 0}, 0};
	struct buf all = {0};
	const char *one;
	size_t i;

	for (i = 0; (one = name(i)); i++) {
		str_near(&near, str_of(one));
		if (i)
			buf_lit(&all, ", ");
		buf_add(&all, one, strlen(one));
	}
	if (near.best.p)
		die("%s: unknown %s '%.*s'; did you mean '%.*s'? (known: %.*s)", option, what, STR_FMT(got),
		    STR_FMT(near.best), (int)all.n, all.p);
	die("%s: unknown %s '%.*s' (known: %.*s)", option, what, STR_FMT(got), (int)all.n, all.p);
}

static const char *const *choices; /* of the option being read, for the message */

static const char *choice(size_t i)
{
	return choices[i];
}

int opt_choice(const char *option, const char *what, const char *arg, const char *const *names)
{
	int i;

	for (i = 0; names[i]; i++) {
		if (str_eq(str_of(names[i]), str_of(arg)))
			return i;
	}
	choices = names;
	opt_unknown(option, what, str_of(arg), choice);
}

bool opt_item(const char **list, struct buf *item)
{
	const char *p = *list;

	if (!p)
		return false;
	item->n = 0;
	for (; *p && *p != ','; p++) {
		p += p[0] == '\\' && p[1] == ',';
		buf_char(item, *p);
	}
	*list = *p ? p + 1 : NULL;
	*buf_room(item, 1) = '\0';
	return true;
}

/* "--every: '2': expected a time >= 1ms, such as 10ms (units: ns us ms s)" */
_Noreturn static void bad_value(const char *option, const char *arg, const char *what, struct str least,
    enum num_result result, const char *more)
{
	die("%s: '%s': expected %s%s%.*s%s%s", option, arg, what, least.n ? " >= " : "", STR_FMT(least),
	    result == NUM_RANGE ? " that fits 64 bits" : "", more);
}

int64_t opt_count(const char *option, const char *arg, int64_t least)
{
	char text[NUM_ROOM];
	int64_t v;
	const enum num_result result = num_int(str_of(arg), &v);

	if (result != NUM_OK || v < least)
		bad_value(option, arg, "an integer", (struct str){text, (size_t)(num_put_i64(text, least) - text)}, result,
		    "");
	return v;
}

/* The value in the largest unit in which it is a whole number, as the text of *to; 0 has no unit. */
static struct str put_quantity(char *to, int64_t v, bool size)
{
	const struct num_unit *best = NULL, *unit;
	char *p;
	size_t i;

	for (i = 0; v && (unit = num_units(i)); i++) {
		if (unit->size == size && v % unit->factor == 0 && (!best || unit->factor > best->factor))
			best = unit;
	}
	p = num_put_i64(to, best ? v / best->factor : v);
	if (best)
		p = stpcpy(p, best->name);
	return (struct str){to, (size_t)(p - to)};
}

static int64_t quantity(const char *option, const char *arg, bool size, int64_t least)
{
	const struct num_unit *unit = NULL;
	char text[NUM_ROOM];
	int64_t v;
	const enum num_result result = num_quantity(str_of(arg), &v, &unit);

	if (result != NUM_OK || (unit && unit->size != size) || v < least)
		bad_value(option, arg, size ? "a size" : "a time",
		    least == INT64_MIN ? STR("") : put_quantity(text, least, size), result,
		    size ? ", such as 64MiB (units: B kB MB GB KiB MiB GiB)" : ", such as 10ms (units: ns us ms s)");
	return v;
}

int64_t opt_size(const char *option, const char *arg, int64_t least)
{
	return quantity(option, arg, true, least);
}

int64_t opt_time(const char *option, const char *arg, int64_t least)
{
	return quantity(option, arg, false, least);
}
