/* opt_fields: options whose arguments are fields, conditions, names or members. An invalid one ends the program. */
#ifndef OPT_FIELDS_H
#define OPT_FIELDS_H

#include "record/condition.h"
#include "record/field.h"
#include "record/member_capture.h"
#include "record/label_file.h"
#include "record/name_match.h"
#include "stats/groups.h"

/* Compiles a field: see field_compile(). */
void opt_field(struct field *f, const char *option, const char *spec);

/* Exits with the message for a `spec` that field_compile() rejected. */
_Noreturn void opt_field_refused(const char *option, struct str spec, const struct fault *f);

/* Zero-initialise. Free it with opt_fields_free(), or keep it until the program exits. */
struct opt_fields {
	struct field *list;
	size_t n;
	/* private */
	size_t cap;
};

/* Adds the fields of a comma-separated list, such as "comm,pid,tid". A comma in a name is written as "\,". */
void opt_fields_add(struct opt_fields *f, const char *option, const char *list);
void opt_fields_free(struct opt_fields *f);

/* Adds the fields of a list as keys: see groups_add_key(). */
void opt_group_keys(struct groups *g, const char *option, const char *list);

/* Adds a condition: see conditions_add(). `text` must remain valid. */
void opt_condition(struct conditions *c, const char *option, const char *text);

/* Adds a rule to *m: see name_match_regex(). */
void opt_name_regex(struct name_match *m, const char *option, const char *regex);

/*
 * Reads a file of labels, and ends the program with a message that names FILE:LINE if it cannot be read or a line is
 * not valid. `add` and `arg` as in struct label_file.
 */
void opt_label_file(
    const char *path, struct name_match *names, const char *(*add)(void *arg, struct str label), void *arg);

/* Exits with the message for a regular expression that name_match_compile() or name_match_regex() rejected. */
_Noreturn void opt_regex_refused(const char *option, const char *regex, const struct fault *f);

/* Returns the member of that name: see member_capture_member(). */
enum event_member opt_member(const char *option, struct str name);

/* Parses NAME=REGEX and returns a capture for it; `arg` must remain valid. */
struct member_capture *opt_member_capture(const char *option, const char *arg);

#endif
