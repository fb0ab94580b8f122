/*
 * blocks: a report as a list of blocks with ready texts (spans.h), in the order in which a reader meets them. All that
 * a page says is decided here: its rows and columns, names and units. Text, Markdown and HTML only draw blocks.
 */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "report.h"
#include "spans.h"

struct block_column {
	struct str title;
	bool text;    /* names or texts, which are aligned at the left */
	bool wide;    /* it is not in the short form: left out on a phone and on paper */
	size_t least; /* minimum width on a terminal, so that the columns of all tables are under each other */
};

struct block_cell {
	struct str text;
	struct str exact; /* the number in JSON; empty for texts */
	struct str whole; /* the name of which `text` is a short form; may be empty */
};

struct block_row {
	struct block_cell *cells;
	struct report_part *parts; /* n_parts, of its bar; NULL if it has none */
	struct str link;           /* raw: the name of a file beside the page; may be empty */
	enum color color;
	bool rest; /* it sums up other rows */
};

struct block {
	enum block_kind {
		BLOCK_VERDICT, /* also the parts of the window, as one bar with its legend */
		BLOCK_TABLE,
		BLOCK_TILES,    /* the main figures */
		BLOCK_CONTENTS, /* the place of a list of headings */
		BLOCK_FINDINGS, /* text: what they save, for the whole list */
		BLOCK_HEADING,
		BLOCK_TEXT,
		BLOCK_PICTURE,
		BLOCK_COMMANDS,
		BLOCK_KINDS
	} kind;
	struct str text;
	size_t n; /* number of rows, findings or commands */

	bool contained;        /* HEADING: of a section that is part of another one */
	struct str id, anchor; /* id: of the section */

	bool soft, gap; /* TEXT: less important; after an empty line of a terminal */

	/* TABLE. TILES and VERDICT: figures with three columns */
	struct block_column *columns;
	struct block_row *rows;
	size_t n_columns;
	bool folded; /* a picture shows the same */

	/* TABLE with bars, VERDICT: the first row has one. stacked: it has parts, and needs a line of a terminal */
	bool bars, stacked, legend;
	size_t bar_before; /* the column that follows the bars */
	size_t n_parts;    /* of each bar */
	double whole;      /* the size of the longest bar */

	const struct report_verdict *verdict;
	/* FINDINGS */
	const struct report_finding *findings;
	size_t left;  /* number of findings that the block leaves out */
	bool overlap; /* several can save time, which may be the same time */

	const struct report_picture *picture;
	const struct str *commands;
};

struct blocks_options {
	bool brief;                   /* the short form, for a terminal */
	bool commands;                /* also the commands of sections */
	size_t findings;              /* maximum number of findings */
	size_t rows[REPORT_SECTIONS]; /* maximum number of rows of each section; in the short form, 0 leaves it out */
};

struct blocks {
	struct block *list;
	size_t n;
	/* private */
	const struct report *report;
	const struct blocks_options *options;
	struct arena arena;
	size_t cap;
};

/*
 * Makes the blocks of a report, which must stay unchanged until blocks_free(). In the short form, bars precede the
 * findings, and tables follow them; with `commands`, those of each section follow it, and those of all other sections
 * are last.
 */
void blocks_make(struct blocks *b, const struct report *r, const struct blocks_options *options);
void blocks_free(struct blocks *b);

/* Returns whether a section has a short form. */
bool blocks_has_brief(const struct report_section *s);

#endif
