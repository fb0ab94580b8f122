/* nsys_record: makes the record of a row, for the readers of JSON and of databases. */
#ifndef NSYS_RECORD_H
#define NSYS_RECORD_H

#include "base/num_format.h"
#include "nsys_row.h"
#include "trace2ndjson/formats/format.h"
#include "trace2ndjson/formats/id_texts.h"

/*
 * Returns a JSON string, escaped in the same way as all stored texts. The writers of the source differ: one escapes
 * '/', another '<' and '>'. Returns the text itself when it has no escapes; otherwise appends the new form to *to and
 * returns a view of it.
 */
struct str nsys_plain(struct buf *to, struct str text);

/* The row that becomes a record, and the memory of the record. Zero-initialise. */
struct nsys_record {
	/*
	 * Set by the reader: sets *text to the text of an id (digits), as JSON. The text may be stored in *to, which is
	 * empty. Returns false and sets text->p to NULL when the text is not known, or not yet known.
	 */
	bool (*text_of)(void *arg, struct str id, struct buf *to, struct str *text);
	void *arg;
	struct nsys_row row;
	struct str given_name;   /* set by the reader: the name, if the row itself has none; otherwise p is NULL */
	struct str more;         /* set by the reader: the attachments, as in struct event */
	struct id_texts domains; /* the names of domains; the ids are texts "PID:DOMAIN" */
	/* Set by nsys_record_begin(). */
	struct nsys_row_kind kind;
	struct str id, short_id; /* ids of the names; p == NULL for an absent id */
	struct str name, short_name;
	struct str domain; /* the domain of an NVTX event */
	bool named;        /* the texts of both names are known; that of the domain may be unknown */
	/* private */
	struct buf name_text, short_text, src;
	/* The global id of the last record, and the pid and tid in it as JSON: most records have the same one. */
	char global_id[NUM_ROOM], pid_text[NUM_ROOM], tid_text[NUM_ROOM];
	size_t global_id_length;
	bool of_thread; /* the id is that of a thread */
	struct str pid, tid;
};

/*
 * Finds the kind and the names of record->row, whose shape is set. Returns false when the row does not become a record
 * of a selected kind, whatever its name.
 */
bool nsys_record_begin(struct nsys_record *record, struct reader *r);

/*
 * Makes the record, after nsys_record_begin(). Returns false when it is not selected, or was counted as lost: `line` is
 * its place.
 */
bool nsys_record_make(struct nsys_record *record, struct reader *r, const struct line *line, struct event *e);

/*
 * Returns the name of the domain of record->row; p is NULL when the creation of the domain was not read. If created.p
 * is not NULL, stores `created` as that name first. Each process has its own domain ids.
 */
struct str nsys_record_domain(struct nsys_record *record, struct str created);

/* Makes the record of a string, for the option --strings. `text` is JSON. */
void nsys_record_string(struct event *e, struct str id, struct str text);

/* The tables of counters, and the tables that have the names of their metrics, by two ids. */
struct nsys_metric {
	const char *rows, *names, *ids[2], *name;
	bool gpu; /* the device is in the lower bits of the first id */
};

/* Returns the row for a table of counters, or for a table of names if `names` is set; NULL for another table. */
const struct nsys_metric *nsys_metric_of(struct str table, bool names);

void nsys_record_free(struct nsys_record *record);

#endif
