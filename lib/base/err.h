/* err: messages and exit statuses. */
#ifndef ERR_H
#define ERR_H

#include "base/fault.h"

/* What every program exits with. */
enum status {
	STATUS_OK = 0,   /* all input understood and written; repairs leave this */
	STATUS_LOST = 1, /* something was lost, and stderr said how much */
	STATUS_FAIL = 2, /* usage, open, read, write or memory failure */
};

/*
 * Takes the program's name for messages from argv[0], and keeps the numbers of closed standard streams from other files;
 * call it first.
 */
void err_init(const char *argv0);
const char *err_prog(void);

/* "PROG: TEXT" and a newline to stderr, in one write; a format that ends in ':' has errno's text added. */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* warn() unless err_set_quiet() was called: for hints and notes, which report no loss and change no exit status. */
void note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* For --quiet: from here on note() prints nothing. */
void err_set_quiet(void);

/* warn() and exit with STATUS_FAIL. */
_Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The one way out of a program besides the end of main(). */
_Noreturn void quit(int status);

/* warn() of a fault: "PROG: FILE:LINE:BYTE: what", without the parts that are not known. */
void warn_fault(const struct fault *f);

#endif
