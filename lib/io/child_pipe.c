#define _GNU_SOURCE /* environ, pipe2 */
#include "io/child_pipe.h"

#include "base/err.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

bool child_pipe_open(struct child_pipe *t, char *const *argv)
{
	const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
	posix_spawn_file_actions_t actions;
	int ends[2];

	snprintf(t->name, sizeof t->name, "%s", name);
	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
	errno = posix_spawnp(&t->pid, argv[0], &actions, NULL, argv, environ);
	if (errno && slash)
		errno = posix_spawnp(&t->pid, name, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (errno)
		return false;
	dup2(ends[1], STDOUT_FILENO);
	close(ends[0]);
	close(ends[1]);
	/* If the program ends early, SIGPIPE must not end this process, which must report the program's status. */
	signal(SIGPIPE, SIG_IGN);
	return true;
}

/* Returns the status for child_pipe_close(). If SIGPIPE killed the program, this process ends by SIGPIPE too. */
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
	return -WTERMSIG(status);
}

bool child_pipe_close(const struct child_pipe *t, struct out *o, int *status, struct fault *f)
{
	bool refused, written;

	out_flush(o);
	refused = o->error == EPIPE;
	if (refused)
		o->error = 0; /* the program itself has reported why it ended */
	written = out_close(o, f);
	*status = await(t);
	if (refused && *status == STATUS_OK)
		*status = STATUS_FAIL;
	return written;
}
