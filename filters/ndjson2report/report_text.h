/*
 * report_text: writes the texts, names and numbers of a report in the language of a page. The placeholders of a text
 * are replaced by the values of its record.
 */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "base/mem.h"
#include "report_record.h"
#include "report_unit.h"

#include <stdarg.h>

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

/*
 * Writes text of the program as it is, in which each directive is replaced by an argument:
 *   %n  struct str: a name, a title
 *   %p  struct str: text of the report without placeholders
 *   %r  const struct report_record *, struct str: a sentence with placeholders
 *   %v  const struct report_unit *, const struct value *: a value with its unit
 *   %b  the same without a unit that the title of the column has
 *   %i  uint64_t: "1,997"
 *   %o  uint64_t: "1,200 others", "1 other"
 *   %s  double: a share, "60.5 %"
 *   %w  double: a share as a width, "60.5%", with at most four decimals
 *   %f  double: a number with at most two decimals
 *   %t  const char *: text of the program
 *   %h  struct str: text that was made before
 *   %%  a percent sign
 */
void report_put(const struct report_writer *w, const char *format, ...);
void report_put_list(const struct report_writer *w, const char *format, va_list *ap);

#endif
