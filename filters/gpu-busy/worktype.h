/* worktype: what device work is for: computation, communication, memory or something else, by its name. */
#ifndef WORKTYPE_H
#define WORKTYPE_H

#include "record/event.h"
#include "record/match.h"

/* The types, as bits of a set 1u << type they name what runs at once. */
enum worktype { WORK_COMPUTE, WORK_COMM, WORK_MEMORY, WORK_OTHER, WORK_N };

/* Zero-initialise, set what other rules than the usual ones are wanted, then worktypes_ready(). */
struct worktypes {
	const char *regex[WORK_N]; /* of a type's names; that of WORK_COMPUTE is not asked: it is what is left */
	/* its own */
	struct match rules;
};

/* After the options; ends the program when a regular expression is none. */
void worktypes_ready(struct worktypes *w);

/*
 * The type of a device record: of copies and sets memory, of waits other; of kernels the first rule counts
 * that matches the name. The usual ones are those of Holistic Trace Analysis (get_kernel_type).
 */
enum worktype worktypes_of(struct worktypes *w, enum event_kind kind, struct event *e);

/* "COMPUTATION", "COMMUNICATION", "MEMORY", "OTHER". */
const char *worktype_name(enum worktype type);

void worktypes_free(struct worktypes *w);

#endif
