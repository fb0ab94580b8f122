#define _GNU_SOURCE /* environ */
#include "nsys_export.h"

#include "base/err.h"
#include "io/temp_file.h"
#include "trace2ndjson/formats/sqlite/database.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

bool nsys_export_is_report(const char *path)
{
	struct str s = str_of(path);

	return str_ends(s, STR(".nsys-rep")) || str_ends(s, STR(".qdrep"));
}

bool nsys_export_begins(struct str head)
{
	return str_starts(head, STR("NVIDIA Tegra Profiler Report"));
}

/*
 * Signals that end the program. They are blocked while a temporary folder exists: wait_for() receives them, and
 * stop_signals_release() raises the last of them once the folder has been removed.
 */
struct stop_signals {
	sigset_t set, before;
	int signal; /* the last signal received, or 0 */
};

static void stop_signals_hold(struct stop_signals *s)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGCHLD};
	size_t i;

	s->signal = 0;
	sigemptyset(&s->set);
	for (i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaddset(&s->set, signals[i]);
	sigprocmask(SIG_BLOCK, &s->set, &s->before);
}

static void stop_signals_release(const struct stop_signals *s)
{
	sigprocmask(SIG_SETMASK, &s->before, NULL);
	if (s->signal)
		raise(s->signal);
}

/* Waits until the child has ended. Passes the received signals on to the child. Returns the status from waitpid(). */
static int wait_for(pid_t pid, struct stop_signals *s)
{
	int signal, status = 0;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		signal = sigwaitinfo(&s->set, NULL);
		if (signal > 0 && signal != SIGCHLD) {
			s->signal = signal;
			kill(pid, signal);
		}
	}
	return status;
}

/* Runs a command with its output in the file `log`. Returns its exit status; 127 when the command was not found. */
static int run_command(char **argv, int log, struct stop_signals *s)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int status = 127 << 8;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, log, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, log, STDERR_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, &s->before);
	if (posix_spawnp(&pid, argv[0], &actions, &attributes, argv, environ) == 0)
		status = wait_for(pid, s);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* Prints the messages of nsys, but not its progress bar, whose states are separated by CRs. */
static void tell_log(int log)
{
	char text[8192];
	ssize_t n = pread(log, text, sizeof text, 0);
	struct str rest = {text, n > 0 ? (size_t)n : 0}, line, piece;

	while (str_split(&rest, '\n', &line)) {
		line = str_trim(line);
		while (str_find(line, STR("\r")) < line.n)
			str_split(&line, '\r', &piece);
		if (str_trim(line).n)
			warn("nsys: %.*s", STR_FMT(str_trim(line)));
	}
}

/*
 * The types of export, the best first, with further options. All versions of nsys write sqlite. Without libsqlite3,
 * jsonlines, which nsys versions since 2024 can write, or json, which older ones write.
 */
static const char *const sqlite[][2] = {{"--type=sqlite", NULL}, {NULL, NULL}};
static const char *const text[][2] = {
    {"--type=jsonlines", NULL}, {"--type=json", "--separate-strings=true"}, {NULL, NULL}};

/* Exports the report to the file `output`. When that fails, prints the messages of nsys. */
static int export(const char *report, const char *output, int log, struct stop_signals *s)
{
	const char *const(*type)[2] = database_supported ? sqlite : text;
	struct buf to = {0}, path = {0};
	int status = 1;

	/* A path that starts with '-' must not be read as an option. */
	if (report[0] == '-')
		buf_lit(&path, "./");
	buf_add(&path, report, strlen(report) + 1);
	buf_lit(&to, "--output=");
	buf_add(&to, output, strlen(output) + 1);
	for (; (*type)[0] && status != 0 && status != 127 && !s->signal; type++) {
		const char *more = (*type)[1];
		const char *argv[] = {"nsys", "export", (*type)[0], "--force-overwrite=true", to.p,
		    more ? more : path.p, more ? path.p : NULL, NULL};

		status = run_command((char **)argv, log, s);
	}
	if (status != 0 && status != 127 && !s->signal)
		tell_log(log);
	bufs_free(&to, &path);
	return status;
}

/* Appends the path of a file in the folder, and a NUL. */
static void name_file(struct buf *file, const struct buf *folder, struct str name)
{
	file->n = 0;
	buf_add(file, folder->p, strlen(folder->p));
	buf_char(file, '/');
	buf_add(file, name.p, name.n);
	buf_char(file, '\0');
}

/* Writes the content of the source of a report, `path`, to a new file; false after a message, also for a cut report. */
static bool write_content(const char *file, struct source *content, const char *path)
{
	struct fault fault;
	uint64_t at = 0;
	bool written = true;
	int more = 0;
	int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0) {
		warn("%s: cannot create a temporary file (TMPDIR) for the report:", file);
		return false;
	}
	do {
		written = temp_file_write(fd, content->p, content->n, at, &fault);
		at += content->n;
		source_skip(content, content->n);
	} while (written && (more = source_more(content)) > 0);
	close(fd);
	if (!written)
		warn_fault(&fault);
	else if (more < 0)
		warn("%s: the report cannot be read to its end, and is not exported", path);
	return written && more == 0;
}

/* Prints the command that exports the report on another machine. */
static void print_command(const char *path, bool is_file)
{
	warn("%s: exporting this binary report needs nsys, which is not in PATH; on a machine with nsys, run: "
	     "nsys export %s %s%s%s",
	    path,
	    database_supported ? "--type=sqlite --output=report.sqlite" : "--type=jsonlines --output=report.jsonl",
	    is_file && path[0] == '-' ? "./" : "", is_file ? path : "REPORT",
	    database_supported ? "" : " (nsys before 2024: --type=json --separate-strings=true)");
}

struct source *nsys_export_open(const char *path, struct source *content)
{
	struct buf folder = {0}, report = {0}, file = {0};
	struct fault fault;
	struct source *src = NULL;
	struct stop_signals stops;
	int status, log = -1;

	stop_signals_hold(&stops);
	if (!content && access(path, R_OK) != 0) {
		warn("%s: cannot open:", path);
	} else if ((log = temp_file_open(&fault)) < 0 || !temp_file_make_folder(&folder, &fault)) {
		warn_fault(&fault);
	} else {
		name_file(&file, &folder, database_supported ? STR("report.sqlite") : STR("report.json"));
		name_file(&report, &folder, STR("report.nsys-rep"));
		if (!content || write_content(report.p, content, path)) {
			status = export(content ? report.p : path, file.p, log, &stops);
			if (stops.signal)
				; /* stop_signals_release() ends the program */
			else if (status == 127)
				print_command(path, !content);
			else if (status != 0)
				warn("%s: nsys export failed with status %d", path, status);
			else if (!(src = source_open(file.p, &fault)))
				warn_fault(&fault);
			else
				src->file = path;
		}
		temp_file_remove_folder(folder.p);
	}
	if (log >= 0)
		close(log);
	bufs_free(&folder, &report, &file);
	stop_signals_release(&stops);
	return src;
}
