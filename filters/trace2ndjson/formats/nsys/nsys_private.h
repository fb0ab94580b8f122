/* nsys_private: the state of the Nsight Systems reader, which nsys.c and nsys_texts.c share. */
#ifndef NSYS_PRIVATE_H
#define NSYS_PRIVATE_H

#include "nsys.h"
#include "json/iter.h"
#include "base/num_format.h"

/* The memory that the reader keeps for all files. */
struct nsys_run {
	bool strings; /* --strings: each string becomes a record */
};

struct nsys {
	struct lines lines;
	struct nsys_names names;
	struct nsys_names domains; /* the names of domains; the ids are texts "PID:DOMAIN" */
	struct nsys_spool spool;
	bool giving;        /* the spool is being read back */
	bool ended, failed; /* ended: the source has ended; failed: the spool failed and cannot be used */
	struct iter list;   /* the elements of the {"data":[...]} line that is being read */
	struct nsys_line list_line;
	struct iter texts;     /* --strings: the texts of a {"data":["a",...]} line that are not written yet */
	uint64_t texts_number; /* the id of the next text in `texts` */
	struct nsys_row row;
	struct buf repaired, name, short_name, src;
	char pid[NUM_ROOM], tid[NUM_ROOM];
};

/*
 * Adds the text of the row s->row, a line of type String or a row of the table StringIds. Returns whether *e is set:
 * with --strings, to the record of this string.
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

/*
 * Sets *text to the text of an id, as JSON. If id.p is NULL, sets text->p to NULL. False when the text has not been
 * read yet.
 */
bool nsys_text_of(struct nsys *s, struct str id, struct str *text);

/*
 * Returns a name such as "#37", made in *to, for an id that has no text in the whole file, and reports the text as
 * lost.
 */
struct str nsys_unnamed(struct reader *r, const struct nsys_line *line, struct str id, struct buf *to);

/*
 * Returns the name of the domain of s->row; p is NULL when the creation of the domain was not read. If created.p is not
 * NULL, stores `created` as that name first. Each process has its own domain ids.
 */
struct str nsys_domain_name(struct nsys *s, struct str created);

#endif
