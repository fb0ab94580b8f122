/* member_capture: members that users name on the command line: NAME=VALUE, and NAME=REGEX that finds one in a text. */
#ifndef MEMBER_CAPTURE_H
#define MEMBER_CAPTURE_H

#include "base/fault.h"
#include "record/event.h"

struct member_capture;

/*
 * An extended regular expression with one group, which is the value of the member `name`; both must stay. NULL when it is
 * not one: f->what says why, and f->error is FAULT_REFUSED when it is a regular expression.
 */
struct member_capture *member_capture_new(struct str name, const char *regex, struct fault *f);

/*
 * The JSON text of what the group matched, appended to `to`: a number where it reads as one, zeros before it
 * or not. False: no match.
 */
bool member_capture_match(const struct member_capture *c, const char *text, struct buf *to);
struct str member_capture_name(const struct member_capture *c);
void member_capture_free(struct member_capture *c);

/*
 * The standard member of that name, EVENT_N for an attachment. False when a record cannot be given a member of that name:
 * ts, dur, kind, args, src, or one with a quote, a backslash or a control character. f->what follows the name.
 */
bool member_capture_member(struct str name, enum event_member *m, struct fault *f);

/* VALUE as JSON text, appended: a number, true, false and null as they are, all else as a string. */
void member_capture_value(struct buf *to, struct str value);

#endif
