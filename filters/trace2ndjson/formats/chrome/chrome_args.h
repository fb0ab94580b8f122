/* chrome_args: copies the args of an event without white space, and reads the members of args that are fields. */
#ifndef CHROME_ARGS_H
#define CHROME_ARGS_H

#include "key_gaps.h"
#include "trace2ndjson/kept_args.h"

/*
 * Members of args that have their own field in the record. XLA writes the correlation of a call and its device work,
 * and a text that describes the device work.
 */
#define CHROME_ARGS(X)                                                                                                 \
	X(CORRELATION, "correlation")                                                                                  \
	X(STREAM, "stream")                                                                                            \
	X(BYTES, "bytes")                                                                                              \
	X(PYTHON_ID, "Python id")                                                                                      \
	X(PYTHON_PARENT, "Python parent id")                                                                           \
	X(XLA_CORRELATION, "correlation_id")                                                                           \
	X(XLA_KERNEL, "kernel_details")                                                                                \
	X(XLA_COPY, "memcpy_details")                                                                                  \
	X(XLA_SET, "memset_details")

#define CHROME_ARG_ENUM(id, name) ARG_##id,
enum chrome_arg { CHROME_ARGS(CHROME_ARG_ENUM) ARG_N };

/* Zero-initialise. */
struct chrome_args {
	struct str m[ARG_N]; /* views of the copy or of the text; p is NULL where args has no such member */
	bool sound;          /* the copy is certainly JSON; otherwise json_check() must check the event */
	bool cut;            /* the copy has only members that --keep-args selects: see struct reader */
	/* private */
	struct key_gaps gaps;
};

/*
 * Copies the object that begins at rest.p[0] to *to, which is overwritten. `clean`: the text is part of a clean unit
 * (see struct scan_unit). `cut`: copy only the members that `kept` selects; this is not always done: see a->cut.
 * Returns the length of the object in `rest`.
 */
size_t chrome_args_copy(
    struct chrome_args *a, struct buf *to, struct str rest, bool clean, const struct kept_args *kept, bool cut);

#endif
