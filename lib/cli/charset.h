/* charset: the character set of output for a terminal. No program sets a locale, so its name decides. */
#ifndef CHARSET_H
#define CHARSET_H

#include <stdbool.h>

/*
 * Returns true if the first of TRACEFILTERS_CHARSET, LC_ALL, LC_CTYPE and LANG that is set and not empty contains
 * "UTF-8" or "utf8" in any case. Otherwise, or if none is set, only ASCII characters can be shown.
 */
bool charset_is_utf8(void);

#endif
