/*
 * closest_call: decides which calls --closest searches for, and writes the members that a record gets. They are taken
 * from the innermost matching call among the record and its ancestors.
 */
#ifndef CLOSEST_CALL_H
#define CLOSEST_CALL_H

#include "program/carried_fields.h"
#include "record/name_match.h"

#define CLOSEST_CALL_NONE SIZE_MAX

/* Zero-initialise, and set depth. Free it with closest_call_free(). */
struct closest_call {
	uint32_t kinds;             /* bit k: calls of kind k match; 0: --closest is not given */
	uint64_t depth;             /* maximum depth of matching calls */
	struct name_match names;    /* names of matching calls; if names.n is 0, all names match */
	const char *as;             /* name of the first member; NULL: "closest" */
	struct carried_fields take; /* the members that --take copies from the call */
	/* private */
	struct buf keys[3]; /* names of the members NAME, NAME_node and NAME_depth, each with a NUL at its end */
};

/*
 * To be called after all options were read. Ends the program if a name is reserved or occurs twice, or if an option
 * needs --closest and --closest is not given.
 */
void closest_call_check(struct closest_call *c);

/* Registers the fields of --take. */
void closest_call_register(struct closest_call *c, struct input *in);

/* Returns whether the record matches: its kind, name and depth are those of a call that --closest searches for. */
bool closest_call_matches(struct closest_call *c, struct event *e, enum event_kind kind, uint64_t depth);

/*
 * Appends all members of the record e to b, each preceded by a comma, for event_attach_write(). `node` and `depth` are
 * those of `call`. If `call` is NULL, removes the members that an earlier call-tree has added.
 */
void closest_call_write(
    struct closest_call *c, struct buf *b, const struct event *e, struct event *call, uint64_t node, uint64_t depth);

void closest_call_free(struct closest_call *c);

#endif
