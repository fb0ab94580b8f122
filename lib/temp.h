/* temp: temporary files that have no name, so that nothing of them stays whatever happens. */
#ifndef TEMP_H
#define TEMP_H

#include "err.h"

#include <stdbool.h>

/* The folder they lie in, for messages: TMPDIR, else /tmp. */
const char *temp_folder(void);

/* A file open for reading and writing, or -1 and *f. The caller closes it, and it is gone. */
int temp_open(struct fault *f);

/* All n bytes at that offset, or false and *f. */
bool temp_write(int fd, const void *p, size_t n, uint64_t at, struct fault *f);
bool temp_read(int fd, void *p, size_t n, uint64_t at, struct fault *f);

#endif
