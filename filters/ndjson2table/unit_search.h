/* unit_search: finds the kind of the records, and the members that fields refer to if their names contain a unit. */
#ifndef UNIT_SEARCH_H
#define UNIT_SEARCH_H

#include "record/field.h"
#include "table/report_kind.h"

/* Zero-initialise; add the fields; then look at the first records, before any value is taken from them. */
struct unit_search {
	struct report_source source;
	struct buf kind; /* the kind of the last record, as JSON */
	bool known;      /* `source` does not change any more */
	/* private */
	struct field **unseen; /* the fields that no record had so far */
	size_t n_unseen, cap;
	struct map renamed; /* references to members whose names contain a unit */
};

/* Adds a field. The caller owns it, and it must not move. */
void unit_search_field(struct unit_search *u, struct field *f);

/*
 * Looks at a record. If one of our programs wrote the records, and a record has no member with the name of a field, but
 * one whose name differs only in the unit, such as dur_us_sum for dur_sum, the field now refers to that member.
 */
void unit_search_look(struct unit_search *u, struct event *e);

/* Returns whether more records can change nothing. */
bool unit_search_is_done(const struct unit_search *u);

void unit_search_free(struct unit_search *u);

#endif
