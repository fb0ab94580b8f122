/* work_type: classifies device work by its name: computation, communication, memory operations or other. */
#ifndef WORK_TYPE_H
#define WORK_TYPE_H

#include "record/event.h"
#include "record/name_match.h"

/* The types; 1u << type is the bit of a type in sets of types that run at the same time. */
enum work_type { WORK_COMPUTE, WORK_COMM, WORK_MEMORY, WORK_OTHER, WORK_N };

/* Zero-initialise it, then call work_types_init(). */
struct work_types {
	struct name_match rules;
};

/*
 * regex[type] is an expression that matches the names of this type; NULL selects the default rule, which is that of
 * Holistic Trace Analysis (get_kernel_type). WORK_COMPUTE has no rule: it is the type of names that no rule matches.
 * Returns WORK_N, or the type whose expression is invalid, with f->what set.
 */
enum work_type work_types_init(struct work_types *w, const char *const regex[WORK_N], struct fault *f);
void work_types_free(struct work_types *w);

/*
 * Returns the type of a device record: memory for memcpy and memset, other for waits; for kernels, the type of the
 * first rule that matches the name, in the order of enum work_type.
 */
enum work_type work_types_of(struct work_types *w, enum event_kind kind, struct event *e);

/* Returns "COMPUTATION", "COMMUNICATION", "MEMORY" or "OTHER". */
const char *work_type_name(enum work_type type);

#endif
