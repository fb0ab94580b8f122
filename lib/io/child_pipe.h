/* child_pipe: pipes standard output through another program. */
#ifndef CHILD_PIPE_H
#define CHILD_PIPE_H

#include "io/out.h"

#include <sys/types.h>

struct child_pipe {
	char name[32]; /* name of the program, for messages */
	/* private */
	pid_t pid;
};

/*
 * Starts a program and connects standard output to its input; to be called before out_open(). The program is found in
 * the same way as by execvp(). If argv[0] contains a folder and there is no such program, the name after the last slash
 * is searched for in PATH. Returns false and sets errno when the program cannot be started.
 */
bool child_pipe_open(struct child_pipe *t, char *const *argv);

/*
 * Use this instead of out_close(): closes the output and waits for the program. *status is the exit status of the
 * program, or -N when signal N killed it. If the program ended before it had read all output, this is not reported as a
 * write error, but *status is not STATUS_OK.
 */
bool child_pipe_close(const struct child_pipe *t, struct out *o, int *status, struct fault *f);

#endif
