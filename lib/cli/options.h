/* options: command lines from one table: getopt_long, help, version, messages that name the nearest. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "base/mem.h"
#include "io/out.h"

struct opt {
	int letter;       /* as getopt's; above 255 when there is only a long name */
	const char *name; /* long name, or NULL */
	const char *arg;  /* what the argument is called, or NULL when there is none */
	const char *help; /* one line; a newline starts another */
};

/*
 * What a program is. `example` is a complete line; `options` ends with a row of zeros, and help and
 * version are added to it.
 */
struct program {
	const char *brief;    /* one line: what it does */
	const char *synopsis; /* after the program's name: "[-n NAME]... [FILE...]" */
	const char *example;
	const struct opt *options;
};

/*
 * The letter of the next option, with *arg its argument, or -1 after the last; `optind` is the first
 * operand then. Wrong usage ends the program with STATUS_FAIL and one line; -h and -V answer and end it.
 */
int opt_next(const struct program *prog, int argc, char **argv, const char **arg);

/* A terminal on standard input and no operand: short usage, exit with STATUS_FAIL. */
void opt_need_input(const struct program *prog, int argc, char **argv);

/*
 * "PROG: -k: unknown kind 'kernal'; did you mean 'kernel'? (kernel, memcpy, ...)": ends the program.
 * `option` is how it was given ("-k", "--from"); `what` names the kind of value; `name(i)` gives the
 * valid ones, NULL after the last.
 */
_Noreturn void opt_unknown(const char *option, const char *what, struct str got, const char *(*name)(size_t i));

/* Which of names[], NULL after the last, the argument is; `what` as above. Ends the program when it is none. */
int opt_choice(const char *option, const char *what, const char *arg, const char *const *names);

/*
 * The next item of a list at its commas, as the text of *item, which ends with a NUL that is not counted; a comma in an
 * item is written as "\,". False after the last one. "" has one item, "a," has two.
 */
bool opt_item(const char **list, struct buf *item);

/*
 * An integer, a size in bytes with an optional unit (64MiB), or a time in ns with an optional unit (10ms). Each ends
 * the program, naming the option and the minimum, when the argument is something else, less than `least`, or beyond
 * int64. INT64_MIN: no minimum.
 */
int64_t opt_count(const char *option, const char *arg, int64_t least);
int64_t opt_size(const char *option, const char *arg, int64_t least);
int64_t opt_time(const char *option, const char *arg, int64_t least);

#endif
