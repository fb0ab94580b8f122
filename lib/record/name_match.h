/* name_match: finds the first of several names and regular expressions that a name matches; caches the results. */
#ifndef NAME_MATCH_H
#define NAME_MATCH_H

#include "base/fault.h"
#include "base/map.h"
#include "record/regex_set.h"

#include <regex.h>

struct name_match_rule;

/*
 * Zero-initialise, set `fold` to ignore letter case, then add rules. `fold` affects only ASCII letters, because text is
 * compared as bytes, without a locale. Results are cached for up to NAME_MATCH_KEEP bytes of names. When the cache is
 * full, it is emptied, so that memory stays limited even if every name in the stream is different; if few names
 * occurred twice, it is no longer used.
 */
struct name_match {
	bool fold;
	size_t n; /* number of rules */
	/* private */
	struct name_match_rule *rules;
	size_t cap, n_regex;              /* number of rules that only regexec() can match */
	struct regex_set set;             /* the other expressions */
	size_t *set_rules, set_rules_cap; /* the numbers of their rules */
	struct map seen;
	size_t *answers, answers_cap; /* answers[i] is the result for the name with the index i in `seen` */
	size_t kept, hits;            /* approximate size of `seen` in bytes; number of names that were found in it */
	bool rare;                    /* names rarely occur twice: they are no longer cached */
	struct buf text;              /* decoded text of the name being matched */
};

enum { NAME_MATCH_KEEP = 2 << 20 };
#define NAME_MATCH_NONE ((size_t)-1)

/* Adds a rule that matches only this name; `name` is copied. */
void name_match_name(struct name_match *m, struct str name);

/*
 * Calls regcomp() for a POSIX extended regular expression; `flags` are added to REG_EXTENDED. Returns false and sets
 * f->what when the expression is invalid or contains \d, which matches the letter d in POSIX, but a digit in other
 * languages.
 */
bool name_match_compile(regex_t *compiled, const char *regex, int flags, struct fault *f);

/*
 * Returns whether a compiled expression matches a text, and sets at[0] to the place of the match and at[1] to at[n - 1]
 * to those of its groups; n >= 1. The text must be followed by a NUL. It can itself contain NULs, which match a point.
 */
bool name_match_search(const regex_t *compiled, struct str text, regmatch_t *at, size_t n);

/* Adds an expression, which may match anywhere in a name. Returns false and sets f->what when it is invalid. */
bool name_match_regex(struct name_match *m, const char *regex, struct fault *f);

/*
 * Returns the number of the first rule that a value matches, or NAME_MATCH_NONE. Rules are numbered from 0 in the order
 * in which they were added. `json` is the value's JSON text: a string is decoded, any other value is matched verbatim.
 * An absent member (p == NULL) matches no rule.
 */
size_t name_match_first(struct name_match *m, struct str json);

void name_match_free(struct name_match *m);

#endif
