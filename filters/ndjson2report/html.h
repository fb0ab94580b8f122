/* html: HTML that is being written within limits. All text of a page that is not markup passes through here. */
#ifndef HTML_H
#define HTML_H

#include "picture/color.h"
#include "spans.h"

/* Limits of a page, in bytes of the text that is shown. */
struct html_limits {
	size_t name, text;  /* of a name; of a text with its names and numbers */
	size_t rows, marks; /* of a table or a picture */
};

struct html {
	struct buf to;
	const struct html_limits *limits;
	/* private */
	struct buf text; /* scratch */
};

/*
 * Appends a name. If it has more bytes than the limit, an ellipsis replaces its middle, so that whole characters are
 * left. A line may end after an underscore, a comma, a point, < and ::.
 */
void html_name(struct html *p, struct str name);

/* Appends the text of a span. */
void html_span(struct html *p, const struct span *span);

/*
 * Appends markup, in which each directive is replaced by an argument. No text becomes markup.
 *   %m  struct str: a text with spans, of which the names are <code> elements
 *   %w  double: a share as a width, "60.5%", with at most four decimals
 *   %f  double: a number with at most two decimals
 *   %t  const char *: text of the program, which is not escaped
 *   %…  as for spans_put(), for elements and for quoted attributes
 */
void html_put(struct html *p, const char *format, ...);

/* Returns the class of a color; COLOR_MEANINGS is that of bars without a meaning. */
const char *html_color(enum color color);

#endif
