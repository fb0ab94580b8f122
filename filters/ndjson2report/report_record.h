/*
 * report_record: one record of a report in memory: its members with decoded names and texts. Functions that take a
 * struct report_problems report members of a wrong type.
 */
#ifndef REPORT_RECORD_H
#define REPORT_RECORD_H

#include "base/diagnostics.h"
#include "json/value.h"

enum {
	REPORT_TEXT_MOST = 4096,   /* maximum length of a text in bytes; a longer text is cut */
	REPORT_MEMBERS_MOST = 256, /* maximum number of members of a record */
};

/*
 * A member. value.text is the decoded text if the value is a string, and otherwise the JSON text. null has the type
 * VALUE_NONE.
 */
struct report_member {
	struct str name;
	struct value value;
};

/* Zero-initialise. The record owns all texts of its members. */
struct report_record {
	struct report_member *members;
	size_t n;
	size_t size; /* number of bytes of memory */
};

/* A list of texts; zero-initialise. It owns the texts. */
struct report_texts {
	struct str *list;
	size_t n;
};

/* Where problems of a record are reported. */
struct report_problems {
	struct diagnostics *list;
	struct fault_location at;
};

static inline void report_lost(const struct report_problems *p, const char *what)
{
	diagnostics_add(p->list, DIAGNOSTICS_LOST, what, p->at);
}

static inline void report_warning(const struct report_problems *p, const char *what)
{
	diagnostics_add(p->list, DIAGNOSTICS_WARNING, what, p->at);
}

/*
 * Copies a JSON object, which json_check() must have accepted; SCAN_PAD bytes after the text must be readable. Texts
 * longer than REPORT_TEXT_MOST bytes are cut, and end with an ellipsis; in this case *cut is set to true. Returns
 * false, with an empty record, if the object has more than REPORT_MEMBERS_MOST members.
 */
bool report_record_copy(struct report_record *r, struct str json, bool *cut);
void report_record_free(struct report_record *r);

/* Returns the value of a member, the last one of that name. Its type is VALUE_NONE if the record does not have it. */
struct value report_record_get(const struct report_record *r, struct str name);

/* Returns the text of a member that is a string; empty for any other value. */
struct str report_record_text(const struct report_record *r, const char *name);

/* The same for a member that must be a string if the record has it. */
struct str report_member_text(const struct report_record *r, const char *name, const struct report_problems *p);

/* Returns the texts of an array; an empty list if the member is absent. */
struct report_texts report_member_texts(
    const struct report_record *r, const char *name, const struct report_problems *p);
void report_texts_free(struct report_texts *texts);

/* Returns a member that must be an integer >= 0; 0 if it is absent. */
uint64_t report_member_count(const struct report_record *r, const char *name, const struct report_problems *p);

/* Returns the index of a member's text in a list of words that ends with NULL; `absent` if it is absent or unknown. */
size_t report_member_word(const struct report_record *r, const char *name, const char *const *words, size_t absent,
    const struct report_problems *p);

#endif
