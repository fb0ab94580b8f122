/*
 * default_fields: the fields without -f: dur or, if none of the first records has dur, all top-level members
 * with numbers.
 */
#ifndef DEFAULT_FIELDS_H
#define DEFAULT_FIELDS_H

#include "program/group_report.h"

/* Zero-initialise. */
struct default_fields {
	/* private */
	struct map members; /* the names of the members with numbers; empty once a record had dur */
	struct buf name;    /* scratch memory */
};

/* To be called with the first records, one by one, until it returns true: the record has dur. */
bool default_fields_note(struct default_fields *d, struct event *e);

/* Adds the fields to a report, except its keys. */
void default_fields_choose(struct default_fields *d, struct group_report *r);

void default_fields_free(struct default_fields *d);

#endif
