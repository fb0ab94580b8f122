/* range_names: the names of ranges, and what a record gets for those round it: range, ranges and captures. */
#ifndef RANGE_NAMES_H
#define RANGE_NAMES_H

#include "record/event.h"
#include "interval/interval_index.h"

/* Options, then range_names_check(). */
struct range_names *range_names_new(void);
void range_names_free(struct range_names *n);

/* --as NAME and --capture NAME=REGEX; they end the program when the name cannot be given to a record. */
void range_names_as(struct range_names *n, const char *option, const char *name);
void range_names_capture(struct range_names *n, const char *option, const char *arg);

/* After the options: the name is `range` if there was no other; ends the program when two members have one name. */
void range_names_check(struct range_names *n);

/* The number of a range's name, p == NULL when it has none. Good until range_names_expire(). */
uint32_t range_names_put(struct range_names *n, struct str json);
/* The same for a name that need not be there; UINT32_MAX when it is not. */
uint32_t range_names_find(const struct range_names *n, struct str json);

/* interval_index_expire(), and names that no range has any more go too. Numbers change. */
void range_names_expire(struct range_names *n, struct interval_index *spans, int64_t before);

/* Writes the record with what `count` ranges, from the outermost to the innermost, say; as it is for none. */
void range_names_write(
    struct range_names *n, struct out *out, const struct event *e, const struct interval_index_entry *ranges, size_t count);

#endif
