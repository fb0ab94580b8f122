/* name_roles: the names of operators and calls as numbers, and what each name says: an operator, a launch ... */
#ifndef NAME_ROLES_H
#define NAME_ROLES_H

#include "record/name_match.h"
#include "record/value_ids.h"

#include <stdbool.h>

/* What a name says of an operator or call; NAME_ROLE_LOOKED: this is known. */
enum name_role {
	NAME_ROLE_LOOKED = 1,
	NAME_ROLE_OPERATOR = 2, /* operators of that name are reported; else it is a module around others */
	NAME_ROLE_HIDDEN = 4,   /* calls so short that they are not counted as events below an operator */
	NAME_ROLE_LAUNCH = 8,
	NAME_ROLE_BOUND = 16,
	NAME_ROLE_CONVERSION = 32, /* aten::to: without a launch it had nothing to do */
};

/* Zero-initialise, set the rules, which are the caller's; name_roles_free() it. */
struct name_roles {
	struct name_match *launches; /* calls that launch, by name */
	struct name_match *bounds;   /* calls that bound T2, T3 and T5 as launches do */
	/* its own */
	struct value_ids ids;
	unsigned char *roles;       /* by name */
	size_t cap;
};

/* The number of a name, its JSON text. A record without a name, or whose name is not a string, has the empty name. */
uint32_t name_roles_put(struct name_roles *r, struct str json);

/* Whether the name has one of these roles: an or of enum name_role. */
static inline bool name_roles_has(const struct name_roles *r, uint32_t name, int role)
{
	return r->roles[name] & role;
}

/* The JSON text of a name. */
static inline struct str name_roles_text(const struct name_roles *r, size_t name)
{
	return value_ids_text(&r->ids, name);
}

void name_roles_free(struct name_roles *r);

#endif
