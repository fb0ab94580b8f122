/*
 * assignments: NAME=EXPR, --explode NAME=FIELD, --prev NAME=FIELD, --first NAME=FIELD, --latest NAME=FIELD and
 * --cumulate NAME=EXPR, in the order in which they are evaluated.
 */
#ifndef ASSIGNMENTS_H
#define ASSIGNMENTS_H

#include "expression/expression.h"
#include "expression/running_sums.h"
#include "record/input.h"
#include "record/member_edit.h"
#include "stats/groups.h"

enum assignment_kind {
	ASSIGNMENT_ELEMENT, /* --explode; at most one */
	ASSIGNMENT_PREVIOUS,
	ASSIGNMENT_FIRST,
	ASSIGNMENT_LATEST,
	ASSIGNMENT_EXPRESSION,
	ASSIGNMENT_SUM,
};

/* Zero-initialise; assignments_free(). */
struct assignments {
	struct expression_scope scope;
	struct member_edits edits; /* one edit for each name in scope; the indexes are the same */
	struct groups groups;      /* groups of records with equal keys (-g) */
	struct assignment {
		enum assignment_kind kind;
		size_t name;                   /* index in `scope` of the assigned name */
		struct expression *expression; /* NULL if the assignment has a field */
		struct field field;
		size_t stored;        /* index of the value that is stored for each group */
		struct value current; /* the field in the current record */
	} * list;
	size_t n;
	/* private */
	size_t cap;
	struct result element; /* the current element of the array */
	/* for each group: n_stored values, for the next record of the group */
	union assignment_stored {
		struct buf json;        /* --prev, --first and --latest */
		struct running_sum sum; /* --cumulate */
	} * stored;
	size_t n_stored, n_groups, stored_cap;
	struct assignments_member {        /* of each name in scope */
		bool dropped;              /* --drop */
		bool listed;               /* --keep or --drop */
		bool found;                /* a record has the member, or it is assigned */
		char *messages[FAILURE_N]; /* the message for each failure, NULL until it is needed */
	} * members;
};

/*
 * Returns whether an operand is an assignment: it has a '=' outside double quotes, and no '/' outside double quotes
 * before the '='. Therefore ./a=b is a file.
 */
bool assignments_is_one(const char *operand);

/*
 * Compiles an assignment, which may refer to the names of earlier assignments. Returns false and sets f->what and
 * f->at.byte (an offset in text) when it is invalid.
 */
bool assignments_add(struct assignments *a, enum assignment_kind kind, const char *text, struct fault *f);

/*
 * --drop removes a member from the output; expressions can use it. --keep removes all members except those of --keep
 * and those that are assigned. To be called after assignments_add().
 */
bool assignments_list(struct assignments *a, struct str name, bool drop, struct fault *f);

/* Returns the next member of --keep and --drop that no record had, or p == NULL. Begin with *i = 0. */
struct str assignments_absent(const struct assignments *a, size_t *i);
void assignments_free(struct assignments *a);

/* Reads and checks everything that assignments_write() uses. */
void assignments_read(struct assignments *a, struct event *e);

/*
 * Writes the record with its new members; with --explode, once for each element of the array. If a value cannot be
 * computed or does not fit its member, writes the record unchanged and counts it as lost.
 */
void assignments_write(struct assignments *a, struct input *in, struct event *e);

#endif
