/* name_labels: adds a label to records by name, from a file of regular expressions: --label FIELD=FILE. */
#ifndef NAME_LABELS_H
#define NAME_LABELS_H

#include "record/event.h"

/*
 * Reads FIELD=FILE. A line of the file is REGEX<tab>LABEL; blank lines and lines that begin with '#' are skipped.
 * `fold`: ignore letter case. Ends the program with a message that names FILE:LINE when a line is not valid. Also ends
 * the program when FIELD is a standard member, because a label would replace its real value.
 */
struct name_labels *name_labels_option(const char *option, const char *spec, bool fold);
void name_labels_free(struct name_labels *l);

/*
 * Returns the text of the record with the label of the first expression that matches e's name. The label replaces the
 * member FIELD if there is one, else it is inserted before args. Returns `record` itself when no expression matches.
 * `record` is e->raw or the result for another label, followed by SCAN_PAD readable bytes. The result is also followed
 * by SCAN_PAD readable bytes and is valid until the next call.
 */
struct str name_labels_put(struct name_labels *l, struct event *e, struct str record);

#endif
