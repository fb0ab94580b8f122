/* kept_args: the members of args that --keep-args selects in records that are otherwise written without args. */
#ifndef KEPT_ARGS_H
#define KEPT_ARGS_H

#include "base/map.h"
#include "record/event.h"

/* Zero-initialise; kept_args_free(). Without names, no member is selected. */
struct kept_args {
	struct map names; /* the decoded names */
	/* private */
	uint64_t lengths; /* bit n % 64 is set if a name has n bytes */
};

/* The memory of kept_args_apply(). Zero-initialise; kept_args_memory_free(). */
struct kept_args_memory {
	struct buf text; /* a copy of args, padded for json/iter */
	struct buf kept; /* the object of the selected members */
	struct buf key;  /* a decoded key */
};

/*
 * Adds the names of a list: "a,b". A name that contains a comma can be in double quotes, as a JSON string, or the comma
 * can be written as "\,". Ends the program with a message that names the option when a name is empty or has a faulty
 * quote.
 */
void kept_args_add(struct kept_args *k, const char *option, const char *list);

/* Returns whether this is one of the names; `name` is decoded. */
static inline bool kept_args_has(const struct kept_args *k, struct str name)
{
	return k->lengths >> (name.n & 63) & 1 && map_find(&k->names, name) != MAP_NONE;
}

/*
 * Removes all members of args that are not selected, and src. If no member is left, removes args too. Selected members
 * stay in their order and are written verbatim. `cut`: it is known that args has no other members. The new args are in
 * *m, and valid until the next call with it.
 */
void kept_args_apply(const struct kept_args *k, struct kept_args_memory *m, bool cut, struct event *e);

void kept_args_free(struct kept_args *k);
void kept_args_memory_free(struct kept_args_memory *m);

#endif
