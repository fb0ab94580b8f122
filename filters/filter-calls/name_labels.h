/* name_labels: adds a label to records by name, from a file of regular expressions: --label FIELD=FILE. */
#ifndef NAME_LABELS_H
#define NAME_LABELS_H

#include "record/event.h"

/*
 * Reads FIELD=FILE; see label_file_read(). `fold`: ignore letter case. Ends the program when FIELD is a standard
 * member, because a label would replace its real value.
 */
struct name_labels *name_labels_option(const char *option, const char *spec, bool fold);
void name_labels_free(struct name_labels *l);

/*
 * Returns the record with the label of the first expression that matches e's name, in the member FIELD, or `record`
 * itself when no expression matches. `record` is e->raw or the result for another label. The result is valid until the
 * next call; SCAN_PAD readable bytes follow it.
 */
struct str name_labels_put(struct name_labels *l, struct event *e, struct str record);

#endif
