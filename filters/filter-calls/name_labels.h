/* name_labels: a label for each name, from a file of regular expressions: --label FIELD=FILE. */
#ifndef NAME_LABELS_H
#define NAME_LABELS_H

#include "record/event.h"

/*
 * Reads FIELD=FILE. A line of the file is REGEX<tab>LABEL; blank lines and those that begin with '#'
 * are passed over. `fold`: letter case does not count. Ends the program, naming FILE:LINE, when a line
 * is not that, and when FIELD is a standard member, which labels would falsify.
 */
struct name_labels *name_labels_option(const char *option, const char *spec, bool fold);
void name_labels_free(struct name_labels *l);

/*
 * The record's text with the label of the first expression that matches e's name: in place of the
 * member FIELD when there is one, else before args. `record` itself when none matches. `record` is
 * e->raw, or what another label made of it, with SCAN_PAD readable bytes behind it, as the result has,
 * which is good until the next call.
 */
struct str name_labels_put(struct name_labels *l, struct event *e, struct str record);

#endif
