#include "join_queue.h"

#include "joined_members.h"
#include "json/scan.h"
#include "row_table.h"

void join_queue_init(struct join_queue *q)
{
	size_t i;

	for (i = 0; i < JOIN_QUEUE_LENGTH; i++)
		joined_members_edits(q->members, &q->items[i].edits);
}

void join_queue_free(struct join_queue *q)
{
	size_t i;

	for (i = 0; i < JOIN_QUEUE_LENGTH; i++) {
		member_edits_free(&q->items[i].edits);
		bufs_free(&q->items[i].raw, &q->items[i].copy);
	}
}

static struct join_queue_item *item_at(struct join_queue *q, size_t i)
{
	return &q->items[i % JOIN_QUEUE_LENGTH];
}

/* Writes the record that has waited for the longest time. */
static void take_out(struct join_queue *q)
{
	struct join_queue_item *item = item_at(q, q->ended++);
	struct str row = {NULL, 0};

	q->event.raw = buf_str(&item->raw);
	if (item->key.p)
		row = row_table_end(q->rows, &item->search, item->key);
	if (row.p && item->place)
		joined_members_insert(row, item->place, q->out, &q->event);
	else if (row.p)
		joined_members_write(q->members, &item->edits, row, q->out, &q->event);
	else if (q->left)
		event_copy(q->out, &q->event);
	q->alone += !row.p;
}

void join_queue_read(struct join_queue *q, struct event *e)
{
	struct join_queue_item *item = item_at(q, q->begun);

	if (q->begun - q->ended == JOIN_QUEUE_LENGTH)
		take_out(q);
	item->place = joined_members_place(q->members, e);
	if (!item->place)
		member_edits_find(&item->edits, e);
}

void join_queue_add(struct join_queue *q, const struct event *e, struct str key)
{
	struct join_queue_item *item = item_at(q, q->begun++);
	const size_t at = (size_t)((uintptr_t)key.p - (uintptr_t)e->raw.p);
	struct join_queue_item *half = item_at(q, q->begun + JOIN_QUEUE_LENGTH / 2); /* half of the others came later */

	buf_set(&item->raw, e->raw);
	scan_pad(&item->raw);
	if (!item->place)
		member_edits_move(&item->edits, e->raw.p, item->raw.p);
	item->key.p = NULL;
	if (key.p) {
		if (at >= e->raw.n) { /* the key is not a part of the record */
			buf_set(&item->copy, key);
		}
		item->key = (struct str){at < e->raw.n ? item->raw.p + at : item->copy.p, key.n};
		row_table_begin(q->rows, &item->search, key);
	}
	if (q->begun - q->ended > JOIN_QUEUE_LENGTH / 2 && half->key.p)
		row_table_advance(q->rows, &half->search);
}

void join_queue_flush(struct join_queue *q)
{
	while (q->ended < q->begun)
		take_out(q);
}
