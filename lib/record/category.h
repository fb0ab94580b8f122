/* category: what the categories and phases of Chrome Trace Events are as kinds, and back. */
#ifndef CATEGORY_H
#define CATEGORY_H

#include "record/event.h"

/* The kind of events of a category, JSON text; KIND_N when it is none that says one. */
enum event_kind category_kind(struct str cat);

/* The kind that a phase says whatever the category is; KIND_N when the category decides. */
enum event_kind category_of_phase(char ph);

/* A category, as JSON, that says this kind; p == NULL when none does. */
struct str category_of(enum event_kind kind);

#endif
