/* work_type: what device work is for: computation, communication, memory or something else, by its name. */
#ifndef WORK_TYPE_H
#define WORK_TYPE_H

#include "record/event.h"
#include "record/name_match.h"

/* The types, as bits of a set 1u << type they name what runs at once. */
enum work_type { WORK_COMPUTE, WORK_COMM, WORK_MEMORY, WORK_OTHER, WORK_N };

/* Zero-initialise, set what other rules than the usual ones are wanted, then work_types_ready(). */
struct work_types {
	const char *regex[WORK_N]; /* of a type's names; that of WORK_COMPUTE is not asked: it is what is left */
	/* its own */
	struct name_match rules;
};

/* After the options; ends the program when a regular expression is none. */
void work_types_ready(struct work_types *w);

/*
 * The type of a device record: of copies and sets memory, of waits other; of kernels the first rule counts
 * that matches the name. The usual ones are those of Holistic Trace Analysis (get_kernel_type).
 */
enum work_type work_types_of(struct work_types *w, enum event_kind kind, struct event *e);

/* "COMPUTATION", "COMMUNICATION", "MEMORY", "OTHER". */
const char *work_type_name(enum work_type type);

void work_types_free(struct work_types *w);

#endif
