/*
 * joined_members: the members of a record that are added to others; a row is their text, each preceded by a comma:
 * ,"class":"matrix product","flops":8000.
 */
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
	struct buf row, others, quoted, room;
	uint32_t standard; /* the standard members in rows, as bits 1u << member */
	uint64_t seen;     /* the names in the row, as bits 1 << number % 64 */
	bool twice;        /* a row may have a member twice: the last one counts */
	/* The members of the last record by their index: those of the next record are mostly the same. */
	struct joined_column {
		struct str key;
		size_t name; /* its number in `names`, SIZE_MAX if it is in no row */
		enum event_member member;
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
 * Returns the offset in a record where all members of any row that it does not have can be inserted, after the last row
 * was made; most records have such a place. Returns 0 if joined_members_write() is needed. Reads the record like
 * event_walk(). joined_members_insert() writes the record, or a copy, with the members of a row inserted there.
 */
size_t joined_members_place(const struct joined_members *j, struct event *e);
void joined_members_insert(struct str row, size_t place, struct out *o, const struct event *e);

/*
 * Writes a record with the members of a row. Members of joined_members_take() replace those of the record; others are
 * added only if it does not have them. `edits` is joined_members_edits() after member_edits_find() of the record;
 * SCAN_PAD readable bytes follow the row.
 */
void joined_members_write(
    struct joined_members *j, struct member_edits *edits, struct str row, struct out *o, const struct event *e);

#endif
