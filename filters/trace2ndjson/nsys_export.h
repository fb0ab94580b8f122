/* nsys_export: Nsight Systems reports (.nsys-rep, .qdrep) through their own tool, nsys export. */
#ifndef NSYS_EXPORT_H
#define NSYS_EXPORT_H

#include "io/source.h"

/* Whether the name is that of a binary report. */
bool nsys_export_is_report(const char *path);

/*
 * Runs nsys on the report and opens what it wrote; the temporary file is gone already. NULL when that
 * failed, with a message that has the command to run where nsys is.
 */
struct source *nsys_export_open(const char *path);

#endif
