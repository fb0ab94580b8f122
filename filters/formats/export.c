#define _GNU_SOURCE /* environ */
#include "export.h"

#include "temp.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

bool export_is_report(const char *path)
{
	struct str s = str_of(path);

	return str_ends(s, STR(".nsys-rep")) || str_ends(s, STR(".qdrep"));
}

/*
 * Signals that end the program. They are blocked while a temporary folder has a name: wait_for() takes them then, and
 * stops_release() acts on the last of them when the folder is gone.
 */
struct stops {
	sigset_t set, before;
	int signal; /* that came, or 0 */
};

static void stops_hold(struct stops *s)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGCHLD};
	size_t i;

	s->signal = 0;
	sigemptyset(&s->set);
	for (i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaddset(&s->set, signals[i]);
	sigprocmask(SIG_BLOCK, &s->set, &s->before);
}

static void stops_release(const struct stops *s)
{
	sigprocmask(SIG_SETMASK, &s->before, NULL);
	if (s->signal)
		raise(s->signal);
}

/* Waits until the child has ended, passes on to it the signals that come, and returns what waitpid() says of it. */
static int wait_for(pid_t pid, struct stops *s)
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

/* The exit status of a command, 127 when it is not there. */
static int run(char **argv, struct stops *s)
{
	posix_spawnattr_t attributes;
	int status = 127 << 8;
	pid_t pid;

	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, &s->before);
	if (posix_spawnp(&pid, argv[0], NULL, &attributes, argv, environ) == 0)
		status = wait_for(pid, s);
	posix_spawnattr_destroy(&attributes);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* nsys since 2024 knows jsonlines, before that json with its strings apart; `output` is made. */
static int export(const char *report, const char *output, struct stops *s)
{
	char nsys[] = "nsys", command[] = "export", force[] = "--force-overwrite=true", apart[] = "--separate-strings=true";
	char lines[] = "--type=jsonlines", json[] = "--type=json";
	struct buf to = {0};
	char *from = str_dup(str_of(report));
	int status;

	buf_lit(&to, "--output=");
	buf_add(&to, output, strlen(output) + 1);
	status = run((char *[]){nsys, command, lines, force, to.p, from, NULL}, s);
	if (status != 0 && status != 127 && !s->signal)
		status = run((char *[]){nsys, command, json, apart, force, to.p, from, NULL}, s);
	buf_free(&to);
	free(from);
	return status;
}

struct src *export_open(const char *path)
{
	struct buf folder = {0}, file = {0};
	struct fault fault;
	struct src *src = NULL;
	struct stops stops;
	int status;

	stops_hold(&stops);
	if (access(path, R_OK) != 0) {
		warn("%s: cannot open:", path);
	} else if (!temp_make_folder(&folder, &fault)) {
		warn_fault(temp_folder(), &fault);
	} else {
		buf_add(&file, folder.p, folder.n);
		buf_add(&file, "/report.json", sizeof "/report.json");
		status = export(path, file.p, &stops);
		if (stops.signal)
			; /* stops_release() ends the program */
		else if (status == 127)
			warn("%s: this binary report takes nsys, which is not in PATH; where it is, run: nsys export "
			     "--type=jsonlines --output=report.jsonl %s",
			    path, path);
		else if (status != 0)
			warn("%s: nsys export failed with status %d", path, status);
		else if (!(src = src_open(file.p, &fault)))
			warn_fault(file.p, &fault);
		temp_remove_folder(folder.p);
	}
	buf_free(&folder);
	buf_free(&file);
	stops_release(&stops);
	return src;
}
