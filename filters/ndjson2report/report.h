/*
 * report: a report in memory: its verdict, figures, findings, and sections with rows. report(5) describes the records.
 */
#ifndef REPORT_H
#define REPORT_H

#include "picture/color.h"
#include "record/input.h"
#include "report_record.h"
#include "report_unit.h"

/* Limits, so that a report fits in memory and on a page. */
enum {
	REPORT_SECTIONS = 100,
	REPORT_ROWS = 200, /* of one section; one more row that sums up others is allowed */
	REPORT_COLUMNS = 32,
	REPORT_MARKS = 5000, /* of the picture of a section */
	REPORT_LANES = 100,  /* of the picture of a section */
	REPORT_FIGURES = 100,
	REPORT_FINDINGS = 100,
	REPORT_COMMANDS = 32,    /* of one section */
	REPORT_BYTES = 16 << 20, /* memory for all records together */
};

/*
 * In the structs below, an absent text is empty. Texts are views of `record`, which the report owns. Texts that may
 * hold placeholders are marked with {}; report_text expands them with the members of `record`.
 */

struct report_verdict {
	struct report_record record;
	struct str title;                  /* a name from the trace */
	struct report_texts source, facts; /* {} */
	struct str text, detail;           /* {} */
	struct str per;                    /* "a step"; empty: figures are of the whole trace */
	struct str hint;                   /* last line of a terminal */
};

enum report_group { REPORT_PARTS, REPORT_TILES, REPORT_LINE };

struct report_figure {
	struct report_record record;
	struct str name, brief; /* brief: the short name; the name if the member is absent */
	struct report_unit unit;
	struct value value; /* a number or a text; VALUE_NONE: absent */
	struct value share; /* of a part in the whole: a number; VALUE_NONE: absent */
	enum report_group group;
	enum color color;
	struct str note, text; /* {} */
};

struct report_finding {
	struct report_record record;
	struct str id, section; /* section: id of the section with the evidence */
	struct value saves;     /* ns; VALUE_NONE: unknown */
	enum report_saves_of { REPORT_SAVES_STEP, REPORT_SAVES_HOST, REPORT_SAVES_RUN } of;
	struct str title, text, detail, advice; /* {} */
};

struct report_column {
	struct str name, title; /* name: the member of the rows */
	struct report_unit unit;
	enum color color; /* in view parts: COLOR_MEANINGS if the column is not a part */
	bool sums;        /* values may be added */
};

struct report_row {
	struct report_record record;
	struct value *cells; /* one for each column; VALUE_NONE: absent. The record has their texts. */
	uint64_t rest;       /* number of rows that this one sums up; 0: a row of its own */
	bool mean;           /* the mean of the other rows: shown in tables, not among bars */
	enum color color;    /* COLOR_MEANINGS: none given */
};

/* A column of the short form of a section. */
struct report_brief {
	size_t column;
	struct str title;
	struct report_unit unit;
};

/* A mark of the picture of a section: a box from `at` to at + dur. */
struct report_mark {
	struct report_record record;
	struct str name;
	struct value at, dur; /* numbers; dur >= 0 */
	size_t lane;          /* index of its lane, from the top */
	double base, share;   /* place and height in the lane: shares of the height of the lane */
	bool partial;         /* its share is given, even if it is 1: it has no text */
	uint64_t count;       /* number of records that it stands for; 0: not given */
	enum color color;     /* COLOR_MEANINGS: none given */
};

/* The picture of a section. */
struct report_picture {
	struct report_mark *marks;
	size_t n;
	struct str *lanes; /* names of the lanes, from the top */
	size_t n_lanes;
	bool nested;             /* lanes are levels of a hierarchy and have no names: a mark is inside one above it */
	struct report_unit unit; /* of `at` and `dur` */
	/* private */
	size_t cap, cap_lanes;
	size_t last[REPORT_LANES]; /* 1 + the index of the last mark of each lane */
};

struct report_section {
	struct report_record record;
	struct str id, title, of; /* of: id of the section that it is part of */
	struct str text, note;    /* {} */
	enum report_view {
		REPORT_VIEW_TABLE,
		REPORT_VIEW_BARS,
		REPORT_VIEW_PARTS,
		REPORT_VIEW_HIST,
		REPORT_VIEW_FACTS
	} view;
	struct report_column *columns;
	size_t n_columns;
	struct report_brief *brief; /* the short form, for a terminal; n_brief = 0: none */
	size_t n_brief;
	uint64_t lines; /* number of rows of the short form; 0: the section has none */
	struct report_texts commands;
	struct report_row *rows;
	size_t n_rows;
	struct report_picture picture; /* n = 0: none */
	/* private */
	struct report_texts names, titles, brief_titles; /* the texts of `columns` and `brief` */
	size_t cap_rows;
};

/* Zero-initialise. */
struct report {
	bool has_verdict;
	struct report_verdict verdict;
	struct report_figure *figures; /* figures, findings and sections are in the order of the records */
	size_t n_figures;
	struct report_finding *findings;
	size_t n_findings;
	struct report_section *sections;
	size_t n_sections;
	/* private */
	size_t cap_figures, cap_findings, cap_sections;
	size_t bytes; /* memory of all records */
};

/*
 * Adds a record, which input_next() returned and completely checked. Reports what is wrong with it: a record that
 * cannot be used is lost; a record with a wrong member is added without that member.
 */
void report_take(struct report *r, struct event *e, const struct report_problems *p);

/*
 * Adds all records of the input. If no record is a verdict, although all files could be read, prints a message, and
 * filter_close() returns STATUS_LOST. Returns whether there is anything to print.
 */
bool report_read(struct report *r, struct input *in);

/* Returns the section with this id, or NULL. */
const struct report_section *report_section(const struct report *r, struct str id);

void report_free(struct report *r);

#endif
