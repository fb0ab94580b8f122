/*
 * spans: the texts of a page. All characters of such a text are visible, so that control characters can mark its spans:
 * names from the trace, and numbers with their units.
 */
#ifndef SPANS_H
#define SPANS_H

#include "base/mem.h"
#include "record.h"
#include "report_unit.h"

#include <stdarg.h>

struct span {
	enum span_kind { SPAN_TEXT, SPAN_NAME, SPAN_NUMBER } kind;
	struct str text; /* there is a space between a number and its unit */
};

/* Removes the first span from a text. Returns false if the text is empty. */
bool span_next(struct str *rest, struct span *span);

/*
 * Appends a text. A placeholder {member} or {member:unit} is replaced by the value of the member of the record, "?" if
 * the record does not have it; {{ is a brace. A text of more than SPANS_MOST bytes is cut. Problems are reported.
 */
enum { SPANS_MOST = 8192 };
void spans_expand(struct buf *to, const struct record *record, struct str text);

/*
 * Appends text of the program, in which each directive is replaced by an argument:
 *   %n  struct str: a name from the trace
 *   %p  struct str: text of the report without placeholders
 *   %v  const struct report_unit *, const struct value *: a value with its unit; nothing if it is absent
 *   %b  the same without a unit that the title of the column has
 *   %i  uint64_t: "1,997"
 *   %o  uint64_t: "1,200 others", "1 other"
 *   %s  double: a share, "60.5 %"
 *   %r  double: a share in a text, "61%"
 *   %t  const char *: text of the program
 *   %h  struct str: text that was made before
 *   %u  struct str: the same as one number, which is never broken
 */
void spans_put(struct buf *to, const char *format, ...);
void spans_put_list(struct buf *to, const char *format, va_list *ap);
void spans_put_argument(struct buf *to, char directive, va_list *ap);

#endif
