/* opt: parses command lines from tables of options, prints help, and suggests the nearest name. */
#ifndef OPT_H
#define OPT_H

#include "program/opt_value.h"

/*
 * The texts of a program's help. `example` is a complete command line. `reads`, `writes` and `needs` are lists for
 * people and for the catalogue of programs, with commas between their items; a remark for people follows a semicolon.
 * The forms of data are trace (a file that trace2ndjson reads), records, table (rows of any program, as NDJSON),
 * picture, text ...; the kinds of records that count are in parentheses: "records (kernel, api)".
 */
struct opt_program {
	const char *brief;    /* one line: what the program does */
	const char *synopsis; /* the usage, without the program's name: "[-n NAME]... [FILE...]" */
	const char *example;
	const char *reads;
	const char *writes; /* NULL: the formats of -o */
	const char *needs;  /* what must be true of the input, such as "ts order, corr-join"; NULL: nothing */
};

/* A table of options and the struct that they set. */
struct opt_table {
	const struct opt *rows;                            /* ends with a row of zeros */
	void *to;                                          /* the struct that OPT_TO in the rows refers to */
	void (*take)(void *to, const struct opt_value *v); /* called for each OPT_TAKE option that is given */
};

/*
 * Parses the command line. `tables` ends with a table without rows; --help and --version are added to them. If several
 * rows have the same name, the help shows only the first one, and the option sets all of them. Returns the operands,
 * NULL-terminated. Exits with a message on wrong usage, and like opt_need_input(). --option-rows, which is not in the
 * help, prints the tables, for shell completion and the catalogue of programs, and exits.
 */
char **opt_read(const struct opt_program *prog, int argc, char **argv, const struct opt_table *tables);

/*
 * Returns how messages name the first option of `names` that was given, such as "-g" or "--time", or NULL. `names` are
 * long names, separated by spaces.
 */
const char *opt_given(const char *names);

/* Exits with a usage message when there is no file and standard input is a terminal. */
void opt_need_input(const struct opt_program *prog, char *const *files);

#endif
