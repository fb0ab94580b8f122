/*
 * page: the blocks of a report in the order in which a reader meets them, and the tables and bars that are made of its
 * rows. Text, Markdown and HTML only draw these blocks.
 */
#ifndef PAGE_H
#define PAGE_H

#include "report.h"
#include "report_text.h"

/*
 * How a kind of page draws each block. `page` is the page that is being made. A function that is NULL draws nothing:
 * this kind of page does not have the block.
 */
struct page_drawer {
	void (*title)(void *page, const struct report_verdict *v); /* the title and the facts */
	void (*headline)(void *page, const struct report_verdict *v);
	void (*parts)(void *page); /* the parts of the window, and what their colors mean */
	void (*tiles)(void *page);
	void (*findings)(void *page);
	/*
	 * Begins a section with its heading; `depth` is 0 for a section that is not part of another, and `half` means
	 * that it is narrow enough to be next to another one. Returns false if the section is left out.
	 */
	bool (*section)(void *page, const struct report_section *s, int depth, bool half);
	void (*paragraph)(void *page, const struct report_section *s, struct str text, bool soft);
	void (*picture)(void *page, const struct report_section *s);
	void (*bars)(void *page, const struct report_section *s); /* a bar of stacked parts for each row */
	/* The rows; `folded`: a picture or bars show the same. */
	void (*table)(void *page, const struct report_section *s, bool folded);
	void (*commands)(void *page, const struct report_section *s);
	void (*inner)(void *page, bool begin); /* before and after the sections that are part of another one */
	void (*section_end)(void *page, const struct report_section *s);
	void (*lines)(void *page); /* the last lines of a terminal */
};

/* Draws the whole report. */
void page_draw(const struct report *r, const struct page_drawer *d, void *page);

/*
 * Draws the short form of a report: sections that have lines, with their bars or their table. Bars precede the
 * findings, and tables follow them. With `commands`, those of each section follow it, and those of all other sections
 * are last.
 */
void page_draw_brief(const struct report *r, const struct page_drawer *d, void *page, bool commands);

/* Returns whether a section has a short form. */
bool page_has_brief(const struct report_section *s);

/* Returns the section of which s is a part: an earlier one with the id `of`; NULL if no section has it. */
const struct report_section *page_parent(const struct report *r, const struct report_section *s);

/* --- tables --- */

/* A column of a table. A column with the unit `path` is in one cell with the next one: "forward › aten::mm". */
struct page_field {
	size_t first, last; /* indices in page_table.columns */
	struct str title;
	bool text; /* names or texts, which are aligned at the left */
};

struct page_table {
	const struct report_section *section;
	struct report_brief columns[REPORT_COLUMNS]; /* those with a value in any row */
	struct page_field fields[REPORT_COLUMNS];
	size_t n; /* number of fields */
};

/* Finds the columns of a section, or of its short form. */
void page_table_init(struct page_table *t, const struct report_section *s, bool brief);

/* Returns the number of rows, without a last one that sums up others. */
size_t page_rows(const struct report_section *s);

/* Writes the text of a cell: values, or the number of rows that the row sums up. */
void page_cell_write(
    const struct page_table *t, const struct report_row *row, size_t field, const struct report_writer *w);

/* --- bars --- */

/* A part of a stacked bar. */
struct page_part {
	enum color color;
	struct str name, brief;
	struct report_unit unit;
	struct value value;
	struct value share; /* in the whole: a number if the report gives it */
};

/* Find the parts of the window, and those of a row of a section; without a row, they have no values. */
size_t page_window_parts(const struct report *r, struct page_part parts[REPORT_FIGURES]);
size_t page_row_parts(
    const struct report_section *s, const struct report_row *row, struct page_part parts[REPORT_COLUMNS]);

/* Returns the value of a part; 0 for a value that a bar cannot show. */
double page_part_size(const struct page_part *part);
double page_parts_sum(const struct page_part *parts, size_t n);

/* Returns the title of a column without the unit at its end: "Total" for "Total (ms)", if the column is in ms. */
struct str page_bare_title(const struct report_column *c);

/* Returns the figure after *f of this group, the first one if *f is NULL; NULL after the last one. */
const struct report_figure *page_next_figure(
    const struct report *r, const struct report_figure *f, enum report_group group);

#endif
