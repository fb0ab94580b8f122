/* name_options: names and regular expressions as options take them; each ends the program with a message. */
#ifndef NAME_OPTIONS_H
#define NAME_OPTIONS_H

#include "record/member_capture.h"
#include "record/name_match.h"

/* Adds a rule as name_match_regex(). */
void name_match_option(struct name_match *m, const char *option, const char *regex);

/* The member of that name as member_capture_member(). */
enum event_member member_name_option(const char *option, struct str name);

/* NAME=REGEX, which must stay. */
struct member_capture *member_capture_option(const char *option, const char *arg);

#endif
