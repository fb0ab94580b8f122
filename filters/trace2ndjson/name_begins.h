/* name_begins: the beginnings of names that --begins selects or leaves out, for some kinds of records. */
#ifndef NAME_BEGINS_H
#define NAME_BEGINS_H

#include "record/event_kind.h"

#include "base/str.h"

/* Zero-initialise; name_begins_free(). */
struct name_begins {
	uint32_t kinds; /* the kinds whose records are selected by name, as bits */
	/* private */
	struct name_begin {
		enum event_kind kind;
		struct str text;
		bool out; /* names with this beginning are not selected */
		/* the first 8 bytes of the text as a number, and a mask of these bytes: most names differ in them */
		uint64_t head, mask;
	} * list;
	size_t n, cap;
};

/*
 * Adds KIND=TEXT: of records of this kind, only those whose names begin with a text are selected, with this one or with
 * one of other calls. KIND!=TEXT: those whose names begin with this text are not selected. `given` must remain valid.
 * Exits with a message that names `option` if it has another form.
 */
void name_begins_add(struct name_begins *b, const char *option, const char *given);
void name_begins_free(struct name_begins *b);

/* Returns whether the records of a kind are selected by name. */
static inline bool name_begins_decide(const struct name_begins *b, enum event_kind kind)
{
	return b->kinds >> kind & 1;
}

/* Returns whether a record of such a kind is selected; `name` is its JSON text, or absent. */
bool name_begins_has(const struct name_begins *b, enum event_kind kind, struct str name);

/*
 * Returns false if a name, and thus its record, is certainly not selected. Readers call it to skip events without
 * parsing them. `text` begins with the quote of the name and may continue after the name. A name with escapes may be
 * selected.
 */
bool name_begins_may_have(const struct name_begins *b, enum event_kind kind, struct str text);

#endif
