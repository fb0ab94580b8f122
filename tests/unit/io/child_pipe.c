/* child_pipe: a child of this test writes through a program; the test checks the output and the exit status. */
#include "io/child_pipe.h"

#include "test.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[256];

/*
 * Starts a process that writes "b\na\n" to the command. Returns the command's exit status; 110 + N when signal N killed
 * it.
 */
static int run(const char *command)
{
	char sh[] = "sh", c[] = "-c", given[128];
	char *argv[] = {sh, c, given, NULL};
	int ends[2], status = -1;
	size_t n = 0;
	ssize_t got;
	pid_t pid;

	snprintf(given, sizeof given, "%s", command);
	fflush(stdout);
	CHECK(pipe(ends) == 0);
	pid = fork();
	if (pid == 0) {
		struct child_pipe t;
		struct out o;

		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		struct fault fault;
		int ended;

		if (!child_pipe_open(&t, argv))
			_exit(101);
		out_open(&o);
		out_z(&o, "b\na\n");
		if (!child_pipe_close(&t, &o, &ended, &fault))
			_exit(102);
		_exit(ended < 0 ? 110 - ended : ended);
	}
	close(ends[1]);
	while (n < sizeof text - 1 && (got = read(ends[0], text + n, sizeof text - 1 - n)) > 0)
		n += (size_t)got;
	text[n] = '\0';
	close(ends[0]);
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status));
	return WEXITSTATUS(status);
}

void unit_test(void)
{
	CHECK_INT(run("sort"), 0);
	CHECK_STR(str_of(text), "a\nb\n");
	/* The program reads all of the input before it ends, and its status is returned. */
	CHECK_INT(run("cat; exit 1"), 1);
	CHECK_STR(str_of(text), "b\na\n");
	CHECK_INT(run("cat >/dev/null; exit 7"), 7);
	CHECK_STR(str_of(text), "");
	CHECK_INT(run("cat; kill -9 $$"), 119);
	CHECK_STR(str_of(text), "b\na\n");
}
