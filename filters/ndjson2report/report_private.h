/* report_private: declarations shared by the files report*.c; no other file includes it. */
#ifndef REPORT_PRIVATE_H
#define REPORT_PRIVATE_H

#include "report.h"

/* Where problems of the current record are reported. */
struct report_problems {
	struct diagnostics *list;
	struct fault_place at;
};

static inline void report_lost(const struct report_problems *p, const char *what)
{
	diagnostics_add(p->list, DIAGNOSTICS_LOST, what, p->at);
}

static inline void report_warning(const struct report_problems *p, const char *what)
{
	diagnostics_add(p->list, DIAGNOSTICS_WARNING, what, p->at);
}

/* Returns a member that must be a string; empty if it is absent or, with a report of the loss, of another type. */
struct str report_member_text(const struct report_record *r, const char *name, const struct report_problems *p);

/* The same for a text that may hold placeholders; reports what is wrong with them. */
struct str report_member_template(const struct report_record *r, const char *name, const struct report_problems *p);

/* Reports what is wrong with the placeholders in a text. */
void report_template_check(const struct report_record *r, struct str text, const struct report_problems *p);

/* The same for an array of texts. */
struct report_texts report_member_texts(
    const struct report_record *r, const char *name, const struct report_problems *p);

/* Returns the index of a member's text in a list of words that ends with NULL; `absent` if it is absent or unknown. */
size_t report_member_word(const struct report_record *r, const char *name, const char *const *words, size_t absent,
    const struct report_problems *p);

/* Returns a member that must be an integer >= 0; 0 if it is absent or, with a report of the loss, another value. */
uint64_t report_member_count(const struct report_record *r, const char *name, const struct report_problems *p);

/* Returns the color that a member names; COLOR_MEANINGS if it is absent or unknown. */
enum color report_member_color(const struct report_record *r, const struct report_problems *p);

/* Returns the color of that name; COLOR_MEANINGS for an empty or unknown name. */
enum color report_color_of(struct str name, const struct report_problems *p);

/* Returns the unit of that name; REPORT_MEASURE_NONE for an empty or unknown name. */
struct report_unit report_unit_of(struct str name, const struct report_problems *p);

/* --- report_section.c --- */

/* Fills *s from s->record. */
void report_section_read(struct report_section *s, const struct report_problems *p);
/*
 * Adds a row, which then owns the record; adds the memory of its cells to record->size. If the section is full, frees
 * the record, reports the loss, and returns false.
 */
bool report_section_add(struct report_section *s, struct report_record *record, const struct report_problems *p);
void report_section_free(struct report_section *s);

/* --- report_picture.c --- */

/* Adds a mark: the same as report_section_add() for a row. */
bool report_picture_add(struct report_picture *picture, struct report_record *record, const struct report_problems *p);
void report_picture_free(struct report_picture *picture);

#endif
