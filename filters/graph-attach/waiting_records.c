#include "waiting_records.h"

#include "json/scan.h"

void waiting_records_init(struct waiting_records *w)
{
	spool_init(&w->rest);
}

bool waiting_records_add(struct waiting_records *w, struct waiting_record record, struct str text, struct fault *f)
{
	const struct str own = str_head(text, text.n - (record.same ? record.tail_n : 0));
	const struct str head = str_head(own, record.same ? record.shared_at : own.n);
	const struct str rest = str_from(own, record.same ? record.shared_at + record.shared_n : own.n);
	const size_t need = sizeof record + head.n + rest.n;

	record.n = (uint32_t)(head.n + rest.n);
	if (!w->rest.size && w->from && w->first.n + need > WAITING_RECORDS_MEMORY / 2 && w->from >= w->first.n / 2) {
		w->first.n -= w->from;
		memmove(w->first.p, w->first.p + w->from, w->first.n);
		w->from = 0;
	}
	if (w->rest.size || w->first.n + need > WAITING_RECORDS_MEMORY)
		return spool_add(&w->rest, &record, sizeof record, f) && spool_add(&w->rest, head.p, head.n, f) &&
		       spool_add(&w->rest, rest.p, rest.n, f);
	buf_room(&w->first, need + SOURCE_PAD);
	buf_add(&w->first, &record, sizeof record);
	buf_add(&w->first, head.p, head.n);
	buf_add(&w->first, rest.p, rest.n);
	return true;
}

/* Returns n bytes of the oldest record, from its beginning on, or NULL. */
static const char *oldest(struct waiting_records *w, size_t n, struct fault *f)
{
	if (w->from < w->first.n)
		return w->first.p + w->from;
	return spool_read(&w->rest, &w->window, w->rest_from, n, f);
}

bool waiting_records_oldest(struct waiting_records *w, struct waiting_record *record, struct fault *f)
{
	const char *p = oldest(w, sizeof *record, f);

	if (p)
		memcpy(record, p, sizeof *record);
	return p;
}

/* Removes the oldest record, of n bytes. They stay readable until the next record is added or read. */
static void remove_oldest(struct waiting_records *w, size_t n)
{
	if (w->from < w->first.n) {
		w->from += n;
		if (w->from == w->first.n)
			w->from = w->first.n = 0;
		return;
	}
	w->rest_from += n;
	if (w->rest_from == w->rest.size) {
		spool_clear(&w->rest, &w->window);
		w->rest_from = 0;
	}
}

/* Puts the shared texts back into the text of a record. */
static struct str whole_text(struct waiting_records *w, const struct waiting_record *record, struct str stored)
{
	w->text.n = 0;
	buf_add(&w->text, stored.p, record->shared_at);
	buf_add(&w->text, w->shared.p, w->shared.n);
	buf_add(&w->text, stored.p + record->shared_at, stored.n - record->shared_at);
	buf_add(&w->text, w->tail.p, record->tail_n);
	scan_pad(&w->text);
	return buf_str(&w->text);
}

bool waiting_records_take(
    struct waiting_records *w, const struct waiting_record *record, struct str *text, struct fault *f)
{
	const char *p = oldest(w, sizeof *record + record->n, f);

	if (!p)
		return false;
	*text = (struct str){p + sizeof *record, record->n};
	if (record->same) {
		*text = whole_text(w, record, *text);
	} else if (record->shared_n) {
		w->shared.n = w->tail.n = 0;
		buf_add(&w->shared, text->p + record->shared_at, record->shared_n);
		buf_add(&w->tail, text->p + text->n - record->tail_n, record->tail_n);
	}
	remove_oldest(w, sizeof *record + record->n);
	return true;
}

void waiting_records_free(struct waiting_records *w)
{
	bufs_free(&w->first, &w->shared, &w->tail, &w->text);
	spool_window_free(&w->window);
	spool_free(&w->rest);
}
