/* kind_selection: the kinds of -k: those of events(5), and those of records that other programs wrote. */
#ifndef KIND_SELECTION_H
#define KIND_SELECTION_H

#include "program/opt_value.h"
#include "record/event.h"
#include "record/name_match.h"

/* Zero-initialise: then all records are selected. */
struct kind_selection {
	uint32_t kinds;           /* kinds of events(5), as bits */
	struct name_match others; /* other kinds */
};

/* Adds the words of an option of type OPT_OPEN_SET. */
void kind_selection_option(struct kind_selection *k, const struct opt_value *v);

static inline bool kind_selection_given(const struct kind_selection *k)
{
	return k->kinds || k->others.n;
}

/* Returns whether a record has one of the kinds. */
bool kind_selection_holds(struct kind_selection *k, struct event *e);

void kind_selection_free(struct kind_selection *k);

#endif
