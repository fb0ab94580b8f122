/* recognise: which of the formats a file is of. */
#ifndef RECOGNISE_H
#define RECOGNISE_H

#include "trace2ndjson/formats/format.h"

#define FORMAT(id) RECOGNISE_##id,
enum recognise_format {
#include "trace2ndjson/formats/formats.def"
	RECOGNISE_N
};
#undef FORMAT

/* The formats, and their names with NULL after the last, by number. */
extern const struct format *const recognise_formats[RECOGNISE_N];
extern const char *const recognise_names[];

/* The names and what they are, one a line. */
void recognise_list(struct out *o);

/* The first format that says yes to the first bytes of a file, RECOGNISE_N when none does. */
enum recognise_format recognise_head(struct str head);

/* How many bytes of a byte order mark the text begins with. */
size_t recognise_mark(struct str head);

/* What to tell of content that is of none: static text. */
const char *recognise_guess(struct str head);

#endif
