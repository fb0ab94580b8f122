/*
 * closest_call: decides which calls --closest searches for, and writes the members that a record gets. They are taken
 * from the innermost matching call among the record and its ancestors.
 */
#ifndef CLOSEST_CALL_H
#define CLOSEST_CALL_H

#include "record/input.h"
#include "record/name_match.h"

#define CLOSEST_CALL_NONE SIZE_MAX

/* Zero-initialise, and set depth. Free it with closest_call_free(). */
struct closest_call {
	uint32_t kinds;          /* bit k: calls of kind k match; 0: --closest is not given */
	uint64_t depth;          /* maximum depth of matching calls */
	struct name_match names; /* names of matching calls; if names.n is 0, all names match */
	const char *as;          /* name of the first member; NULL: "closest" */
	struct closest_call_field {
		char *name;
		struct field field;
	} * taken; /* n members that --take copies from the call */
	size_t n;
	/* private */
	size_t cap;
	struct buf keys[3]; /* names of the members NAME, NAME_node and NAME_depth, each with a NUL at its end */
};

/* Handles the option --take NAME=FIELD; ends the program if the argument is invalid. */
void closest_call_take(struct closest_call *c, const char *option, const char *arg);

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

/* To be called at the end of the input: prints hints about fields of --take that no record has. */
void closest_call_hint(const struct closest_call *c);

void closest_call_free(struct closest_call *c);

#endif
