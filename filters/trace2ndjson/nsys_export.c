#define _GNU_SOURCE /* environ */
#include "nsys_export.h"

#include "base/err.h"
#include "io/temp_file.h"

#include <errno.h>
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
static int run(char **argv, int log, struct stop_signals *s)
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
 * Exports the report to the file `output`. nsys versions since 2024 can write jsonlines; older versions write json with
 * separate strings. When both fail, prints the messages of nsys, such as the one about an unknown type.
 */
static int export(const char *report, const char *output, int log, struct stop_signals *s)
{
	char nsys[] = "nsys", command[] = "export", force[] = "--force-overwrite=true",
	     apart[] = "--separate-strings=true";
	char lines[] = "--type=jsonlines", json[] = "--type=json";
	struct buf to = {0}, path = {0};
	char *from;
	int status;

	/* A path that starts with '-' must not be read as an option. */
	if (report[0] == '-')
		buf_lit(&path, "./");
	buf_add(&path, report, strlen(report));
	from = str_dup((struct str){path.p, path.n});
	buf_lit(&to, "--output=");
	buf_add(&to, output, strlen(output) + 1);
	status = run((char *[]){nsys, command, lines, force, to.p, from, NULL}, log, s);
	if (status != 0 && status != 127 && !s->signal)
		status = run((char *[]){nsys, command, json, apart, force, to.p, from, NULL}, log, s);
	if (status != 0 && status != 127 && !s->signal)
		tell_log(log);
	buf_free(&to);
	buf_free(&path);
	free(from);
	return status;
}

struct source *nsys_export_open(const char *path)
{
	struct buf folder = {0}, file = {0};
	struct fault fault;
	struct source *src = NULL;
	struct stop_signals stops;
	int status, log = -1;

	stop_signals_hold(&stops);
	if (access(path, R_OK) != 0) {
		warn("%s: cannot open:", path);
	} else if ((log = temp_file_open(&fault)) < 0 || !temp_file_make_folder(&folder, &fault)) {
		warn_fault(&fault);
	} else {
		buf_add(&file, folder.p, folder.n);
		buf_add(&file, "/report.json", sizeof "/report.json");
		status = export(path, file.p, log, &stops);
		if (stops.signal)
			; /* stop_signals_release() ends the program */
		else if (status == 127)
			warn("%s: exporting this binary report needs nsys, which is not in PATH; on a machine with "
			     "nsys, run: nsys export --type=jsonlines --output=report.jsonl %s%s (nsys before 2024: "
			     "--type=json --separate-strings=true)",
			    path, path[0] == '-' ? "./" : "", path);
		else if (status != 0)
			warn("%s: nsys export failed with status %d", path, status);
		else if (!(src = source_open(file.p, &fault)))
			warn_fault(&fault);
		else
			src->file = path;
		temp_file_remove_folder(folder.p);
	}
	if (log >= 0)
		close(log);
	buf_free(&folder);
	buf_free(&file);
	stop_signals_release(&stops);
	return src;
}
