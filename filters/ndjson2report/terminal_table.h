/* terminal_table: prints the short form of a section as a table. */
#ifndef TERMINAL_TABLE_H
#define TERMINAL_TABLE_H

#include "terminal.h"

/*
 * Adds a line with the brief titles, and a line for each of the first `most` rows of the section. If columns of the
 * section may be added (`sums`), a last line has the sums of all other rows. The first column takes the width that the
 * others leave; columns at the right are left out if it would be too narrow.
 */
void terminal_table_write(struct terminal *t, const struct report_section *s, size_t most);

#endif
