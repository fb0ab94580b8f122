/* member_edit: replaces, adds and removes top-level members of a record; all other bytes stay the same. */
#ifndef MEMBER_EDIT_H
#define MEMBER_EDIT_H

#include "record/event.h"

/*
 * The members to change. Zero-initialise; member_edits_free(). Use for each record: member_edits_find(), set `with` of
 * each item, member_edits_write().
 */
struct member_edits {
	struct member_edit {
		struct str with; /* the new value as JSON; p is NULL to remove the member */
		struct buf text; /* for the caller, to write the value to */
		/* private */
		struct buf key; /* "name": */
		enum event_member member;
		unsigned rank;      /* the place of the member in canonical order */
		struct str old;     /* the value in the record */
		const char *before; /* for a new member: the key that follows it, NULL at the end of the record */
	} *list;
	size_t n;
	/* private */
	size_t cap;
	struct member_edit **by_rank, **by_place;
	uint32_t standard; /* 1u << member of each standard member in the list */
	size_t standard_at[EVENT_N];
	bool attachments; /* a member of the list is not a standard member */
	const char *last; /* the end of the record's last member */
	bool any, twice;  /* the record has members; it has one of the list several times */
};

/* Adds a member that is not in the list; returns its number, in the order of the calls. */
size_t member_edits_add(struct member_edits *m, struct str name);
void member_edits_free(struct member_edits *m);

/* Finds the members in a record; checks it as event_walk() does, and sets e->broken when it is not JSON. */
void member_edits_find(struct member_edits *m, struct event *e);

/* Writes the record with its members changed. A new member is written at its place in canonical order. */
void member_edits_write(struct member_edits *m, struct out *o, const struct event *e);

#endif
