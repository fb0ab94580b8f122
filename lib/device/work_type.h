/* work_type: classifies device work by its name: computation, communication, memory operations or other. */
#ifndef WORK_TYPE_H
#define WORK_TYPE_H

#include "device/kernel_names.h"
#include "record/event.h"
#include "record/name_match.h"

/* The types; 1u << type is the bit of a type in sets of types that run at the same time. */
enum work_type { WORK_COMPUTE, WORK_COMM, WORK_MEMORY, WORK_OTHER, WORK_N };

/* Zero-initialise it, then call work_types_init(). */
struct work_types {
	struct name_match rules; /* of the user, and then the default rules for memory operations and other work */
	enum work_type types[2 * WORK_N]; /* of each rule */
	size_t n_given;                   /* number of rules of the user */
	bool comm_given;                  /* one of them is for communication */
};

/*
 * regex[type] is an expression for the names of this type, or NULL. It replaces the default rules for this
 * type: kernel_names_find() for communication, and the rules of Holistic Trace Analysis (get_kernel_type) for memory
 * operations and other work, which are for kernels of the classes KERNEL_MEMORY and KERNEL_OTHER. All other names are
 * computation.
 * Returns WORK_N, or the type whose expression is invalid, with f->what set.
 */
enum work_type work_types_init(struct work_types *w, const char *const regex[WORK_N], struct fault *f);
void work_types_free(struct work_types *w);

/* Returns the type of a device record: memory for memcpy and memset, other for waits, that of its name for a kernel. */
enum work_type work_types_of(struct work_types *w, enum event_kind kind, struct event *e);

/* Returns "COMPUTATION", "COMMUNICATION", "MEMORY" or "OTHER". */
const char *work_type_name(enum work_type type);

#endif
