/*
 * chart: the parts that all kinds of pictures have: the values and names of records, the title, the page. A kind reads
 * records one by one, and draws its picture at the end of the input.
 */
#ifndef CHART_H
#define CHART_H

#include "program/histogram_options.h"
#include "program/opt.h"
#include "program/opt_fields.h"
#include "program/table_options.h"
#include "picture/page.h"
#include "ranked_sums.h"
#include "record/input.h"
#include "table/unit_search.h"

struct chart;

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
};

/* A kind of picture. */
struct chart_kind {
	const char *name;
	const char *options; /* the options it has: see chart_options_check() */
	const char *values;  /* default of -f; NULL: only the values that the user names */
	const char *keys;    /* default of -g; NULL: none */
	/* If the first record has this kind and the user gave no -f, `special` draws the picture. May be NULL. */
	const char *special_kind;
	const struct chart_kind *special;
	/*
	 * Each function gets the state: `size` zeroed bytes that begin with a pointer to the chart. `open` may be NULL.
	 * Kinds that read text have `line` instead of `add`: it returns false for a line that it cannot use; `before`:
	 * the line is from the file of --diff. `draw` returns false if there is nothing to draw. `close` frees all
	 * members of the state.
	 */
	size_t size;
	void (*open)(void *state);
	void (*add)(void *state, struct event *e);
	bool (*line)(void *state, struct str line, bool before);
	bool (*draw)(void *state);
	void (*close)(void *state);
};

/* All kinds in the order of the help; the first one is the default. To add a kind, add a row. */
#define CHART_KINDS(FIRST, NEXT)                                                                                       \
	FIRST(bar)                                                                                                     \
	NEXT(stacked)                                                                                                  \
	NEXT(share)                                                                                                    \
	NEXT(hist)                                                                                                     \
	NEXT(line)                                                                                                     \
	NEXT(steps)                                                                                                    \
	NEXT(area)                                                                                                     \
	NEXT(gantt)                                                                                                    \
	NEXT(heat)                                                                                                     \
	NEXT(roofline)                                                                                                 \
	NEXT(flame)

#define CHART_EXTERN(name) extern const struct chart_kind chart_##name;
CHART_KINDS(CHART_EXTERN, CHART_EXTERN)
CHART_EXTERN(step_bars)

enum { CHART_FIELDS = 24 };

struct chart {
	const struct chart_kind *kind;
	struct chart_options options;
	struct canvas *canvas;
	struct input in;
	struct out out;
	uint64_t records;   /* that were read, without metadata */
	uint64_t valueless; /* of these, records without a value */
	uint64_t negative;  /* of these, records with a value below 0: see chart_positive() */
	bool named;         /* the user gave -f: records without a value are reported */
	bool lost;          /* records were left out, and this was reported: the exit status is STATUS_LOST */
	/* private */
	struct unit_search units;
	struct field *used[CHART_FIELDS]; /* all fields that are read */
	size_t n_used, n_asked;           /* the first n_asked are those of -f, -g and other options */
	size_t chosen;                    /* index + 1 of the first field of -f in which a value was found */
	double factor;                    /* chart_factor(), as far as it is known */
	bool factor_known;                /* it is final */
	uint64_t kinds;                   /* a bit 1 << kind for each kind of record that had a value */
	struct field level;               /* see chart_is_subtotal() */
	struct buf scratch, decoded;
};

extern const struct opt chart_option_rows[];
void chart_options_take(void *options, const struct opt_value *v);

/* Returns the i-th of the lists of fields; NULL after the last one. */
struct opt_fields *chart_options_fields(struct chart_options *o, size_t i);

/*
 * Exits with a message if an option was given that this kind of picture does not have. `allowed` lists the options that
 * it has beside those of all pictures: names without hyphens, separated by spaces.
 */
void chart_options_check(const char *kind, const char *allowed);

/* Returns a new canvas of `width` pixels that writes SVG to *out. Free it with free(). */
struct canvas *canvas_svg_new(struct out *out, double width);

/* Make fields some of those that are read. All fields of options are; kinds that compile own fields call this. */
void chart_use(struct chart *c, struct field *field);
void chart_use_all(struct chart *c, struct opt_fields *fields);

/*
 * Gets the value of a record: the first of the fields of -f that is a number; 1 if there is no -f. Counts the records,
 * and those without a value. Returns false for these, and for metadata.
 */
bool chart_value(struct chart *c, struct event *e, struct value *v);

/* The same for values above 0. Counts the negative ones, which chart_report_negative() reports. */
bool chart_positive(struct chart *c, struct event *e, long double *value);
void chart_report_negative(const struct chart *c);

/* The same for another field, such as that of --err; returns false if it is not a number. */
bool chart_number(struct field *f, struct event *e, double *v);

static inline long double chart_exact(const struct value *v)
{
	return v->type == VALUE_INT ? (long double)v->i : (long double)v->d;
}

/*
 * Appends the values of fields from `from` on to a text, separated by " / ": names in their short form, unless `whole`
 * is set or --wide was given. All characters are visible (base/escape); an absent value is "(none)".
 */
void chart_name(
    struct chart *c, struct opt_fields *fields, size_t from, size_t to, struct event *e, bool whole, struct buf *text);

/*
 * Appends the value of field i, as the name of a series or part, to *brief, and its whole name to *whole unless that is
 * NULL. The name of the field precedes a number: "stream 7".
 */
void chart_series_name(
    struct chart *c, struct opt_fields *fields, size_t i, struct event *e, struct buf *brief, struct buf *whole);

/* Returns the color of a record: that of its kind, or that of the meaning of its name. */
enum color chart_color(struct event *e, struct str name, enum color otherwise);

/* Returns the factor from a field's values to base units: 1000 for dur_us_sum. */
double chart_factor(const struct chart *c);

/* Returns the kind of the values, and the unit in which values up to `most` (in base units) are written. */
enum column_kind chart_value_kind(const struct chart *c);
enum column_kind chart_kind_of(const struct chart *c, const struct field *f); /* the same for any field */
struct display_unit chart_unit(const struct chart *c, double most);

/* Returns whether the sum of several values is a value too: false for means, maxima and the like. */
bool chart_adds_up(const struct chart *c);

/* Appends the names of the fields in which values are sought: "dur_sum, dur_mean or dur". */
void chart_value_fields(const struct chart *c, struct buf *to);

/* Appends the name of the values in words ("GPU time"), or of a key ("kernel"). */
void chart_value_words(const struct chart *c, struct buf *to);
void chart_key_words(const struct chart *c, const struct opt_fields *keys, size_t i, struct buf *to);

/* Appends a title in words: "GPU time by kernel", where `between` is " by ". */
void chart_title(const struct chart *c, const char *between, struct buf *to);

/* Appends the name of the part that is the sum of n others: "(3 others)"; or stores it in *texts. */
void chart_others(struct buf *to, size_t n);
struct label chart_others_label(struct map *texts, size_t n);

/* The parts of a picture that have colors, by rank; all others have the last rank. Free it with chart_parts_free(). */
struct chart_parts {
	size_t n;        /* number of ranks */
	size_t *rank_of; /* by the number of the sum */
	struct label *labels;
	enum color *colors; /* COLOR_NONE for all others */
};

/*
 * Gives ranks to n sums in this order: to each that is `chosen` (by its number) its own. If all except one are chosen,
 * chooses that one, too: "(1 other)" would need as much room.
 */
struct chart_parts chart_parts_of(
    const struct ranked_sums *sums, const size_t *order, size_t n, bool *chosen, struct map *texts);
void chart_parts_free(struct chart_parts *p);

/* Returns whether a record of a report is a subtotal: it has a `level`, and lacks at least one key. */
bool chart_is_subtotal(struct chart *c, struct event *e);

/* Reports records that have no row in the picture. They are lost unless the user gave -t. */
void chart_report_rows(struct chart *c, uint64_t left_out);

/* Draws a page that says that there are no records, or that no record has a value. */
void chart_nothing(struct chart *c);

/* --marks writes the boxes of a picture as records, which a report can show (report(5)). */
enum {
	CHART_MARKS_COLUMNS = 1000, /* boxes narrower than this part of the picture are joined or left out */
	CHART_MARKS_MOST = 3000,    /* number of frames of a flame graph */
};

/* Begins such a record, to which the caller adds members; ends it, and writes it. */
void chart_mark_begin(struct buf *line);
void chart_mark_end(struct buf *line, struct out *out);

#endif
