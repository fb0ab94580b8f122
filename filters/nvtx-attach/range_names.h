/*
 * range_names: stores the names of ranges, and makes the members that they give to records: range, ranges and captures.
 */
#ifndef RANGE_NAMES_H
#define RANGE_NAMES_H

#include "base/map.h"
#include "program/carried_fields.h"
#include "interval/interval_index.h"

/* Afterwards, call range_names_as() and range_names_capture() for the options, and finally range_names_check(). */
struct range_names *range_names_new(void);
void range_names_free(struct range_names *n);

/*
 * These functions take the options --as NAME and --capture NAME=REGEX, and end the program when NAME is not allowed as
 * the name of an added member.
 */
void range_names_as(struct range_names *n, const char *option, const char *name);
void range_names_capture(struct range_names *n, const char *option, const char *arg);

/* The fields of --take: records get them from the innermost range. */
struct carried_fields *range_names_take(struct range_names *n);

/* Returns true if no added member can have this name: it is a standard member, or the member `api`. */
bool range_names_reserved(struct str name);

/*
 * Call it after the options, first for the names that are not of --also: sets the default name `range`, and adds the
 * names of all members to the map. Ends the program when one of them is in the map. Returns the name of the member that
 * holds the name of the innermost range.
 */
struct str range_names_check(struct range_names *n, struct map *members);

/* Reads the fields of --take from a range, for the next range_names_put(). After that, call input_valid(). */
void range_names_carry(struct range_names *n, struct event *e);

/*
 * Returns the number of a range's name and fields of --take. If the range has no name, json.p is NULL. The number is
 * valid until range_names_expire().
 */
uint32_t range_names_put(struct range_names *n, struct str json);
/* Returns whether the name with this number is `json`. */
bool range_names_is(const struct range_names *n, uint32_t number, struct str json);

/* Calls interval_index_expire(), removes the names that no range has any more, and renumbers the others. */
void range_names_expire(struct range_names *n, struct interval_index *spans, int64_t before);

/*
 * Appends to *text the members for `count` > 0 ranges, from the outermost to the innermost, each preceded by a comma:
 * see event_attach_write().
 */
void range_names_add(struct range_names *n, struct buf *text, const struct interval_index_entry *ranges, size_t count);

#endif
