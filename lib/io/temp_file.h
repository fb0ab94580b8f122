/* temp_file: temporary files. They have no name, so that nothing of them stays whatever happens. */
#ifndef TEMP_FILE_H
#define TEMP_FILE_H

#include "base/fault.h"
#include "base/mem.h"

#include <stdbool.h>

/*
 * A file open for reading and writing, in TMPDIR or else /tmp; -1 and *f when it cannot be made: the fault names the
 * folder. The caller closes it, and it is gone.
 */
int temp_file_open(struct fault *f);

/*
 * A new folder, for programs that want a file's name: its path in *path, followed by a NUL; false and *f when it
 * cannot be made. The caller removes it.
 */
bool temp_file_make_folder(struct buf *path, struct fault *f);

/* Removes such a folder and the files in it. */
void temp_file_remove_folder(const char *path);

/* All n bytes at that offset, or false and *f. */
bool temp_file_write(int fd, const void *p, size_t n, uint64_t at, struct fault *f);
bool temp_file_read(int fd, void *p, size_t n, uint64_t at, struct fault *f);

#endif
