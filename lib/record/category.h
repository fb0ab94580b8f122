/* category: maps the categories and phases of Chrome Trace Events to kinds, and kinds to categories. */
#ifndef CATEGORY_H
#define CATEGORY_H

#include "record/event.h"

/* Returns the kind of events of category `cat` (JSON text). Returns KIND_N when no kind is known for it. */
enum event_kind category_kind(struct str cat);

/* Returns the kind of events of phase `ph`. Returns KIND_N when their kind depends on their category. */
enum event_kind category_of_phase(char ph);

/* Returns the kind of an event from its phase, category and pid; p is NULL for an absent category or pid. */
enum event_kind category_event_kind(char ph, struct str cat, struct str pid);

/* Whether members of records of this kind are in the args of an event: correlation, stream, bytes, Python id. */
static inline bool category_has_args(enum event_kind kind)
{
	return event_kind_is_device(kind) || kind == KIND_API || kind == KIND_PYTHON;
}

/* Returns a category of this kind as JSON text. In the result, p is NULL when no category has this kind. */
struct str category_of(enum event_kind kind);

#endif
