/* tty: the abilities of the terminal on standard output: its width, character set and colors. */
#ifndef TTY_H
#define TTY_H

#include <stdbool.h>

/*
 * Returns the number of columns: that of the terminal (80 if it does not report it); if standard output is not a
 * terminal, the value of TRACEFILTERS_COLUMNS, which scripts set when they store a table in a file before they print
 * it; 0 if the variable is not set.
 */
int tty_width(void);

/*
 * Returns true if the first of TRACEFILTERS_CHARSET, LC_ALL, LC_CTYPE and LANG that is set and not empty contains
 * "UTF-8" or "utf8" in any case. Otherwise, or if none is set, only ASCII characters can be shown. No program sets a
 * locale, so its name decides.
 */
bool tty_is_utf8(void);

/*
 * Returns the number of colors that programs use on standard output: 256 or 16, or 0 if it is not a terminal, if
 * NO_COLOR is set and not empty, or if TERM is not set or is "dumb".
 */
int tty_colors(void);

#endif
