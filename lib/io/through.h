/* through: what is written to standard output goes through another program first. */
#ifndef THROUGH_H
#define THROUGH_H

#include "io/out.h"

#include <sys/types.h>

struct through {
	char name[32]; /* of the program, for messages */
	pid_t pid;
};

/*
 * Starts a program and makes standard output its input: before out_open(). It is looked for as execvp() does;
 * where argv[0] has a folder and is not there, in PATH. Ends this program when it cannot be run; `option` names
 * what asked for it.
 */
void through_start(struct through *t, char *const *argv, const char *option);

/* In place of out_close(): closes and waits. Returns the larger of both statuses. */
int through_close(const struct through *t, struct out *o);

#endif
