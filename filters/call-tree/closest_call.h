/*
 * closest_call: for --closest, decides which calls are searched for, and writes the members that a record gets from the
 * innermost of them among itself and its ancestors.
 */
#ifndef CLOSEST_CALL_H
#define CLOSEST_CALL_H

#include "record/event_kind.h"
#include "record/field.h"
#include "record/name_match.h"

#define CLOSEST_CALL_NONE SIZE_MAX

/* Zero-initialise, and set depth. Free it with closest_call_free(). */
struct closest_call {
	uint32_t kinds;          /* kinds of the calls that are searched for, as bits; 0: nothing is searched for */
	uint64_t depth;          /* maximum depth of these calls */
	struct name_match names; /* their names; all names if names.n is 0 */
	const char *as;          /* name of the first member, "closest" if NULL */
	struct closest_call_field {
		char *name;
		struct field field;
	} * taken; /* the members that are copied from the call */
	size_t n;
	/* private */
	size_t cap;
	struct buf keys[3];
};

/* Handles the option --take NAME=FIELD; ends the program if the argument is invalid. */
void closest_call_take(struct closest_call *c, const char *option, const char *arg);

/*
 * To be called after all options: ends the program if a name is reserved or occurs twice, or if there are options for
 * --closest, but no kinds.
 */
void closest_call_check(struct closest_call *c);

/* For input.reads: reads the fields of --take. */
void closest_call_read(struct closest_call *c, struct event *e);

/* Returns whether the record is one of the calls that are searched for. */
bool closest_call_matches(struct closest_call *c, struct event *e, enum event_kind kind, uint64_t depth);

/* Appends the members from a call, with its number and depth, each preceded by a comma. */
void closest_call_write(struct closest_call *c, struct buf *b, struct event *call, uint64_t node, uint64_t depth);

/* To be called at the end: prints hints about fields of --take that no call has. */
void closest_call_hint(const struct closest_call *c);

void closest_call_free(struct closest_call *c);

#endif
