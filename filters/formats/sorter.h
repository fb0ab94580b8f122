/* sorter: what is written goes through ts-sort (trace2ndjson --sort). */
#ifndef SORTER_H
#define SORTER_H

#include "out.h"

#include <sys/types.h>

/*
 * Starts ts-sort, the one in the folder of this program if it was called by a path, else that in PATH, and
 * makes standard output its input: before out_open(). Ends the program when there is none. `argv0` is how
 * this program was called; where its name has a prefix (tf-trace2ndjson), so has ts-sort's.
 */
pid_t sorter_start(const char *argv0);

/* In place of out_close(): closes and waits. Returns the larger of both statuses. */
int sorter_close(pid_t sorter, struct out *o);

#endif
