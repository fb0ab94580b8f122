/*
 * record: the members of a record of a report. Functions that expect a type report a member of another one, which is
 * then as if it were absent.
 */
#ifndef RECORD_H
#define RECORD_H

#include "arena.h"
#include "base/diagnostics.h"
#include "json/value.h"
#include "picture/color.h"
#include "report_unit.h"

enum { RECORD_TEXT_MOST = 4096 }; /* maximum length of a text in bytes; a longer text is cut */

struct record {
	struct str json;     /* json_check() must have accepted it; SCAN_PAD bytes after it must be readable */
	struct arena *arena; /* owns all texts that the functions return */
	struct diagnostics *problems;
	struct fault_location at; /* where problems are */
};

static inline void record_lost(const struct record *r, const char *what)
{
	diagnostics_add(r->problems, DIAGNOSTICS_LOST, what, r->at);
}

static inline void record_warning(const struct record *r, const char *what)
{
	diagnostics_add(r->problems, DIAGNOSTICS_WARNING, what, r->at);
}

/*
 * Returns a member, the last one of that name; VALUE_NONE if it is absent or null. value.text is the decoded text of a
 * string, and otherwise the JSON text.
 */
struct value record_value(const struct record *r, struct str name);

/* Returns a number, otherwise VALUE_NONE. */
struct value record_number(const struct record *r, const char *name);

/* Returns a text; empty if it is absent. */
struct str record_text(const struct record *r, const char *name);

/* Sets *list to the texts of an array. Returns their number, 0 if it is absent. */
size_t record_list(const struct record *r, const char *name, struct str **list);

/* The same for numbers, at most `most`: an array that is longer, or has another value, counts as absent. */
size_t record_numbers(const struct record *r, const char *name, size_t most, double **list);

/* Calls a function with each object in an array. */
void record_objects(
    const struct record *r, const char *name, void (*take)(void *arg, const struct record *object), void *arg);

/* Returns an integer >= 0; 0 if it is absent. */
uint64_t record_count(const struct record *r, const char *name);

/* Returns the index of a text in a list of words that ends with NULL; `absent` if it is absent or unknown. */
size_t record_word(const struct record *r, const char *name, const char *const *words, size_t absent);

/* Return the color or the unit of that name; COLOR_MEANINGS or REPORT_VALUE_NONE if it is empty or unknown. */
enum color record_color(const struct record *r, struct str name);
struct report_unit record_unit(const struct record *r, struct str name);

#endif
