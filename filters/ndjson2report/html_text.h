/* html_text: writes any text as HTML. All text of a page that is not markup of this program passes through here. */
#ifndef HTML_TEXT_H
#define HTML_TEXT_H

#include "base/escape.h"

/* Appends a text so that it is only text, in an element and in a quoted attribute. */
static inline void html_text(struct buf *page, struct str text)
{
	escape_text(page, ESCAPE_HTML, text);
}

/*
 * The same for a name of a trace of more than `most` bytes: its middle is replaced by an ellipsis, so that at most
 * `most` bytes of it, and whole characters, are left.
 */
void html_text_cut(struct buf *page, struct str text, size_t most);

/* The same as html_text_cut(), for an element: a line may end after an underscore, a comma, a point, < and ::. */
void html_text_wrapped(struct buf *page, struct str text, size_t most);

#endif
