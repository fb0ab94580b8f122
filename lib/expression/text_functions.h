/*
 * text_functions: the functions of expressions that take texts and arrays apart, and that format numbers.
 *
 * Operands are neither ABSENT nor FAILED. `room` are TEXT_ROOMS scratch texts; a text in the result is valid until they
 * are used again.
 */
#ifndef TEXT_FUNCTIONS_H
#define TEXT_FUNCTIONS_H

#include "expression/result.h"

#include <regex.h>

/* Maximum bytes of a text that expressions make. A build for fuzzing has a low limit, so that every run is fast. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { TEXT_MOST = 64 << 10 };
#else
enum { TEXT_MOST = 64 << 20 };
#endif
enum { TEXT_ROOMS = 3 };

/* Returns the part of a text that the group of the regular expression matches; ABSENT when there is no match. */
struct result text_capture(const regex_t *regex, const struct result *a, struct buf *room);
/* Returns the text with `with` in place of the first match; the unchanged text when there is no match. */
struct result text_substitute(
    const regex_t *regex, const struct result *a, const struct result *with, struct buf *room);
/* Returns the number with exactly `n` decimals; a half is rounded away from zero. */
struct result text_fixed(const struct result *a, const struct result *n, struct buf *room);
/* Returns the element with this index, from 0; negative indexes count from the end: -1 is the last element. */
struct result text_item(const struct result *a, const struct result *index);
/* Returns the elements of an array as one text, with `separator` between them. */
struct result text_join(const struct result *a, const struct result *separator, struct buf *room);
/* Returns the text with blanks before it, so that it has at least `width` characters. */
struct result text_pad(const struct result *a, const struct result *width, struct buf *room);
/* Returns `times` copies of the text. */
struct result text_repeat(const struct result *a, const struct result *times, struct buf *room);
/*
 * For an array, returns a copy without the elements that are empty arrays, at any level. Returns any other value
 * unchanged.
 */
struct result text_compact(const struct result *a, struct buf *room);
/*
 * Returns the value whose JSON a text contains, without needless escapes in its keys; ABSENT if the text is not JSON.
 * Returns other values unchanged.
 */
struct result text_parse_json(const struct result *a, struct buf *room);
/* Returns the sum of the elements of an array, which must be numbers; nulls are left out. */
struct result text_sum(const struct result *a);

#endif
