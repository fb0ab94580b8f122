/* folder: the files of a folder, which stand for it as operands. */
#ifndef FOLDER_H
#define FOLDER_H

#include <stdbool.h>

/* Returns whether the path is a folder, or a link to one. */
bool folder_is(const char *path);

/*
 * Returns a copy of a NULL-terminated list of paths in which the files of a folder replace it, in the order of their
 * names. Subfolders, devices, pipes and files whose names begin with a dot are left out. A folder that has no other
 * files, or that cannot be read, stays in the list. Free the list with folder_free().
 */
char **folder_expand(const char *const *paths);
void folder_free(char **paths);

#endif
