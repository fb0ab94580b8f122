/* markdown_text: writes texts of a report as GitHub Flavored Markdown, in which nothing from a trace is markup. */
#ifndef MARKDOWN_TEXT_H
#define MARKDOWN_TEXT_H

#include "base/mem.h"
#include "report_pieces.h"

/*
 * Appends plain text. Characters with a meaning in Markdown are escaped, also those that have it only at the beginning
 * of a line. Hidden characters become visible (base/escape), as in all functions below.
 */
void markdown_text_put(struct buf *to, struct str text);

/*
 * Appends a name as a code span. With `cell`, it is in a table, where the characters | must be escaped. An empty name
 * is written as "".
 */
void markdown_text_name(struct buf *to, struct str name, bool cell);

/* Appends a text with its placeholders expanded. `cell`: see markdown_text_name(). */
void markdown_text_expand(struct buf *to, const struct report_record *record, struct str text, bool cell);

/* Appends the text of a cell; nothing for an absent value. */
void markdown_text_cell(struct buf *to, const struct report_unit *unit, const struct value *v);

#endif
