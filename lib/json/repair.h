/* repair: a damaged record made whole where only one reading is left. */
#ifndef REPAIR_H
#define REPAIR_H

#include "base/mem.h"
#include "base/str.h"

/* What was repaired, by class; the second part is what the summary on stderr says. */
#define REPAIR_CLASSES(X)                                                                                              \
	X(COMMA, "trailing comma")                                                                                     \
	X(CONSTANT, "NaN, Infinity or N/A, now null")                                                                  \
	X(LITERAL, "True, False or None, now true, false or null")                                                     \
	X(CONTROL, "raw control character in a string")                                                                \
	X(BACKSLASH, "lone backslash")                                                                                 \
	X(QUOTE, "bare quote in a string")                                                                             \
	X(UTF8, "invalid UTF-8, now U+FFFD")                                                                           \
	X(SURROGATE, "lone surrogate, now U+FFFD")                                                                     \
	X(NUL, "NUL byte")                                                                                             \
	X(BOM, "byte order mark")                                                                                      \
	X(DUPLICATE, "member given twice, the last one wins")                                                          \
	X(NUMBER, "number that is not JSON's, now text")                                                               \
	X(EMPTY, "member without a value, now null or left out")                                                       \
	X(CUT, "list cut with ..., now text")

#define REPAIR_ENUM(name, text) REPAIR_##name,
enum repair_class { REPAIR_CLASSES(REPAIR_ENUM) REPAIR_N };
const char *repair_text(enum repair_class c);

/*
 * Makes one valid object out of text that json_check() refused. True: the object stands in *to
 * (cleared first) without white space between its tokens and with SCAN_PAD readable bytes behind it;
 * json_check() passes it, and *repairs has 1u << class for each class that it took. False: it cannot be
 * repaired (a record that is cut, a bare word, brackets that do not pair), or more than one reading is
 * left; *to holds nothing of use then. repair.c says class by class how damage is read.
 */
bool repair_object(struct str text, struct buf *to, uint32_t *repairs);

#endif
