/* nsys_private: the state of the Nsight Systems reader, which nsys.c and nsys_texts.c share. */
#ifndef NSYS_PRIVATE_H
#define NSYS_PRIVATE_H

#include "nsys.h"
#include "json/iter.h"
#include "base/num_format.h"

struct nsys {
	struct lines lines;
	struct nsys_names names;
	struct nsys_names domains;   /* by "PID:DOMAIN" */
	struct nsys_spool spool;
	bool giving;                 /* the spool is being given back */
	bool ended, failed;          /* nothing follows in the source; the spool cannot go on */
	struct iter list;            /* the elements of a {"data":[...]} line, while it goes on */
	struct nsys_line list_line;
	struct nsys_row row;
	struct buf repaired, name, short_name, src;
	char pid[NUM_ROOM], tid[NUM_ROOM];
};

/* Takes the text of the row s->row, a line of type String or a row of the table StringIds. */
void nsys_take_string(struct nsys *s, struct reader *r, const struct nsys_line *line);

/*
 * Takes the texts of a row {"data":["a","b",...]}: the id of a text is its index. When the elements are objects, sets
 * s->list instead, so that they are read as rows.
 */
void nsys_take_list(struct nsys *s, struct reader *r, const struct nsys_line *line);

/* Sets *text to the text of an id, as JSON; p is NULL where there is no id. False when the text has not come yet. */
bool nsys_text_of(struct nsys *s, struct str id, struct str *text);

/* Returns the text "#37", made in *to, for id 37, which has no text in the whole file; reports this as lost. */
struct str nsys_unnamed(struct reader *r, const struct nsys_line *line, struct str id, struct buf *to);

/*
 * Returns the name of the domain of s->row; p is NULL when its creation was not seen. Stores `created` first as that
 * name, if its p is not NULL. Each process has its own domain ids.
 */
struct str nsys_domain_name(struct nsys *s, struct str created);

#endif
