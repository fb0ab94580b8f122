/* sorter: passes the output through ts-sort (trace2ndjson --sort). */
#ifndef SORTER_H
#define SORTER_H

#include "io/child_pipe.h"

/*
 * Starts ts-sort with filter_open_child(): the one in the folder of this program if it was called by a path, else the
 * one in PATH. `argv0` is the name by which this program was called; when it has a prefix (tf-trace2ndjson), ts-sort
 * gets the same prefix.
 */
void sorter_open(struct child_pipe *t, const char *argv0);

#endif
