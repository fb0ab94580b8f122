/* colors: the colors of output for a terminal. */
#ifndef COLORS_H
#define COLORS_H

/*
 * Returns the number of colors that programs use on standard output: 256 or 16, or 0 if it is not a terminal, if
 * NO_COLOR is set and not empty, or if TERM is not set or is "dumb".
 */
int colors_of_stdout(void);

#endif
