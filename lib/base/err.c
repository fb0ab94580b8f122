#include "base/err.h"

#include "base/char_class.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *prog = "tracefilters", *command;
static bool quiet, hintless;

/*
 * Opens /dev/null for each standard stream that is closed. Otherwise the next file to be opened would get the
 * descriptor of that stream, and messages or records would be written to that file. /dev/null is opened write-only for
 * stdin and read-only for stdout and stderr, so that reading or writing the stream still fails (EBADF).
 */
static void reserve_standard_streams(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			return;
	}
}

void err_init(const char *argv0)
{
	const char *slash = argv0 ? strrchr(argv0, '/') : NULL, *set;

	reserve_standard_streams();
	if (argv0 && *argv0)
		prog = slash && slash[1] ? slash + 1 : argv0;
	set = getenv("TRACEFILTERS_COMMAND");
	command = set && *set ? set : prog;
	set = getenv("TRACEFILTERS_QUIET");
	hintless = set && *set;
	quiet = hintless && strcmp(set, "hints") != 0;
}

const char *err_prog(void)
{
	return prog;
}

const char *err_command(void)
{
	return command ? command : prog;
}

__attribute__((format(printf, 1, 0))) static void vwarn(const char *fmt, va_list ap)
{
	int error = errno;
	char line[4096];
	size_t n = sizeof line - 1, flen = strlen(fmt), at, i;

	at = (size_t)snprintf(line, n, "%.200s: ", err_command());
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): the callers call va_start() */
	at += (size_t)vsnprintf(line + at, n - at, fmt, ap);
	if (at < n && flen && fmt[flen - 1] == ':')
		at += (size_t)snprintf(line + at, n - at, " %s", strerror(error));
	if (at >= n) {
		at = n - 1;
		memcpy(line + at - 3, "...", 3);
	}
	/* Messages contain names from the input, whose control characters must not reach a terminal. */
	for (i = 0; i < at; i++) {
		if (is_control(line[i]) && line[i] != '\n' && line[i] != '\t')
			line[i] = '?';
	}
	line[at++] = '\n';
	/* If stderr cannot be written, the failure cannot be reported anywhere. */
	if (write(STDERR_FILENO, line, at) < 0)
		errno = error;
}

void warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vwarn(fmt, ap);
	va_end(ap);
}

void note(const char *fmt, ...)
{
	va_list ap;

	if (quiet)
		return;
	va_start(ap, fmt);
	vwarn(fmt, ap);
	va_end(ap);
}

void hint(const char *fmt, ...)
{
	va_list ap;

	if (quiet || hintless)
		return;
	va_start(ap, fmt);
	vwarn(fmt, ap);
	va_end(ap);
}

void err_set_quiet(void)
{
	quiet = true;
}

void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vwarn(fmt, ap);
	va_end(ap);
	quit(STATUS_FAIL);
}

void die_too_many(const char *what, uint64_t most)
{
	die("too many %s: at most %" PRIu64, what, most);
}

void quit(int status)
{
	exit(status);
}

void warn_fault(const struct fault *f)
{
	char location[64] = "";

	if (f->at.line && f->at.byte)
		snprintf(location, sizeof location, ":%" PRIu64 ":%" PRIu64, f->at.line, f->at.byte);
	else if (f->at.line)
		snprintf(location, sizeof location, ":%" PRIu64, f->at.line);
	warn("%s%s%s%s%s%s", f->at.file ? f->at.file : "", location, f->at.file ? ": " : "", f->what,
	    f->error > 0 ? ": " : "", f->error > 0 ? strerror(f->error) : "");
}

void die_fault(const struct fault *f)
{
	warn_fault(f);
	quit(STATUS_FAIL);
}

void err_check(bool good, const struct fault *f)
{
	if (!good)
		die_fault(f);
}
