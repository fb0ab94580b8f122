/* scope: where on a machine something runs, as small numbers: a thread, a process, a rank. */
#ifndef SCOPE_H
#define SCOPE_H

#include "record/value_ids.h"

enum scope_level { SCOPE_THREAD, SCOPE_PROCESS, SCOPE_ANY, SCOPE_N };

/* The JSON texts of a place's members, p == NULL for those it does not have: which is a value like others. */
struct scope_place {
	struct str rank, pid, tid;
};

/* Zero-initialise; scopes_free() or keep it. */
struct scopes {
	size_t n;            /* scopes are numbered 0 .. n-1 in the order they came */
	/* its own */
	struct value_ids values;  /* of any member */
	struct map texts;    /* places as written */
	size_t *of_text;     /* their numbers */
	size_t cap;
	struct map places;   /* places as numbers of values */
	struct buf text;
};

/*
 * The number of a place's thread (rank, pid and tid), process (rank and pid) or rank, added when it is
 * new. `family` sets apart what shall not meet although the place is the same.
 */
size_t scopes_put(struct scopes *s, unsigned char family, enum scope_level level, const struct scope_place *place);

void scopes_free(struct scopes *s);

#endif
