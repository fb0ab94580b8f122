/* nsys_export: reads Nsight Systems reports (.nsys-rep, .qdrep) through their own tool, nsys export. */
#ifndef NSYS_EXPORT_H
#define NSYS_EXPORT_H

#include "io/source.h"

/* Returns true if the path has the suffix of a binary report. */
bool nsys_export_is_report(const char *path);

/*
 * Runs nsys on the report and opens its output; the temporary file is already removed then. Returns NULL on failure,
 * after a message with the command to run where nsys is installed.
 */
struct source *nsys_export_open(const char *path);

#endif
