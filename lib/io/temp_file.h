/* temp_file: temporary files. They have no name, so that none remains however the program ends. */
#ifndef TEMP_FILE_H
#define TEMP_FILE_H

#include "base/fault.h"
#include "base/mem.h"

#include <stdbool.h>

/*
 * Returns a file open for reading and writing, in TMPDIR or else in /tmp; -1, with *f set, when it cannot be made: the
 * fault names the folder. When the caller closes it, it is deleted.
 */
int temp_file_open(struct fault *f);

/*
 * Makes a new folder, for programs that need files with names, and sets *path to its path, followed by a NUL; returns
 * false, with *f set, when it cannot be made. The caller removes it.
 */
bool temp_file_make_folder(struct buf *path, struct fault *f);

/* Removes such a folder and the files in it. */
void temp_file_remove_folder(const char *path);

/* Write or read all n bytes at that offset; on failure return false and set *f. */
bool temp_file_write(int fd, const void *p, size_t n, uint64_t at, struct fault *f);
bool temp_file_read(int fd, void *p, size_t n, uint64_t at, struct fault *f);

#endif
