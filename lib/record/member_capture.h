/*
 * member_capture: members that users set on the command line. NAME=VALUE gives the value itself; with NAME=REGEX, the
 * value is the part of a text that REGEX captures.
 */
#ifndef MEMBER_CAPTURE_H
#define MEMBER_CAPTURE_H

#include "record/event.h"

struct member_capture;

/*
 * Compiles an extended regular expression with one group; the match of this group is the value of the member `name`.
 * The caller keeps both arguments valid. Returns NULL on error: f->what is the reason; f->error is FAULT_REFUSED when
 * the expression is valid, but does not have exactly one group.
 */
struct member_capture *member_capture_new(struct str name, const char *regex, struct fault *f);

/*
 * Matches `text`, which is followed by a NUL, and appends the match of the group to *to, like member_capture_value(),
 * but without the leading zeros of an integer. Returns false when there is no match.
 */
bool member_capture_match(const struct member_capture *c, struct str text, struct buf *to);
struct str member_capture_name(const struct member_capture *c);
void member_capture_free(struct member_capture *c);

/*
 * Sets *m to the standard member of that name, or to EVENT_N for any other name. Returns false when a member of
 * that name cannot be set: ts, dur, kind, args, src, or a name that is empty or contains a quote, a backslash or a
 * control character.
 */
bool member_capture_member(struct str name, enum event_member *m);

/* Appends VALUE as JSON text: a number, true, false or null verbatim, any other text as a string. */
void member_capture_value(struct buf *to, struct str value);

#endif
