/* opt_value: the rows of option tables and the values of options; checks and parses every type of argument. */
#ifndef OPT_VALUE_H
#define OPT_VALUE_H

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

/* The type of an option's argument. Use the macros below to write it in a row. */
struct opt_arg {
	enum opt_type {
		OPT_TYPE_FLAG, /* no argument */
		OPT_TYPE_TEXT,
		OPT_TYPE_COUNT,
		OPT_TYPE_SIZE,
		OPT_TYPE_TIME,
		OPT_TYPE_STAMP,
		OPT_TYPE_CHOICE,
		OPT_TYPE_SET,
		OPT_TYPE_OPEN_SET,
		/* former options, which are not in the help */
		OPT_TYPE_RENAMED,
		OPT_TYPE_REPLACED,
	} type;
	const char *name; /* for the help */
	int64_t min;
	const char *now;          /* the new name of a renamed option, the command that replaces it */
	const char *const *words; /* the valid words, NULL after the last */
	bool optional; /* the argument may be absent; only for options without a letter, written as --name=T */
};

/*
 * The types of arguments. With ..._OPTIONAL, the argument may be absent; then value.text is NULL and value.number is 0.
 *
 * OPT_COUNT	an integer of at least `min`
 * OPT_SIZE	bytes, with an optional unit: 64MiB
 * OPT_TIME	a duration in ns, with an optional unit: 10ms
 * OPT_STAMP	a point in time in ns, with an optional unit; it may be negative. A '+' at its beginning stays in
 *		value.text and does not change value.number.
 * OPT_CHOICE	one word of the list `words`
 * OPT_SET	one or more words of the list `words`, separated by commas; the list has at most 63 words
 * OPT_OPEN_SET	the same; words that are not in the list, and not similar to one in it, are valid too, but have no bit
 * OPT_RENAMED	the former name of an option; `now` is its long name. It is not in the help, and its use gives a hint.
 * OPT_REPLACED	a former option that a command replaces: its use is an error. `name` is NULL if it had no argument.
 */
/* clang-format off */
#define OPT_FLAG {OPT_TYPE_FLAG, NULL, 0, NULL, NULL, false}
#define OPT_TEXT(name) {OPT_TYPE_TEXT, name, 0, NULL, NULL, false}
#define OPT_TEXT_OPTIONAL(name) {OPT_TYPE_TEXT, name, 0, NULL, NULL, true}
#define OPT_COUNT(name, min) {OPT_TYPE_COUNT, name, min, NULL, NULL, false}
#define OPT_COUNT_OPTIONAL(name, min) {OPT_TYPE_COUNT, name, min, NULL, NULL, true}
#define OPT_SIZE(name, min) {OPT_TYPE_SIZE, name, min, NULL, NULL, false}
#define OPT_TIME(name, min) {OPT_TYPE_TIME, name, min, NULL, NULL, false}
#define OPT_STAMP(name) {OPT_TYPE_STAMP, name, INT64_MIN, NULL, NULL, false}
#define OPT_STAMP_OPTIONAL(name) {OPT_TYPE_STAMP, name, INT64_MIN, NULL, NULL, true}
#define OPT_CHOICE(name, words) {OPT_TYPE_CHOICE, name, 0, NULL, words, false}
#define OPT_CHOICE_OPTIONAL(name, words) {OPT_TYPE_CHOICE, name, 0, NULL, words, true}
#define OPT_SET(name, words) {OPT_TYPE_SET, name, 0, NULL, words, false}
#define OPT_OPEN_SET(name, words) {OPT_TYPE_OPEN_SET, name, 0, NULL, words, false}
#define OPT_SET_OPTIONAL(name, words) {OPT_TYPE_SET, name, 0, NULL, words, true}
#define OPT_RENAMED(now) {OPT_TYPE_RENAMED, "", 0, now, NULL, false}
#define OPT_REPLACED(name, command) {OPT_TYPE_REPLACED, name, 0, command, NULL, false}
/* clang-format on */

/* The destination of an option's value. */
struct opt_to {
	enum { OPT_TO_TAKE, OPT_TO_BOOL, OPT_TO_TEXT, OPT_TO_32, OPT_TO_64 } type;
	size_t offset;
};

/*
 * OPT_TAKE: the value is passed to the table's function `take`. OPT_TO: it is stored in a member of the table's struct.
 * A flag sets a bool to true; a choice sets a bool to false for its first word, and to true for all others. A text is
 * stored in a const char *, a number in an integer or enum. Words of a set are added to those given before.
 */
/* clang-format off */
#define OPT_TAKE {OPT_TO_TAKE, 0}
#define OPT_TO(type, member)                                                                                           \
	{_Generic(((type *)0)->member, bool: OPT_TO_BOOL, const char *: OPT_TO_TEXT, int: OPT_TO_32,                   \
	    unsigned: OPT_TO_32, int64_t: OPT_TO_64, uint64_t: OPT_TO_64),                                             \
	    offsetof(type, member)}
/* clang-format on */

/* A row of a table of options. The table ends with a row of zeros. */
struct opt {
	int letter;       /* an option without a letter has a number outside 1 .. 255, by which `take` recognises it */
	const char *name; /* long name, or NULL */
	struct opt_arg arg;
	struct opt_to to;
	const char *help; /* the help text; it may have several lines */
};

static inline bool opt_has_letter(const struct opt *opt)
{
	return opt->letter > 0 && opt->letter < 256;
}

/* An option given on the command line. */
struct opt_value {
	const struct opt *opt;
	char option[32];  /* name of the option in messages: "-k", "--from" */
	const char *text; /* the argument, in argv; NULL for a flag, or if an optional argument is absent */
	/*
	 * Depending on the type of the argument: the count, the size in bytes, the time in ns, the index of the word,
	 * or a bit 1 << index for each given word.
	 */
	int64_t number;
};

/* Stores the value in the member of *to that the option's row names. */
void opt_value_store(void *to, const struct opt_value *v);

/* Sets all members of *v. Exits with a message that names the option when the argument is not of the option's type. */
void opt_value_parse(struct opt_value *v, const struct opt *opt, const char *text);

/* Exits with "PROG: --label: 'x': expected FIELD=FILE"; `expected` describes a valid argument. */
_Noreturn void opt_invalid(const char *option, struct str got, const char *expected);

/*
 * Exits with "PROG: --only: 'match': expected matched or unmatched; did you mean 'matched'?"; `words` are the valid
 * arguments, NULL after the last.
 */
_Noreturn void opt_unknown(const char *option, struct str got, const char *const *words);

/* Exits with "PROG: --hist and --fields cannot be used together"; `a` may be a list: "--sets, --every". */
_Noreturn void opt_excluded(const char *a, const char *b);

/* Exits with "PROG: --lead needs --sorted"; `needed` may be a list: "--from or --until". */
_Noreturn void opt_needs(const char *option, const char *needed);

/* Exits with "PROG: --name: 'ts' is a standard member; choose another name". */
_Noreturn void opt_reserved(const char *option, struct str name);

/*
 * Gets the next item of a comma-separated list, as a view of *text, which the caller frees. Spaces before an item are
 * skipped. A comma in an item is written as "\,"; in a quoted part of a field (record/field), a comma is an ordinary
 * character. Returns false after the last item. The list "" has one item, "a," has two; empty items are possible.
 */
bool opt_item(const char **list, struct buf *text, struct str *item);

#endif
