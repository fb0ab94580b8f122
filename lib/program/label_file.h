/* label_file: reads a file of labels for names. Each line is REGEX<tab>LABEL. */
#ifndef LABEL_FILE_H
#define LABEL_FILE_H

#include "record/name_match.h"

/*
 * Reads the file, and adds the expression of each line to *names. Then calls `add` with the label, which is not empty
 * and valid during the call; `add` returns NULL, or what is wrong with the label. Blank lines and lines that begin with
 * '#' are skipped. If the file cannot be read, or a line is not valid, ends the program with a message that names
 * FILE:LINE.
 */
void label_file_read(
    const char *path, struct name_match *names, const char *(*add)(void *arg, struct str label), void *arg);

#endif
