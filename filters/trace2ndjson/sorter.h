/* sorter: passes the output through ts-sort (trace2ndjson --sort). */
#ifndef SORTER_H
#define SORTER_H

#include "io/child_pipe.h"

/*
 * Starts ts-sort with filter_open_child(). If this program was called by a path, ts-sort is run from the same folder;
 * otherwise it is searched for in PATH. `argv0` is the name by which this program was called; if it has a prefix
 * (tf-trace2ndjson), the name of ts-sort gets the same prefix.
 */
void sorter_open(struct child_pipe *t, const char *argv0);

#endif
