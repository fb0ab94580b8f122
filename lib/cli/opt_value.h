/* opt_value: rows of option tables, and the values of options: each type of argument is checked and parsed here. */
#ifndef OPT_VALUE_H
#define OPT_VALUE_H

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"

/* What the argument of an option is. Rows use the macros below. */
struct opt_arg {
	enum opt_type {
		OPT_TYPE_FLAG, /* none */
		OPT_TYPE_TEXT,
		OPT_TYPE_COUNT,
		OPT_TYPE_SIZE,
		OPT_TYPE_TIME,
		OPT_TYPE_STAMP,
		OPT_TYPE_CHOICE,
		OPT_TYPE_SET,
		OPT_TYPE_RENAMED,
	} type;
	const char *name;         /* for the help */
	int64_t min;
	const char *what;         /* the words are names of this, for messages: "kind" */
	const char *const *words; /* NULL after the last */
};

#define OPT_FLAG {OPT_TYPE_FLAG, NULL, 0, NULL, NULL}
#define OPT_TEXT(name) {OPT_TYPE_TEXT, name, 0, NULL, NULL}
/* An integer of at least `min`. */
#define OPT_COUNT(name, min) {OPT_TYPE_COUNT, name, min, NULL, NULL}
/* Bytes, with an optional unit: 64MiB. */
#define OPT_SIZE(name, min) {OPT_TYPE_SIZE, name, min, NULL, NULL}
/* A duration in ns, with an optional unit: 10ms. */
#define OPT_TIME(name, min) {OPT_TYPE_TIME, name, min, NULL, NULL}
/* A point in time: as OPT_TIME, of any sign, with an optional '+' that value.text shows. */
#define OPT_STAMP(name) {OPT_TYPE_STAMP, name, INT64_MIN, NULL, NULL}
/* One of the words. */
#define OPT_CHOICE(name, what, words) {OPT_TYPE_CHOICE, name, 0, what, words}
/* Some of the words, at most 63, with commas between them. */
#define OPT_SET(name, what, words) {OPT_TYPE_SET, name, 0, what, words}

/* A former name: its use is an error whose message has the new one, and the help leaves it out. */
#define OPT_RENAMED(now) {OPT_TYPE_RENAMED, "", 0, now, NULL}

/* Where the value goes. */
struct opt_to {
	enum { OPT_TO_TAKE, OPT_TO_BOOL, OPT_TO_TEXT, OPT_TO_32, OPT_TO_64 } type;
	size_t offset;
};

/* To the function of the table. */
#define OPT_TAKE {OPT_TO_TAKE, 0}
/*
 * To a member of the struct that the table is for. A bool becomes true by a flag, and by any but the first word of a
 * choice; a text goes to a const char *; a number to an integer or enum; words of a set are added to those given before.
 */
#define OPT_TO(type, member)                                                                                           \
	{_Generic(((type *)0)->member, bool: OPT_TO_BOOL, const char *: OPT_TO_TEXT, int: OPT_TO_32,                   \
	    unsigned: OPT_TO_32, int64_t: OPT_TO_64, uint64_t: OPT_TO_64),                                             \
	    offsetof(type, member)}

/* A row of a table of options, which ends with a row of zeros. */
struct opt {
	int letter;       /* not in 1 .. 255 when there is only a long name: then any number, for the function */
	const char *name; /* long name, or NULL */
	struct opt_arg arg;
	struct opt_to to;
	const char *help; /* one line; a newline starts another */
};

static inline bool opt_has_letter(const struct opt *opt)
{
	return opt->letter > 0 && opt->letter < 256;
}

/* An option that was given. */
struct opt_value {
	const struct opt *opt;
	char option[32];  /* as messages name it: "-k", "--from" */
	const char *text; /* the argument, in argv; NULL for a flag */
	int64_t number;   /* the count, the size in bytes, the time in ns, the number of the word, or 1 << number of each */
};

/* Stores the value in the member that its row names. */
void opt_value_store(void *to, const struct opt_value *v);

/* Sets all of *v. An argument that is not of the option's type ends the program with a message that names the option. */
void opt_value_parse(struct opt_value *v, const struct opt *opt, const char *text);

/*
 * "PROG: -k: unknown kind 'kernal'; did you mean 'kernel'? (known: kernel, memcpy, ...)": ends the program.
 * `what` and `words` as in struct opt_arg.
 */
_Noreturn void opt_unknown(const char *option, const char *what, struct str got, const char *const *words);

/*
 * The next item of a list at its commas, a view of *text, which the caller frees; a comma in an item is written as "\,".
 * False after the last one. "" has one item, "a," has two.
 */
bool opt_item(const char **list, struct buf *text, struct str *item);

#endif
