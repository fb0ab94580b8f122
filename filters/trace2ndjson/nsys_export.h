/* nsys_export: reads Nsight Systems reports (.nsys-rep, .qdrep) through their own tool, nsys export. */
#ifndef NSYS_EXPORT_H
#define NSYS_EXPORT_H

#include "io/source.h"

/* Returns true if the path has a suffix of a binary report. */
bool nsys_export_is_report(const char *path);

/* Returns true if content begins like a binary report. */
bool nsys_export_begins(struct str head);

/*
 * Runs nsys on the report and opens the output of nsys, whose temporary file is already removed when this function
 * returns. If `content` is not NULL, it has the report's content, which is not in a file or is compressed: it is copied
 * to a temporary file, and `path` is only a name for messages. Returns NULL on failure, after a message that shows the
 * command to run on a machine with nsys.
 */
struct source *nsys_export_open(const char *path, struct source *content);

#endif
