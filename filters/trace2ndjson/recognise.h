/* recognise: which of the formats a file is of. */
#ifndef RECOGNISE_H
#define RECOGNISE_H

#include "trace2ndjson/formats/format.h"

/* -F NAME; ends the program when there is none of that name. */
const struct format *recognise_option(const char *arg);

/* The names and what they are, one a line. */
void recognise_list(struct out *o);

/* The first format that says yes to the first bytes of a file, NULL when none does. */
const struct format *recognise_head(struct str head);

/* How many bytes of a byte order mark the text begins with. */
size_t recognise_mark(struct str head);

/* What to tell of content that is of none: static text. */
const char *recognise_guess(struct str head);

#endif
