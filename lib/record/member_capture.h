/* member_capture: members that users name on the command line: NAME=VALUE, and NAME=REGEX that finds one in a text. */
#ifndef MEMBER_CAPTURE_H
#define MEMBER_CAPTURE_H

#include "record/event.h"

struct capture;

/* NAME=REGEX, an extended regular expression with one group; ends the program when it is not. */
struct capture *member_capture_open(const char *option, const char *arg);

/*
 * The JSON text of what the group matched, appended to `to`: a number where it reads as one, zeros before it
 * or not. False: no match.
 */
bool member_capture_match(const struct capture *c, const char *text, struct buf *to);
struct str member_capture_name(const struct capture *c);
void member_capture_free(struct capture *c);

/*
 * The standard member of that name, EVENT_N for an attachment. Ends the program when a name cannot be given
 * to a record so: ts, dur, kind, args, src, or one with a quote, a backslash or a control character.
 */
enum event_member member_capture_member(const char *option, struct str name);

/* VALUE as JSON text, appended: a number, true, false and null as they are, all else as a string. */
void member_capture_value(struct buf *to, struct str value);

#endif
