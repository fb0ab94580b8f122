/* chart_options: the options of all kinds of pictures. */
#ifndef CHART_OPTIONS_H
#define CHART_OPTIONS_H

#include "cli/histogram_options.h"
#include "cli/opt_record.h"
#include "cli/table_options.h"

enum chart_rows { CHART_ROWS_STREAM, CHART_ROWS_THREAD, CHART_ROWS_DEPTH, CHART_ROWS_EACH, CHART_ROWS_RANK };

/* Options that are not given are zero, NULL or empty. */
struct chart_options {
	struct opt_fields values; /* -f */
	struct opt_fields keys;   /* -g */
	struct opt_fields error;  /* --err */
	struct opt_fields facet, labels, color;
	struct table_options table; /* -u, --wide, --time, --size */
	struct histogram_options bins;
	enum chart_rows rows;
	bool as_read, zoom, text, marks;
	uint64_t top;      /* -t */
	uint64_t bars;     /* --bars */
	const char *title; /* "": no title */
	const char *diff;  /* --diff: a file */
	int width, height; /* --page; 0: not given */
	uint32_t given;    /* a bit for each row of chart_option_rows that was given and is not for all kinds */
};

extern const struct opt chart_option_rows[];
void chart_options_take(void *options, const struct opt_value *v);

/*
 * Exits with a message if an option was given that this kind of picture does not have. `allowed` lists the options that
 * it has beside those of all pictures: names without hyphens, separated by spaces.
 */
void chart_options_check(const struct chart_options *o, const char *kind, const char *allowed);

#endif
