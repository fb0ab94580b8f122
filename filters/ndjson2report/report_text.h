/*
 * report_text: writes the texts, names and numbers of a report in the language of a page. The placeholders of a text
 * are replaced by the values of its record.
 */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "base/mem.h"
#include "report_record.h"
#include "report_unit.h"

/* How a page writes the pieces of its texts. */
struct report_writer {
	void (*text)(const struct report_writer *w, struct str text); /* text of the report */
	void (*name)(const struct report_writer *w, struct str name); /* a name from the trace: never markup */
	void (*number)(const struct report_writer *w, struct str digits, const char *unit); /* `unit` may be empty */
	struct buf *to;
	void *page;  /* for the functions */
	bool cell;   /* a cell or a label is written, not a sentence */
	size_t most; /* a text of more bytes ends with an ellipsis; 0: no limit */
};

/* The reasons why a text is not written as it should be. */
enum report_text_fault {
	REPORT_TEXT_OK,
	REPORT_TEXT_ABSENT,  /* the record does not have the member of a placeholder; "?" is written */
	REPORT_TEXT_UNIT,    /* the unit of a placeholder is not a unit, or the value is not a number */
	REPORT_TEXT_UNCLOSED /* a brace is not closed; it is written */
};

/*
 * Writes a text. A placeholder {member} or {member:unit} is replaced by the value of the member of the record; {{ is a
 * brace. Returns the first fault.
 */
enum report_text_fault report_text_write(
    const struct report_writer *w, const struct report_record *record, struct str text);

/*
 * Writes a value in its unit; nothing if it is absent. Unless `with_unit` is set, a unit that the title of the column
 * has is left out.
 */
void report_value_write(
    const struct report_writer *w, const struct report_unit *unit, const struct value *v, bool with_unit);

/* Write numbers in units of report(5), "share.1" or "count". */
void report_real_write(const struct report_writer *w, const char *unit, double v);
void report_int_write(const struct report_writer *w, const char *unit, uint64_t v);

/* Writes "1,200 others" or "1 other". */
void report_others_write(const struct report_writer *w, uint64_t n);

#endif
