/*
 * join_queue: the records that are joined next. A few records wait until their rows are in the caches of the processor:
 * if the table is large, a search takes longer than reading a record.
 */
#ifndef JOIN_QUEUE_H
#define JOIN_QUEUE_H

#include "joined_members.h"
#include "row_table.h"

enum { JOIN_QUEUE_LENGTH = 16 }; /* a power of 2 */

/* Zero-initialise, set the first members, then call join_queue_init(); join_queue_free(). */
struct join_queue {
	const struct row_table *rows;
	struct joined_members *members;
	struct out *out;
	bool left;      /* records without a row are written unchanged; otherwise they are left out */
	uint64_t alone; /* number of records without a row */
	/* private */
	struct join_queue_item {
		size_t place; /* where members are inserted, 0 if `edits` are needed */
		struct member_edits edits;
		struct buf raw, copy; /* copies of the record, and of its key if the key is not a part of the record */
		struct str key;       /* p is NULL if the record has no key */
		struct row_table_search search;
	} items[JOIN_QUEUE_LENGTH];
	size_t begun, ended; /* number of records that were added and taken out */
	struct event event;  /* the record that is written */
};

/* To be called when the rows are complete. */
void join_queue_init(struct join_queue *q);
void join_queue_free(struct join_queue *q);

/*
 * Reads a record: the members that rows may replace. join_queue_add() adds the record that was read last; `key` is its
 * key in the table, or p is NULL.
 */
void join_queue_read(struct join_queue *q, struct event *e);
void join_queue_add(struct join_queue *q, const struct event *e, struct str key);

/* Writes all records that wait. */
void join_queue_flush(struct join_queue *q);

#endif
