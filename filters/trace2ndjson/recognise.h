/* recognise: finds the format of a file. */
#ifndef RECOGNISE_H
#define RECOGNISE_H

#include "trace2ndjson/formats/format.h"

#define FORMAT(id) RECOGNISE_##id,
enum recognise_format {
#include "trace2ndjson/formats/formats.def"
	RECOGNISE_N
};
#undef FORMAT

/* The formats and their names, indexed by enum recognise_format; NULL follows the last name. */
extern const struct format *const recognise_formats[RECOGNISE_N];
extern const char *const recognise_names[];

/* Writes the names and descriptions of the formats, one per line, each followed by a line with an example. */
void recognise_list(struct out *o);

/* Returns the first format whose probe accepts the first bytes of a file; RECOGNISE_N when no probe does. */
enum recognise_format recognise_head(struct str head);

/* Returns whether the file with this path must be read before the other operands: see struct format. */
bool recognise_early(const char *path);

/* Returns the length in bytes of the byte order mark at the start of the text; 0 when the text has no mark. */
size_t recognise_mark(struct str head);

/* Returns static text: a message for content of an unknown format, with a guess of its format. */
const char *recognise_guess(struct str head);

/*
 * Prints a note if several of the paths differ only in their endings, such as HOST.xplane.pb and HOST.trace.json.gz:
 * profilers write such files side by side, and the events of their run would be counted twice. `paths` ends with NULL.
 */
void recognise_same_run(char *const *paths);

#endif
