/* shell_words: words of a command line as a shell reads them, for messages that show a command. */
#ifndef SHELL_WORDS_H
#define SHELL_WORDS_H

#include "base/mem.h"

/* Adds a space and each of the words up to `end`, in quotes where they need them. */
void shell_words_add(struct buf *b, char *const *words, char *const *end);

#endif
