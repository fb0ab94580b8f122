/* child_pipe: what is written to standard output goes through another program first. */
#ifndef CHILD_PIPE_H
#define CHILD_PIPE_H

#include "io/out.h"

#include <sys/types.h>

struct child_pipe {
	char name[32]; /* of the program, for messages */
	/* private */
	pid_t pid;
};

/*
 * Starts a program and makes standard output its input: before out_open(). It is looked for as execvp() does;
 * where argv[0] has a folder and is not there, in PATH. False, with errno, when it cannot be run.
 */
bool child_pipe_open(struct child_pipe *t, char *const *argv);

/*
 * In place of out_close(): closes and waits. *status is the exit status of the program, or -N when signal N killed it.
 * An early end of the program is not a write error, and never STATUS_OK.
 */
bool child_pipe_close(const struct child_pipe *t, struct out *o, int *status, struct fault *f);

#endif
