/* err: prints messages and defines exit statuses. */
#ifndef ERR_H
#define ERR_H

#include "base/fault.h"

/* The exit status of every program. */
enum status {
	STATUS_OK = 0,   /* all input was read, possibly with repairs, and all output was written */
	STATUS_LOST = 1, /* something was lost, and stderr reported how much */
	STATUS_FAIL = 2, /* usage error, or failure to open, read, write or allocate memory */
};

/*
 * Call this first. It takes the program's name from argv[0], and reserves the descriptors of closed standard streams,
 * so that no other file gets them. If a script that runs programs sets TRACEFILTERS_COMMAND to its own name, messages
 * begin with that name. If TRACEFILTERS_QUIET is set and not empty, err_init() also calls err_set_quiet(); but if it is
 * `hints`, which scripts set for the programs that they run, only hint() prints nothing.
 */
void err_init(const char *argv0);

/* err_prog() returns the program's own name; err_command() returns the name that messages begin with. */
const char *err_prog(void);
const char *err_command(void);

/* Prints "COMMAND: TEXT" and a newline to stderr, in one write. After a final ':', appends the text of errno. */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * The same as warn(), but print nothing after err_set_quiet(): a note is about the input and reports no loss; a hint is
 * about the command line, such as the name of a field that no record has. Neither changes the exit status.
 */
void note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void hint(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Makes note() and hint() print nothing from now on: for --quiet. */
void err_set_quiet(void);

/* Calls warn() and exits with STATUS_FAIL. */
_Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Exits with the given status. A program must end by calling this function or by returning from main(). */
_Noreturn void quit(int status);

/* Calls die() with a message like "too many calls: at most 4294967294", where `what` is "calls". */
_Noreturn void die_too_many(const char *what, uint64_t most);

/*
 * Prints a fault with warn(), as "PROG: FILE:LINE:BYTE: what"; unknown parts are left out. die_fault() then exits with
 * STATUS_FAIL, and err_check() does so unless `good` is set.
 */
void warn_fault(const struct fault *f);
_Noreturn void die_fault(const struct fault *f);
void err_check(bool good, const struct fault *f);

#endif
