/* nsys_export: reads Nsight Systems reports (.nsys-rep, .qdrep) through their own tool, nsys export. */
#ifndef NSYS_EXPORT_H
#define NSYS_EXPORT_H

#include "io/source.h"

/* Returns true if the path has a suffix of a binary report. */
bool nsys_export_is_report(const char *path);

/*
 * Runs nsys on the report and opens the output of nsys, whose temporary file is already removed when this function
 * returns. Returns NULL on failure, after a message that shows the command to run on a machine with nsys.
 */
struct source *nsys_export_open(const char *path);

#endif
