/* draft: fills the texts of the record that a reader is making. */
#ifndef DRAFT_H
#define DRAFT_H

#include "format.h"

/* Begins a record of a kind: clears *e and the texts, and opens args. */
void draft_begin(const struct reader *r, struct event *e, enum event_kind kind);

/* Sets the name, which may contain any bytes. */
void draft_name(struct draft *d, struct str name);

/* Sets a member to a number. */
static inline void draft_int(struct draft *d, struct event *e, enum event_member m, int64_t v)
{
	event_set(e, m, num_str_i64(d->numbers[m].text, v));
}

/* Adds the name, the attachments and the args to the record. Returns whether its kind is selected. */
bool draft_end(const struct reader *r, struct event *e);

/*
 * Makes a record of text that does not belong to the format (--keep-text); without this option, counts the line as a
 * note. Returns whether *e is a record that is selected. The format's memory must be a struct format_log.
 */
bool draft_text(struct reader *r, const struct line *line, struct str text, const char *note, struct event *e);

#endif
