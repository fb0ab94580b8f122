/* temp_file: temporary files. They have no name, so the system deletes them even when the program is killed. */
#ifndef TEMP_FILE_H
#define TEMP_FILE_H

#include "base/fault.h"
#include "base/mem.h"

/*
 * Creates a file in TMPDIR, or in /tmp if TMPDIR is not set, and returns its descriptor, open for reading and writing.
 * Returns -1, with *f set, when the file cannot be created; the fault names the folder. The file is deleted when the
 * caller closes it.
 */
int temp_file_open(struct fault *f);

/*
 * Creates a folder, for programs that need files with names, and sets *path to its path, followed by a NUL; returns
 * false, with *f set, when it cannot be created. The caller removes the folder.
 */
bool temp_file_make_folder(struct buf *path, struct fault *f);

/* Removes a folder made by temp_file_make_folder(), and the files in it. */
void temp_file_remove_folder(const char *path);

/* These two functions write or read all n bytes at the offset `at`; on failure, they return false and set *f. */
bool temp_file_write(int fd, const void *p, size_t n, uint64_t at, struct fault *f);
bool temp_file_read(int fd, void *p, size_t n, uint64_t at, struct fault *f);

#endif
