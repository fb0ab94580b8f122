/* html_private: the parts of a page. Each function appends HTML to p->html. */
#ifndef HTML_PRIVATE_H
#define HTML_PRIVATE_H

#include "html_page.h"
#include "report_pieces.h"

/* Limits of a page, in bytes of the text that is shown. */
struct html_limits {
	size_t name, text; /* of a name; of a text with its placeholders */
	size_t rows;       /* of a table or a picture of bars */
	size_t marks;      /* of a picture */
};

struct html {
	struct buf html;
	const struct report *report;
	const struct html_limits *limits;
	size_t room;  /* maximum size of html.n after a section */
	bool stops;   /* nothing follows a part without room, because the page is then made again with other limits */
	bool *absent; /* for each section of the report: there is no room for it, so there are no links to it */
	struct html_loss loss;
};

#define html_lit(page, literal) buf_lit(&(page)->html, literal)

/*
 * An item is a part of the page that is left out if the page would become too large. html_item() returns where it
 * begins; html_item_end() removes and counts it if there is no room for it, and then returns false.
 */
size_t html_item(const struct html *p);
bool html_item_end(struct html *p, size_t item);

/* Returns whether the rest of the page is not needed. */
static inline bool html_is_done(const struct html *p)
{
	return p->stops && p->loss.items;
}

/* The same as html_item_end() for a section. Items leave some room, so that the end of their section fits. */
bool html_section_end(struct html *p, size_t section);

/* --- html_text: texts, names, numbers --- */

void html_plain(struct html *p, struct str text); /* a text without placeholders */
void html_name(struct html *p, struct str name);  /* a name or title, without an element around it */

/* A text with placeholders: names become <code> elements. `record` has the members. */
void html_report_text(struct html *p, const struct report_record *record, struct str text);

/* The same, without elements: for titles and other attributes. */
void html_bare_text(struct html *p, const struct report_record *record, struct str text);

/* Returns the title of a column without the unit at its end: "Total" for "Total (ms)", if the column is in ms. */
struct str html_bare_title(const struct report_column *c);

/*
 * A value in its unit: number and unit, a name, or nothing if it is absent. A fixed unit is written only if with_unit
 * is set: in a table, the title of the column has it.
 */
void html_value(struct html *p, const struct report_unit *unit, const struct value *v, bool with_unit);

void html_number(struct html *p, double v);      /* for attributes */
void html_percent(struct html *p, double share); /* "60.5 %" */
void html_int(struct html *p, uint64_t v);       /* "1,997" */

/* --- html_bars: pictures of bars --- */

/* A part of a stacked bar. */
struct html_part {
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
void html_stacked_bar(
    struct html *p, const struct html_part *parts, size_t n, double whole, int height, struct str label);

/* The legend of colors; with_share: also the share of each part. */
void html_legend(struct html *p, const struct html_part *parts, size_t n, bool with_share);

/* Returns the sum of the parts. */
double html_parts_sum(const struct html_part *parts, size_t n);

/* A single bar. share: 0 to 1 */
void html_bar(struct html *p, enum color color, double share);

/* The class of a color; COLOR_MEANINGS is that of bars without a meaning. */
void html_color(struct html *p, enum color color);

/* --- html_table --- */

/* The rows of a section as a table. bars: the first column of numbers also has bars. */
void html_table(struct html *p, const struct report_section *s, bool bars);

/* Returns the column to which the bars of a section belong, the first one with numbers, or n_columns. */
size_t html_bar_column(const struct report_section *s);

/* Returns the number of rows that are shown, without the row that sums up the rest. */
size_t html_rows_shown(const struct html *p, const struct report_section *s);

/* Says how many rows are not shown, because the page would be too large, and counts them as lost. */
void html_missing_rows(struct html *p, const struct report_section *s, size_t shown);

/* Returns the largest number of a column in the first rows; 0 if there is no positive one. */
double html_column_maximum(const struct report_section *s, size_t column, size_t rows);

/* --- html_view --- */

/* The rows of a section in its view, except the view parts. */
void html_view(struct html *p, const struct report_section *s);

/* The view parts: a bar for each row, and the legend. */
void html_parts(struct html *p, const struct report_section *s);

/* --- html_picture --- */

/* The picture of a section, and its legend. */
void html_picture(struct html *p, const struct report_section *s);

/* --- html_section --- */

void html_nav(struct html *p);      /* the list of sections */
void html_sections(struct html *p); /* all sections */

/* Returns whether the page has the section, that is, whether there is room for it. */
bool html_has_section(const struct html *p, const struct report_section *s);

/* Writes the anchor of a section: its id, or another one if the id cannot be an anchor. */
void html_anchor(struct html *p, const struct report_section *s);

/* --- html_findings --- */

void html_findings(struct html *p); /* all findings, as a list; nothing if there are none */

#endif
