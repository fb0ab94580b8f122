/* opt: command lines from tables: getopt_long, help, version, messages that name the nearest. */
#ifndef OPT_H
#define OPT_H

#include "cli/opt_value.h"

/* What a program is. `example` is a complete line. */
struct opt_program {
	const char *brief;    /* one line: what it does */
	const char *synopsis; /* after the program's name: "[-n NAME]... [FILE...]" */
	const char *example;
};

/* Options and what they set. */
struct opt_table {
	const struct opt *rows; /* ends with a row of zeros */
	void *to;               /* the struct of their OPT_TO */
	void (*take)(void *to, const struct opt_value *v); /* called for each OPT_TAKE that is given */
};

/*
 * Reads the command line by all tables, to which help and version are added; a table without rows is the last one. Of
 * two rows with one name the first is in the help, and both are taken. Returns the operands, NULL after the last. Wrong
 * usage ends the program with STATUS_FAIL and one line, and so does a terminal on standard input without an operand; -h
 * and -V answer and end it, and so does --option-rows, which is not in the help: it prints the tables for the
 * completion of shells.
 */
char **opt_read(const struct opt_program *prog, int argc, char **argv, const struct opt_table *tables);

#endif
