/* page_private: the parts of a page. Each function appends HTML to p->html. */
#ifndef PAGE_PRIVATE_H
#define PAGE_PRIVATE_H

#include "page.h"
#include "report_text.h"

/* Limits of a page, in bytes of the text that is shown. */
struct page_limits {
	size_t name, text; /* of a name; of a text with its placeholders */
	size_t rows;       /* of a table or a picture of bars */
	size_t marks;      /* of a picture */
};

struct page {
	struct buf html;
	const struct report *report;
	const struct page_limits *limits;
	size_t room;  /* maximum size of html.n after a section */
	bool stops;   /* nothing follows a part without room, because the page is then made again with other limits */
	bool *absent; /* for each section of the report: there is no room for it, so there are no links to it */
	struct page_loss loss;
};

#define page_lit(page, literal) buf_lit(&(page)->html, literal)

/*
 * An item is a part of the page that is left out if the page would become too large. page_item() returns where it
 * begins; page_item_end() removes and counts it if there is no room for it, and then returns false.
 */
size_t page_item(const struct page *p);
bool page_item_end(struct page *p, size_t item);

/* Returns whether the rest of the page is not needed. */
static inline bool page_is_done(const struct page *p)
{
	return p->stops && p->loss.items;
}

/* The same as page_item_end() for a section. Items leave some room, so that the end of their section fits. */
bool page_section_end(struct page *p, size_t section);

/* --- page_text: texts, names, numbers --- */

void page_plain(struct page *p, struct str text); /* a text without placeholders */
void page_name(struct page *p, struct str name);  /* a name or title, without an element around it */

/* A text with placeholders: names become <code> elements. `record` has the members. */
void page_text(struct page *p, const struct report_record *record, struct str text);

/* The same, without elements: for titles and other attributes. */
void page_bare_text(struct page *p, const struct report_record *record, struct str text);

/* Returns the title of a column without the unit at its end: "Total" for "Total (ms)", if the column is in ms. */
struct str page_bare_title(const struct report_column *c);

/*
 * A value in its unit: number and unit, a name, or nothing if it is absent. A fixed unit is written only if with_unit
 * is set: in a table, the title of the column has it.
 */
void page_value(struct page *p, const struct report_unit *unit, const struct value *v, bool with_unit);

void page_number(struct page *p, double v);      /* for attributes */
void page_percent(struct page *p, double share); /* "60.5 %" */
void page_int(struct page *p, uint64_t v);       /* "1,997" */

/* --- page_bars: pictures of bars --- */

/* A part of a stacked bar. */
struct page_part {
	enum color color;
	struct str name;
	const struct report_unit *unit;
	const struct value *share; /* a number: the share that the report gives; otherwise it is computed */
	const struct value *value; /* parts without a number, or with a negative one, have no width */
};

/*
 * A bar of parts. `whole` is the sum of values that fills the width: the sum of all parts, or that of the longest bar
 * of several. `label` is HTML, the beginning of the title of each part; it may be empty.
 */
void page_stacked_bar(
    struct page *p, const struct page_part *parts, size_t n, double whole, int height, struct str label);

/* The legend of colors; with_share: also the share of each part. */
void page_legend(struct page *p, const struct page_part *parts, size_t n, bool with_share);

/* Returns the sum of the parts. */
double page_parts_sum(const struct page_part *parts, size_t n);

/* A single bar. share: 0 to 1 */
void page_bar(struct page *p, enum color color, double share);

/* The class of a color; COLOR_MEANINGS is that of bars without a meaning. */
void page_color(struct page *p, enum color color);

/* --- page_table --- */

/* The rows of a section as a table. bars: the first column of numbers also has bars. */
void page_table(struct page *p, const struct report_section *s, bool bars);

/* Returns the column to which the bars of a section belong, the first one with numbers, or n_columns. */
size_t page_bar_column(const struct report_section *s);

/* Returns the number of rows that are shown, without the row that sums up the rest. */
size_t page_rows_shown(const struct page *p, const struct report_section *s);

/* Says how many rows are not shown, because the page would be too large, and counts them as lost. */
void page_missing_rows(struct page *p, const struct report_section *s, size_t shown);

/* Returns the largest number of a column in the first rows; 0 if there is no positive one. */
double page_column_maximum(const struct report_section *s, size_t column, size_t rows);

/* --- page_view --- */

/* The rows of a section in its view, except the view parts. */
void page_view(struct page *p, const struct report_section *s);

/* The view parts: a bar for each row, and the legend. */
void page_parts(struct page *p, const struct report_section *s);

/* --- page_picture --- */

/* The picture of a section, and its legend. */
void page_picture(struct page *p, const struct report_section *s);

/* --- page_section --- */

void page_nav(struct page *p);      /* the list of sections */
void page_sections(struct page *p); /* all sections */

/* Returns whether the page has the section, that is, whether there is room for it. */
bool page_has_section(const struct page *p, const struct report_section *s);

/* Writes the anchor of a section: its id, or another one if the id cannot be an anchor. */
void page_anchor(struct page *p, const struct report_section *s);

/* --- page_findings --- */

void page_findings(struct page *p); /* all findings, as a list; nothing if there are none */

#endif
