/* sorter: what is written goes through ts-sort (trace2ndjson --sort). */
#ifndef SORTER_H
#define SORTER_H

#include "io/child_pipe.h"

/*
 * filter_open_child() of ts-sort, the one in the folder of this program if it was called by a path, else that in
 * PATH. `argv0` is how this program was called; where its name has a prefix (tf-trace2ndjson), so has ts-sort's.
 */
void sorter_open(struct child_pipe *t, const char *argv0);

#endif
