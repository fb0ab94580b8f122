/* terminal_page: a report that is being printed on a terminal, and the functions that add its texts. */
#ifndef TERMINAL_PAGE_H
#define TERMINAL_PAGE_H

#include "terminal.h"

enum {
	TERMINAL_PAGE_LINES = 40,    /* maximum number of lines of a page, without commands */
	TERMINAL_PAGE_SENTENCE = 3,  /* maximum number of lines of a sentence */
	TERMINAL_PAGE_PARAGRAPH = 6, /* maximum number of lines of a paragraph */
	TERMINAL_FINDINGS_MOST = 5,
};

struct terminal_page {
	struct terminal *t;
	const struct report *r;
	bool commands;                    /* the commands of sections are printed */
	size_t most[1 + REPORT_SECTIONS]; /* maximum number of findings, and of rows of each section; 0: left out */
	struct buf text;                  /* scratch: the text that is being printed */
};

/*
 * Returns a text with its placeholders expanded, for terminal_text_wrap(), in p->text. The second function does this
 * with all texts of a list, and separates them by commas.
 */
struct str terminal_page_expand(struct terminal_page *p, const struct report_record *record, struct str text);
struct str terminal_page_join(
    struct terminal_page *p, const struct report_record *record, const struct report_texts *list);

/* Adds an expanded text in at most `most` lines; nothing for an empty text. */
void terminal_page_text(struct terminal_page *p, const struct report_record *record, struct str text,
    enum terminal_style style, size_t most);

/* Adds a text at the right end of the line, or of a new line if it does not fit. */
void terminal_page_at_end(struct terminal *t, struct str text);

/* --- terminal_findings.c --- */

/* Adds the findings, with what each one saves at most. */
void terminal_findings_add(struct terminal_page *p);

/* --- terminal_sections.c --- */

/* Adds the legend of the parts of the window and the sections of view parts. The first of them has the same legend. */
void terminal_sections_add_parts(struct terminal_page *p);

/* Adds the short forms of all other sections. */
void terminal_sections_add(struct terminal_page *p);

/* Adds the commands of the sections that have no short form. */
void terminal_sections_add_commands(struct terminal_page *p);

#endif
