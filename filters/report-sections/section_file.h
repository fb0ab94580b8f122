/*
 * section_file: reads a file that describes sections of a report: blocks of lines. A line is a key and a text; lines
 * that begin with a tab continue it. Blank lines and lines that begin with # are skipped.
 */
#ifndef SECTION_FILE_H
#define SECTION_FILE_H

#include "base/str.h"

struct section_line {
	struct str key, text;
};

struct section_block {
	/* The first block of a file has no kind: its lines are about the file. */
	enum section_kind {
		SECTION_HEAD,
		SECTION_ASK,
		SECTION_SECTION,
		SECTION_MARKS,
		SECTION_FIGURE,
		SECTION_FINDING,
		SECTION_CLAIM,
		SECTION_VERDICT,
		SECTION_FACTS,
	} kind;
	struct str id, from; /* from: the words after the id */
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

/* Reads a file. Exits when it cannot be read, or a line has an unknown key. */
void section_file_read(struct section_file *f, const char *path);
void section_file_free(struct section_file *f);

/* Returns the text of the first line with this key; p is NULL if the block has none. */
struct str section_text(const struct section_block *b, const char *key);

/* Returns the next word of *rest, which is a list separated by blanks; the word after the last one is empty. */
struct str section_word(struct str *rest);

#endif
