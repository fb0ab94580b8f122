/*
 * kernel_names: what a GPU kernel does, by its name: its class and operation, and whether it uses matrix units such as
 * Tensor Cores. kernel-names.tsv has the rules and explains their columns. A process has one list of rules.
 */
#ifndef KERNEL_NAMES_H
#define KERNEL_NAMES_H

#include "base/fault.h"
#include "base/str.h"

/* The classes of a kernel, in the order of kernel_class_names. */
enum kernel_class {
	KERNEL_COMM,
	KERNEL_GEMM,
	KERNEL_ATTENTION,
	KERNEL_CONV,
	KERNEL_NORM,
	KERNEL_REDUCE,
	KERNEL_ELEMENTWISE,
	KERNEL_MEMORY,
	KERNEL_EMBEDDING,
	KERNEL_MOE,
	KERNEL_OPTIMIZER,
	KERNEL_SORT,
	KERNEL_SAMPLING,
	KERNEL_OTHER,
};
extern const char *const kernel_class_names[]; /* NULL-terminated */

/* A rule. `line` is its text, `matrix` is yes, no or unknown; the operation and the line can be empty. */
struct kernel_rule {
	enum kernel_class class;
	const char *matrix;
	struct str operation, line;
};

/*
 * Reads the rules of a file, which precede the built-in ones: of `path`, or, if it is NULL, of the file that the
 * environment variable TRACEFILTERS_KERNEL_NAMES names. The line `!default` at the end excludes the built-in rules.
 * Returns false and sets *f, with file and line, if the file cannot be read, has no rule, or has an invalid line.
 */
bool kernel_names_read(const char *path, struct fault *f);

/*
 * Returns the first rule that a name, as JSON, matches. Without one, returns a rule without a line, of KERNEL_OTHER.
 * It is valid until the process ends.
 */
const struct kernel_rule *kernel_names_find(struct str name);

/* The same for a decoded name. */
const struct kernel_rule *kernel_names_find_text(struct str name);

#endif
