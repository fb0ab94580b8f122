/* member_edit: replaces, adds and removes top-level members of a record; does not change other members. */
#ifndef MEMBER_EDIT_H
#define MEMBER_EDIT_H

#include "record/event.h"

/*
 * The members to change. Zero-initialise; member_edits_free(). For each record: call member_edits_find(), set `with` of
 * each item, call member_edits_write().
 */
struct member_edits {
	struct member_edit {
		struct str with; /* the new value as JSON; p is NULL to remove the member */
		struct buf text; /* space for the text of `with`, for use by the caller */
		struct str old;  /* the value in the record; p is NULL if it is absent */
		/* private */
		struct buf key; /* "name": */
		enum event_member member;
		unsigned rank;      /* the place of the member in canonical order */
		const char *before; /* a new member is inserted before this key, or at the end if this is NULL */
	} * list;
	size_t n;
	bool only; /* all members that are not in the list are removed */
	/* private */
	size_t cap;
	struct member_edit **by_place;
	uint32_t standard; /* the standard members in the list, as bits 1u << member */
	size_t standard_at[EVENT_N];
	bool attachments; /* some member in the list is not a standard member */
	/* If no member of the list is in the record, and all have the same place, this place; otherwise NULL. */
	const char *place;
	const char *last; /* the end of the record's last member */
	bool any;         /* the record has at least one member */
	bool twice;       /* a member in the list occurs several times in the record */
};

/* Adds a member that is not in the list yet; returns its index. */
size_t member_edits_add(struct member_edits *m, struct str name);
void member_edits_free(struct member_edits *m);

/* Finds the members in a record. Checks the record like event_walk(): the record is broken when it is not JSON. */
void member_edits_find(struct member_edits *m, struct event *e);

/* Adjusts the result of member_edits_find() to a copy of the record, whose text begins at `to` instead of `from`. */
void member_edits_move(struct member_edits *m, const char *from, const char *to);

/* Writes the record with the changes. A new member is inserted at its place in canonical order. */
void member_edits_write(struct member_edits *m, struct out *o, const struct event *e);

#endif
