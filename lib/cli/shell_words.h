/* shell_words: writes words of a command line as a shell reads them, for messages that show a command. */
#ifndef SHELL_WORDS_H
#define SHELL_WORDS_H

#include "base/mem.h"

/* Appends a space and the word for each of the words up to `end`, quoted where necessary. */
void shell_words_add(struct buf *b, char *const *words, char *const *end);

#endif
