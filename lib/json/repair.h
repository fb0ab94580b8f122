/* repair: repairs a damaged record if exactly one interpretation is possible. */
#ifndef REPAIR_H
#define REPAIR_H

#include "base/str.h"

/* The classes of repairs; the second argument is the text for the summary on stderr. */
#define REPAIR_CLASSES(X)                                                                                              \
	X(COMMA, "trailing comma; removed")                                                                            \
	X(CONSTANT, "NaN, Infinity or N/A; replaced by null")                                                          \
	X(LITERAL, "True, False or None; replaced by true, false or null")                                             \
	X(CONTROL, "unescaped control character in a string; escaped")                                                 \
	X(BACKSLASH, "unescaped backslash in a string; escaped")                                                       \
	X(QUOTE, "unescaped quote in a string; escaped")                                                               \
	X(UTF8, "invalid UTF-8; replaced by U+FFFD")                                                                   \
	X(SURROGATE, "unpaired surrogate; replaced by U+FFFD")                                                         \
	X(NUL, "NUL byte; removed or escaped")                                                                         \
	X(BOM, "byte order mark; removed")                                                                             \
	X(DUPLICATE, "duplicate member; only the last one counts")                                                     \
	X(NUMBER, "number not valid in JSON; written as a string")                                                     \
	X(EMPTY, "member without a value; set to null or removed")                                                     \
	X(CUT, "list shortened with ...; written as a string")

#define REPAIR_ENUM(name, text) REPAIR_##name,
enum repair_class { REPAIR_CLASSES(REPAIR_ENUM) REPAIR_N };
const char *repair_text(enum repair_class c);

/*
 * Makes one valid object, which json_check() accepts, from text that json_check() rejected. Returns true when *to
 * contains the object, without white space between its tokens and followed by SCAN_PAD readable bytes; *to is cleared
 * first, and *repairs has the bit 1u << class for each class of repair. Returns false when the text cannot be repaired
 * (a truncated record, a bare word, brackets that do not match), or when several interpretations are possible; in these
 * cases the contents of *to are undefined. repair.c describes for each class how damage is interpreted.
 */
bool repair_object(struct str text, struct buf *to, uint32_t *repairs);

#endif
