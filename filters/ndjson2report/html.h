/*
 * html: HTML that is being written within limits: texts, names and numbers, and items that are left out if there is no
 * room for them. All text of a page that is not markup of this program passes through here.
 */
#ifndef HTML_H
#define HTML_H

#include "base/escape.h"
#include "picture/color.h"
#include "report_text.h"

/* Limits of a page, in bytes of the text that is shown. */
struct html_limits {
	size_t name, text; /* of a name; of a text with its placeholders */
	size_t rows;       /* of a table or a picture of bars */
	size_t marks;      /* of a picture */
};

/* The parts of a report that are not on a page because there is no room. */
struct html_loss {
	uint64_t items; /* facts, figures, findings, sections and rows that the page does not show */
	uint64_t rows;  /* rows that a table does not show, with a sentence after it that says so */
	uint64_t marks; /* marks that a picture does not show; likewise */
};

struct html {
	struct buf to;
	const struct html_limits *limits;
	size_t room; /* maximum size of to.n after a section */
	bool stops;  /* nothing follows a part without room, because the page is then made again with other limits */
	struct html_loss loss;
};

/* Appends a text so that it is only text, in an element and in a quoted attribute. */
static inline void html_text(struct buf *to, struct str text)
{
	escape_text(to, ESCAPE_HTML, text);
}

/*
 * The same for a name of a trace of more than `most` bytes: its middle is replaced by an ellipsis, so that at most
 * `most` bytes of it, and whole characters, are left. In a wrapped one, which is for elements, a line may end after an
 * underscore, a comma, a point, < and ::.
 */
void html_text_cut(struct buf *to, struct str text, size_t most);
void html_text_wrapped(struct buf *to, struct str text, size_t most);

/*
 * Appends markup, in which directives are replaced by arguments; see report_put(). The values of the report are escaped
 * and kept within the limits, so that no text becomes markup; only the names in a sentence (%r) are <code> elements.
 */
void html_put(struct html *p, const char *format, ...);

/* Returns the class of a color; COLOR_MEANINGS is that of bars without a meaning. */
const char *html_color(enum color color);

/*
 * An item is a part of the page that is left out if the page would become too large. html_item() returns where it
 * begins; html_item_end() removes and counts it if there is no room for it, and then returns false. Items leave some
 * room, so that the end of their section fits; html_section_end() is the same for a section.
 */
size_t html_item(const struct html *p);
bool html_item_end(struct html *p, size_t item);
bool html_section_end(struct html *p, size_t section);

/* Returns whether the rest of the page is not needed. */
static inline bool html_is_done(const struct html *p)
{
	return p->stops && p->loss.items;
}

#endif
