/*
 * name_roles: assigns numbers to the names of operators and calls, and finds the roles of each name: operator, launch,
 * and others.
 */
#ifndef NAME_ROLES_H
#define NAME_ROLES_H

#include "record/name_match.h"
#include "record/value_ids.h"

#include <stdbool.h>

/* Roles of a name, as bits; NAME_ROLE_LOOKED: the roles of the name are known. */
enum name_role {
	NAME_ROLE_LOOKED = 1,
	/* an operator that the results contain; all other operators are modules that enclose such operators */
	NAME_ROLE_OPERATOR = 2,
	NAME_ROLE_HIDDEN = 4, /* calls so short that they are not counted as events of an operator */
	NAME_ROLE_LAUNCH = 8,
	NAME_ROLE_BOUND = 16,
	NAME_ROLE_CONVERSION = 32, /* aten::to, which converts nothing if it has no launch */
};

/* Zero-initialise and set the rules, which the caller owns; free with name_roles_free(). */
struct name_roles {
	struct name_match *launches; /* names of calls that launch */
	/* names of other calls at which T2, T3 and T5 begin or end, as they do at launches */
	struct name_match *bounds;
	/* private members */
	struct value_ids ids;
	unsigned char *roles; /* indexed by name */
	size_t cap;
};

/*
 * Returns the number of a name, given as JSON text. A record without a name, or with a name that is not a string, has
 * the empty name.
 */
uint32_t name_roles_put(struct name_roles *r, struct str json);

/* Returns true if the name has any of these roles, which are bits of enum name_role. */
static inline bool name_roles_has(const struct name_roles *r, uint32_t name, int role)
{
	return r->roles[name] & role;
}

/* Returns the JSON text of a name. */
static inline struct str name_roles_text(const struct name_roles *r, size_t name)
{
	return value_ids_text(&r->ids, name);
}

void name_roles_free(struct name_roles *r);

#endif
