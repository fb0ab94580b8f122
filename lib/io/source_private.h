/* source_private: the state of a source, for the files of the module. */
#ifndef SOURCE_PRIVATE_H
#define SOURCE_PRIVATE_H

#include "io/decompress.h"
#include "io/source.h"

#include <stdatomic.h>

struct source_private {
	int fd;
	char *buf; /* the buffer of the window: cap bytes, followed by SOURCE_PAD bytes */
	size_t cap, read_most;
	bool regular, begun, ended;
	struct decompress *unpack; /* NULL when the input is not compressed */
	atomic_uint_fast64_t read;
	uint64_t size;
	uint64_t end; /* reading ends when `read` is this; UINT64_MAX: at the end of the file */
	bool (*idle)(void *arg);
	void *idle_arg;
};

#endif
