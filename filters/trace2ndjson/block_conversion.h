/*
 * block_conversion: converts a file in blocks, on several threads. The output, the messages and their order are those
 * of conversion_read(). The reader of the file and its state stay on the caller's thread: it reads the text before and
 * after the list of events, events that depend on others, and all text that no thread has converted from the right
 * place. A guessed beginning of a block is right if the reader, which has come to the end of the block before, is at a
 * place there.
 */
#ifndef BLOCK_CONVERSION_H
#define BLOCK_CONVERSION_H

#include "conversion.h"

/* The same as conversion_read(); uses c->threads threads if the format and the file allow this. */
void block_conversion_read(struct conversion *c, struct source *src, const char *path, enum recognise_format number);

#endif
