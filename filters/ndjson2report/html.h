/*
 * html: HTML that is being written within limits: texts, names and numbers, and items that are left out if there is no
 * room for them. All text of a page that is not markup of this program passes through here.
 */
#ifndef HTML_H
#define HTML_H

#include "base/escape.h"
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

#define html_lit(page, literal) buf_lit(&(page)->to, literal)

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

/* Appends a name or title, within the limit of names. */
void html_name(struct html *p, struct str name);

/* Appends a text with placeholders: names become <code> elements. `record` has the members. */
void html_report_text(struct html *p, const struct report_record *record, struct str text);

/* Appends a value, whose name is not an element; see report_value_write(). */
void html_value(struct html *p, const struct report_unit *unit, const struct value *v, bool with_unit);

void html_number(struct html *p, double v);      /* for attributes */
void html_percent(struct html *p, double share); /* "60.5 %" */
void html_int(struct html *p, uint64_t v);       /* "1,997" */
void html_others(struct html *p, uint64_t n);    /* "1,200 others" */

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
