/* nsys_private: the state of the Nsight Systems reader, which nsys.c and nsys_texts.c share. */
#ifndef NSYS_PRIVATE_H
#define NSYS_PRIVATE_H

#include "nsys.h"
#include "json/iter.h"

struct nsys {
	struct lines lines;
	struct nsys_names names;
	struct nsys_spool spool;
	bool giving;        /* the spool is being read back */
	bool ended, failed; /* ended: the source has ended; failed: the spool failed and cannot be used */
	struct iter list;   /* the elements of the {"data":[...]} line that is being read */
	struct nsys_line list_line;
	struct iter texts;     /* --strings: the texts of a {"data":["a",...]} line that are not written yet */
	uint64_t texts_number; /* the id of the next text in `texts` */
	struct nsys_record record;
	struct buf repaired, text;
	char text_id[NUM_ROOM]; /* --strings: the id in the record of a text */
	char dev[NUM_ROOM];     /* the device of a counter */
	int64_t rank;           /* of the first row of MPI_RANKS; rank_text is its JSON */
	uint64_t ranks;         /* number of these rows */
	char rank_text[NUM_ROOM];
};

/*
 * Adds the text of the row s->record.row, a line of type String or a row of the table StringIds. Returns whether *e is
 * set: with --strings, to the record of this string.
 */
bool nsys_take_string(struct nsys *s, struct reader *r, const struct nsys_line *line, struct event *e);

/*
 * With --strings, sets *e to the record of the next text in s->texts, and returns true; false when all are written.
 * s->texts is valid until the next line is read.
 */
bool nsys_next_text(struct nsys *s, struct event *e);

/*
 * Adds the texts of a line {"data":["a","b",...]}; the id of a text is its index. With --strings, sets s->texts, from
 * which their records are made. When the elements are objects, sets s->list instead, and the elements are then read as
 * rows.
 */
void nsys_take_list(struct nsys *s, struct reader *r, const struct nsys_line *line);

/* The function text_of of struct nsys_record; `arg` is the struct nsys. */
bool nsys_text_of(void *arg, struct str id, struct buf *to, struct str *text);

/*
 * Takes the data that other rows need from a row of the table MPI_RANKS or TARGET_INFO_*_METRICS: the rank of the
 * following records, r->rank, if all rows of MPI_RANKS have the same; the name of a metric.
 */
void nsys_take_metadata(struct nsys *s, struct reader *r, const struct nsys_line *line);

/*
 * For a counter: sets s->record.name and the device. If the name is not known yet, sets s->record.named.all to false.
 */
void nsys_name_metric(struct nsys *s, const struct nsys_line *line);

#endif
