/* inspector_args: the parts of a line of NCCL Inspector, and the args of its record. */
#ifndef INSPECTOR_ARGS_H
#define INSPECTOR_ARGS_H

#include "base/mem.h"
#include "base/str.h"

/* The parts of a line: JSON texts, p is NULL for absent ones. `perf` is the member after the first two, and `key` its
 * name. */
struct inspector_line {
	struct str header, metadata, key, perf;
};

bool inspector_is_object(struct str json);

/* Returns the value of a member; p is NULL if it is absent or null, or if `object` is not an object. */
struct str inspector_find(struct str object, const char *key);

/* Appends the members of args for a communication. `name` is its operation, a JSON string. */
void inspector_put_perf(struct buf *args, const struct inspector_line *line, struct str name);

/* Appends the members of args for any other line. */
void inspector_put_other(struct buf *args, const struct inspector_line *line);

#endif
