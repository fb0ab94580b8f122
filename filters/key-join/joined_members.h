/* joined_members: the members of a record that are added to others; a row is their text. */
#ifndef JOINED_MEMBERS_H
#define JOINED_MEMBERS_H

#include "record/field.h"
#include "record/member_edit.h"

/* Zero-initialise, then call joined_members_take() for each member to take; joined_members_free(). */
struct joined_members {
	struct map names; /* the names in rows, as keys are written in records */
	struct joined_take {
		struct field *field; /* has one value in a record */
		size_t name;         /* number in `names` */
		enum event_member member;
	} * takes;
	size_t n_takes;
	uint64_t unfit; /* number of values that are in no row, because they do not fit the standard member */
	uint32_t skip;  /* standard members that are in no row if nothing is taken, as bits 1u << member */
	/* private */
	size_t takes_cap;
	struct buf row;
	/* The members of the last record by their index: those of the next record are mostly the same. */
	struct joined_column {
		struct str key;
		size_t name; /* its number in `names`, SIZE_MAX if it is in no row */
	} columns[EVENT_LISTED];
};

/* Takes the value of a field as the member `name`; the caller owns the field. */
void joined_members_take(struct joined_members *j, struct str name, struct field *field);
void joined_members_free(struct joined_members *j);

/* Returns the row of a record that was checked completely: the members to take, or all; valid until the next call. */
struct str joined_members_row(struct joined_members *j, struct event *e);

/* Adds all names to an empty list of edits; to be called after the last row was made. */
void joined_members_edits(const struct joined_members *j, struct member_edits *edits);

/*
 * Writes a record with the members of a row. Members of joined_members_take() replace those of the record; others are
 * added only if it does not have them. `edits` is joined_members_edits() after member_edits_find() of the record.
 */
void joined_members_write(
    const struct joined_members *j, struct member_edits *edits, struct str row, struct out *o, const struct event *e);

#endif
