#define _GNU_SOURCE /* environ, pipe2 */
#include "io/child_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

/* An errno, or 0. */
static int spawn(pid_t *pid, char *const *argv, int input)
{
	const char *slash = strrchr(argv[0], '/');
	posix_spawn_file_actions_t actions;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	error = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	if (error && slash)
		error = posix_spawnp(pid, slash + 1, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

void child_pipe_start(struct child_pipe *t, char *const *argv, const char *option)
{
	const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
	int ends[2];

	snprintf(t->name, sizeof t->name, "%s", name);
	/* Closed, its number would be taken for the pipe. */
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0)
		die("write error:");
	if (pipe2(ends, O_CLOEXEC) != 0)
		die("%s: cannot make a pipe:", option);
	errno = spawn(&t->pid, argv, ends[0]);
	if (errno)
		die("%s: cannot run %s:", option, t->name);
	dup2(ends[1], STDOUT_FILENO);
	close(ends[0]);
	close(ends[1]);
	/* If it ends early its status is to be told, not ours. */
	signal(SIGPIPE, SIG_IGN);
}

/* Its exit status; a closed pipe that killed it kills this program too. */
static int await(const struct child_pipe *t)
{
	int status;

	while (waitpid(t->pid, &status, 0) < 0) {
		if (errno != EINTR)
			return STATUS_FAIL;
	}
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (WTERMSIG(status) == SIGPIPE) {
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
	}
	warn("%s was killed by signal %d", t->name, WTERMSIG(status));
	return STATUS_FAIL;
}

int child_pipe_close(const struct child_pipe *t, struct out *o)
{
	bool refused;
	int status, its;

	out_flush(o);
	refused = o->error == EPIPE;
	if (refused)
		o->error = 0; /* it has said itself why it ended */
	status = out_close(o);
	its = await(t);
	if (refused && its == STATUS_OK)
		return STATUS_FAIL;
	return its > status ? its : status;
}
