/*
 * unit_search: finds the kind of the records. If the names of members contain units that the names of fields lack,
 * makes the fields refer to these members.
 */
#ifndef UNIT_SEARCH_H
#define UNIT_SEARCH_H

#include "record/field.h"
#include "table/source_kind.h"

/*
 * Zero-initialise. First call unit_search_field() for each field. Then call unit_search_look() for the first records,
 * before any value of these fields is read.
 */
struct unit_search {
	struct source_kind source;
	struct buf kind; /* the kind of the record that decided `source`, as JSON */
	bool known;      /* `source` is final: it does not depend on further records */
	/* private */
	struct field **unseen; /* the fields that were in no record so far */
	size_t n_unseen, cap;
	struct map renamed; /* references to members whose names contain a unit */
};

/* Adds a field. The caller owns it, and it must not move. */
void unit_search_field(struct unit_search *u, struct field *f);

/* Ends the search for a field: from now on, only its own name is found. */
void unit_search_drop(struct unit_search *u, const struct field *f);

/*
 * Examines one record. If one of our programs wrote the records, and a field was in no record so far, but the name of a
 * member differs from it only in the unit (dur_us_sum for dur_sum), the field refers to that member from now on.
 */
void unit_search_look(struct unit_search *u, struct event *e);

/* Returns whether no more records are needed. */
bool unit_search_is_done(const struct unit_search *u);

void unit_search_free(struct unit_search *u);

#endif
