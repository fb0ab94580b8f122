/* work_type: what device work is for: computation, communication, memory or something else, by its name. */
#ifndef WORK_TYPE_H
#define WORK_TYPE_H

#include "record/event.h"

/* The types, as bits of a set 1u << type they name what runs at once. */
enum work_type { WORK_COMPUTE, WORK_COMM, WORK_MEMORY, WORK_OTHER, WORK_N };

/*
 * regex[type] matches the names of a type, NULL: the usual rule; WORK_COMPUTE is what no rule matches. Ends the program
 * when one is no regular expression.
 */
struct work_types *work_types_new(const char *const regex[WORK_N]);
void work_types_free(struct work_types *w);

/*
 * The type of a device record: of copies and sets memory, of waits other; of kernels the first rule counts
 * that matches the name. The usual ones are those of Holistic Trace Analysis (get_kernel_type).
 */
enum work_type work_types_of(struct work_types *w, enum event_kind kind, struct event *e);

/* "COMPUTATION", "COMMUNICATION", "MEMORY", "OTHER". */
const char *work_type_name(enum work_type type);

#endif
