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
 * Starts a program and makes standard output its input; call it before out_open(). The program is searched as execvp()
 * does; if argv[0] has a folder and is not there, in PATH. Returns false and sets errno when it cannot be run.
 */
bool child_pipe_open(struct child_pipe *t, char *const *argv);

/*
 * Replaces out_close(): closes and waits. *status is the exit status of the program, or -N when signal N killed it. If
 * the program ends early, this is not a write error, and *status is not STATUS_OK.
 */
bool child_pipe_close(const struct child_pipe *t, struct out *o, int *status, struct fault *f);

#endif
