/* label_file: reads a file of labels for names. Each line is REGEX<tab>LABEL. */
#ifndef LABEL_FILE_H
#define LABEL_FILE_H

#include "record/name_match.h"

/*
 * `add` is called for each line, after its expression was added to *names, with the label, which is not empty and valid
 * during the call. It returns NULL, or what is wrong with the label. `last`: a line with this text ends the rules, and
 * sets `ended`; NULL if there is no such line.
 */
struct label_file {
	struct name_match *names;
	const char *(*add)(void *arg, struct str label);
	void *arg;
	const char *last;
	bool ended;
	struct str line; /* during the call of `add`: the whole line */
};

/*
 * Adds the lines of a file or of a text. Blank lines and lines that begin with '#' are skipped. Returns false and sets
 * *f, with the number of the line, if the file cannot be read or a line is not valid.
 */
bool label_file_read(struct label_file *l, const char *path, struct fault *f);
bool label_file_text(struct label_file *l, struct str text, struct fault *f);

#endif
