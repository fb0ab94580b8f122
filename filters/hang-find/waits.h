/* waits: which ranks wait for which, and which ranks did not come to the collectives that the others wait in. */
#ifndef WAITS_H
#define WAITS_H

#include "dumps.h"

/*
 * The definitions. A member of a group came to all collectives up to the last number that it enqueued: from pg_status
 * if this counts the group's collectives, otherwise from its open entries. A rank misses a collective that is open on
 * another member and to which it did not come. A rank waits in its first open entry that a rank misses, or in an
 * earlier one that is completed nowhere and some of whose members have no dump.
 */

/* The state of a rank. */
struct rank_wait {
	size_t entry;                 /* the index of the open entry in which it waits, or SIZE_MAX */
	bool absent;                  /* it waits for the members of the entry's group that have no dump */
	bool named;                   /* it did not come: somebody waits for it, and it waits for nobody */
	uint32_t root;                /* if it is named: the group in which it first missed a collective */
	size_t first_group, n_groups; /* its groups: a part of waits.groups */
};

/* Zero-initialise it; waits_free(). */
struct waits {
	const struct dumps *dumps;
	struct rank_wait *ranks; /* by dump */
	uint32_t *groups;        /* the groups of the ranks */
	size_t *order;           /* all groups, ordered by name */
	bool any_named;
	bool any_absent; /* a rank waits for members without a dump */
	int64_t *circle; /* without named ranks: ranks that wait for each other, in this order */
	size_t n_circle;
	int64_t *absent; /* the members without a dump for which all such ranks wait, or else some of them, ascending */
	size_t n_absent;
};

/* Computes everything, and sets the results in the groups of *d. */
void waits_find(struct waits *w, struct dumps *d);
void waits_free(struct waits *w);

/* Whether a member, whose dump was read, did not come to the collective with this number. */
bool waits_misses(const struct dump_group *g, const struct dump_member *m, int64_t number);

/* Whether the device of a member did not finish a collective that another member completed. */
bool waits_stopped(const struct dump_group *g, const struct dump_member *m);

/* Whether a member did not come to the first collective of its group that somebody misses. */
bool waits_behind(const struct dump_group *g, const struct dump_member *m);

/* Returns the open entry of a dump with the first number of a group that somebody misses; NULL if it has none. */
const struct dump_entry *waits_first_entry(const struct dumps *d, uint32_t dump, uint32_t group);

#endif
