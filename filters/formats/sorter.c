#define _GNU_SOURCE /* environ, pipe2 */
#include "sorter.h"

#include "mem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* The path of trace2ndjson made that of ts-sort, folder and prefix kept. */
static char *sorter_path(const char *argv0)
{
	const struct str own = STR("trace2ndjson"), name = str_of(argv0);
	struct buf b = {0};

	if (str_ends(name, own))
		buf_add(&b, name.p, name.n - own.n);
	buf_add(&b, "ts-sort", sizeof "ts-sort");
	return b.p;
}

/* An errno, or 0. */
static int spawn(pid_t *pid, char *path, int input)
{
	/* What was written here is whole, however long a record has become. */
	char any_size[] = "--max-record=9223372036854775807", *argv[] = {path, any_size, NULL};
	const char *slash = strrchr(path, '/');
	posix_spawn_file_actions_t actions;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	error = posix_spawnp(pid, path, &actions, NULL, argv, environ);
	if (error && slash)
		error = posix_spawnp(pid, slash + 1, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

pid_t sorter_start(const char *argv0)
{
	char *path = sorter_path(argv0);
	int ends[2];
	pid_t pid;

	/* Closed, its number would be taken for the pipe. */
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0)
		die("write error:");
	if (pipe2(ends, O_CLOEXEC) != 0)
		die("--sort: cannot make a pipe:");
	errno = spawn(&pid, path, ends[0]);
	if (errno)
		die("--sort: cannot run ts-sort:");
	free(path);
	dup2(ends[1], STDOUT_FILENO);
	close(ends[0]);
	close(ends[1]);
	/* If it ends early its status is to be told, not ours. */
	signal(SIGPIPE, SIG_IGN);
	return pid;
}

/* The exit status of the sorter; what killed it kills this program too. */
static int await(pid_t sorter)
{
	int status;

	while (waitpid(sorter, &status, 0) < 0) {
		if (errno != EINTR)
			return STATUS_FAIL;
	}
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (WTERMSIG(status) == SIGPIPE) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	warn("ts-sort was killed by signal %d", WTERMSIG(status));
	return STATUS_FAIL;
}

int sorter_close(pid_t sorter, struct out *o)
{
	bool refused;
	int status, its;

	out_flush(o);
	refused = o->error == EPIPE;
	if (refused)
		o->error = 0; /* it has said itself why it ended */
	status = out_close(o);
	its = await(sorter);
	if (refused && its == STATUS_OK)
		return STATUS_FAIL;
	return its > status ? its : status;
}
