/*
 * spans: the texts of a page. All characters of such a text are visible, so that control characters can mark its spans:
 * names from the trace, and numbers with their units.
 */
#ifndef SPANS_H
#define SPANS_H

#include "base/mem.h"
#include "report_record.h"
#include "report_unit.h"

#include <stdarg.h>

struct span {
	enum span_kind { SPAN_TEXT, SPAN_NAME, SPAN_NUMBER } kind;
	struct str text; /* there is a space between a number and its unit */
};

/* Removes the first span from a text. Returns false if the text is empty. */
bool span_next(struct str *rest, struct span *span);

/* The reasons why a text is not written as it should be. */
enum spans_fault {
	SPANS_OK,
	SPANS_ABSENT,  /* the record does not have the member of a placeholder; "?" is written */
	SPANS_UNIT,    /* the unit of a placeholder is not a unit, or the value is not a number */
	SPANS_UNCLOSED /* a brace is not closed; it is written */
};

/*
 * Appends a text. A placeholder {member} or {member:unit} is replaced by the value of the member of the record; {{ is a
 * brace. Returns the first fault.
 */
enum spans_fault spans_expand(struct buf *to, const struct report_record *record, struct str text);

/*
 * Appends text of the program, in which each directive is replaced by an argument:
 *   %n  struct str: a name from the trace
 *   %p  struct str: text of the report without placeholders
 *   %r  const struct report_record *, struct str: the same with placeholders
 *   %v  const struct report_unit *, const struct value *: a value with its unit; nothing if it is absent
 *   %b  the same without a unit that the title of the column has
 *   %i  uint64_t: "1,997"
 *   %o  uint64_t: "1,200 others", "1 other"
 *   %s  double: a share, "60.5 %"
 *   %t  const char *: text of the program
 *   %h  struct str: text that was made before
 *   %u  struct str: the same as one number, which is never broken
 */
void spans_put(struct buf *to, const char *format, ...);
void spans_put_list(struct buf *to, const char *format, va_list *ap);
void spans_put_argument(struct buf *to, char directive, va_list *ap);

#endif
