/* name_match: which of a list of names and regular expressions a name matches, decided once per distinct name. */
#ifndef NAME_MATCH_H
#define NAME_MATCH_H

#include "base/fault.h"
#include "base/map.h"
#include "base/mem.h"

#include <regex.h>

struct name_match_rule;

/*
 * Zero-initialise, set `fold` if letter case shall not count (that of ASCII: text is bytes, there is
 * no locale), then add rules. Answers are remembered, up to NAME_MATCH_KEEP bytes of names: past that all
 * of them are forgotten, so that a stream in which no name comes twice takes no more memory.
 */
struct name_match {
	bool fold;
	size_t n; /* rules */
	/* private */
	struct name_match_rule *rules;
	size_t cap;
	struct map seen;
	size_t *answers, answers_cap; /* by number of the name in `seen` */
	size_t kept;                  /* what `seen` takes, about */
	struct buf text;              /* of the name being decided */
};

enum { NAME_MATCH_KEEP = 2 << 20 };
#define NAME_MATCH_NONE ((size_t)-1)

/* Adds a rule that only this name matches; `name` is copied. */
void name_match_name(struct name_match *m, struct str name);

/*
 * regcomp() of an extended regular expression (POSIX), `flags` beside REG_EXTENDED: false when it is none, or when it
 * has the \d of other languages, which here would be the letter. f->what says why.
 */
bool name_match_compile(regex_t *compiled, const char *regex, int flags, struct fault *f);

/*
 * Adds an extended regular expression (POSIX), which matches anywhere in a name. False when it is
 * none: f->what says why.
 */
bool name_match_regex(struct name_match *m, const char *regex, struct fault *f);

/*
 * The number of the first rule (from 0, as added) that a value matches, NAME_MATCH_NONE when none does.
 * `json` is its JSON text: a string is what it says, anything else as it stands; p == NULL, an absent
 * member, matches nothing.
 */
size_t name_match_first(struct name_match *m, struct str json);

void name_match_free(struct name_match *m);

#endif
