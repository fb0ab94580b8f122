/*
 * section_file: reads a file that describes a section of a report: blocks of lines. A line is a key and a text; lines
 * that begin with a tab continue it. The keys `ask`, `section`, `marks`, `figure`, `finding`, `verdict` and `facts`
 * begin a block. Blank lines and lines that begin with # are skipped.
 */
#ifndef SECTION_FILE_H
#define SECTION_FILE_H

#include "base/str.h"

struct section_line {
	struct str key, text;
};

/* The first block of a file has no kind: its lines are about the file. */
struct section_block {
	struct str kind, id, from; /* from: the names after the id */
	struct section_line *lines;
	size_t n;
	/* private */
	size_t cap;
};

/* All views point into `text`. section_file_free(). */
struct section_file {
	char *path;
	struct section_block *blocks;
	size_t n;
	/* private */
	struct buf text;
	size_t cap;
};

/* Reads a file. Exits when it cannot be read. */
void section_file_read(struct section_file *f, const char *path);
void section_file_free(struct section_file *f);

/* Returns the text of the first line with this key; p is NULL if the block has none. */
struct str section_block_text(const struct section_block *b, const char *key);
bool section_block_is(const struct section_block *b, const char *kind);

/* Sets *word to the next word of *rest, which words separated by blanks; the last word may be empty. */
struct str section_word(struct str *rest);

#endif
