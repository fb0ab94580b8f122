/* child_pipe: what is written to standard output goes through another program first. */
#ifndef CHILD_PIPE_H
#define CHILD_PIPE_H

#include "io/out.h"

#include <sys/types.h>

struct child_pipe {
	char name[32]; /* of the program, for messages */
	pid_t pid;
};

/*
 * Starts a program and makes standard output its input: before out_open(). It is looked for as execvp() does;
 * where argv[0] has a folder and is not there, in PATH. Ends this program when it cannot be run; `option` names
 * what asked for it.
 */
void child_pipe_start(struct child_pipe *t, char *const *argv, const char *option);

/* In place of out_close(): closes and waits. Returns the larger of both statuses. */
int child_pipe_close(const struct child_pipe *t, struct out *o);

#endif
