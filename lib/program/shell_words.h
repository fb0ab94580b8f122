/* shell_words: writes the words of a command line, quoted for a shell, for messages that show a command. */
#ifndef SHELL_WORDS_H
#define SHELL_WORDS_H

#include "base/mem.h"

/* Appends the words before `end`, each preceded by a space and quoted if necessary. */
void shell_words_add(struct buf *b, char *const *words, char *const *end);

#endif
