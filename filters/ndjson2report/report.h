/*
 * report: a report in memory: its verdict, figures, findings, and sections with rows. report(5) describes the records.
 * All texts are ready (spans.h), unless a comment says that they are raw: as in the record.
 */
#ifndef REPORT_H
#define REPORT_H

#include "record/input.h"
#include "claims.h"

/* Limits, so that a report fits in memory and on a page. */
enum {
	REPORT_SECTIONS = 100,
	REPORT_ROWS = 200, /* of one section; one more row that sums up others is allowed */
	REPORT_COLUMNS = 32,
	REPORT_MARKS = 5000, /* of the picture of a section */
	REPORT_LANES = 100,  /* of the picture of a section */
	REPORT_SHARES = 512, /* of an area */
	REPORT_FIGURES = 100,
	REPORT_FINDINGS = 100,
	REPORT_BYTES = 16 << 20, /* memory for the texts of all records together */
};

struct report_verdict {
	struct str title;                    /* empty: there is no verdict */
	struct str source, facts, all_facts; /* texts with commas; all with points between them */
	struct str text, detail, hint;
	struct str per; /* "a step"; empty: figures are of the whole trace */
};

/* A part of a stacked bar, or an entry of a legend. Its color is COLOR_MEANINGS if it has none. */
struct report_part {
	enum color color;
	struct str name, brief; /* brief: for a terminal, with the share */
	struct str value, share;
	double size;
};

struct report_figure {
	struct str name, value, note;
};

struct report_finding {
	struct str title, text, brief, advice; /* brief: for a terminal */
	struct str saves;                      /* empty: unknown */
	struct str section;                    /* raw: the id of the section with the evidence */
};

struct report_column {
	struct str name, title; /* raw; name: the member of the rows */
	struct report_unit unit;
	enum color color;       /* in view parts: COLOR_MEANINGS if the column is not a part */
	bool sums;              /* values may be added */
	bool brief;             /* it is in the short form, for a terminal, with this heading and unit: */
	struct str brief_title; /* raw */
	struct report_unit brief_unit;
};

struct report_row {
	struct value *cells; /* one for each column */
	struct str name;     /* the whole name of which a column label has a short form */
	struct str link;     /* raw: the name of a file beside the page, which tells more about the row; may be empty */
	uint64_t rest;       /* number of rows that this one sums up; 0: a row of its own */
	enum color color;    /* COLOR_MEANINGS: none given */
};

/* A mark of the picture of a section: a box from `at` to at + dur. */
struct report_mark {
	struct str name, label; /* raw */
	struct value at, dur;   /* numbers; dur >= 0 */
	size_t lane;            /* index of its lane, from the top */
	double base, share;     /* place and height in the lane: shares of the height of the lane */
	bool partial;           /* its share is given, even if it is 1: it has no text */
	uint64_t count;         /* number of records that it stands for; 0: not given */
	enum color color;       /* COLOR_MEANINGS: none given */
	double *shares;         /* of an area: its height in n_shares equal parts of dur; NULL: a box */
	size_t n_shares;
};

/* The picture of a section. */
struct report_picture {
	struct report_mark *marks;
	size_t n;
	struct str *lanes; /* raw: names of the lanes, from the top */
	size_t n_lanes;
	bool nested;             /* lanes are levels of a hierarchy and have no names: a mark is inside one above it */
	size_t n_areas;          /* number of marks that are areas: they need higher lanes */
	struct report_unit unit; /* of `at` and `dur` */
	/* private */
	size_t cap;
	size_t last[REPORT_LANES]; /* 1 + the index of the last mark of each lane */
};

struct report_section {
	struct str id, of; /* raw; of: id of the section that it is part of */
	struct str title, text, note;
	enum report_view { REPORT_VIEW_TABLE, REPORT_VIEW_BARS, REPORT_VIEW_PARTS } view;
	struct report_column *columns;
	size_t n_columns;
	bool brief;           /* a column is in the short form */
	uint64_t lines;       /* number of rows of the short form; 0: the section has none */
	struct str *commands; /* raw */
	size_t n_commands;
	struct report_row *rows;
	size_t n_rows;
	struct report_picture picture; /* n = 0: none */
	/* private */
	size_t cap_rows;
};

/* Zero-initialise. */
struct report {
	struct report_verdict verdict;
	struct report_part *parts; /* of the window */
	size_t n_parts;
	struct report_figure *tiles;
	size_t n_tiles;
	struct str *lines; /* the last ones on a terminal: texts, or values after each other */
	size_t n_lines;
	struct report_finding *findings;
	size_t n_findings;
	struct report_section *sections;
	size_t n_sections;
	struct claims claims;
	/* private */
	bool line_of_values; /* the last one */
	size_t cap_parts, cap_tiles, cap_lines, cap_findings, cap_sections;
	struct arena arena;
};

/*
 * Adds a record, a JSON object that was completely checked. Reports what is wrong with it: a record that cannot be used
 * is lost; a record with a wrong member is added without that member.
 */
void report_take(struct report *r, struct str json, struct diagnostics *problems, struct fault_location at);

/*
 * Adds all records of the input. If no record is a verdict, although all files could be read, prints a message, and
 * filter_close() returns STATUS_LOST. Returns whether there is anything to print.
 */
bool report_read(struct report *r, struct input *in);

/* Returns the section with this id, or NULL. */
struct report_section *report_section(const struct report *r, struct str id);

/* Returns a text made of arguments, see spans_put(), in an arena. */
struct str report_text(struct arena *a, const char *format, ...);

void report_free(struct report *r);

#endif
