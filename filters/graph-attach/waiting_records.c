#include "waiting_records.h"

void waiting_records_init(struct waiting_records *w)
{
	spool_init(&w->rest);
}

bool waiting_records_add(struct waiting_records *w, struct waiting_record record, struct str text, struct fault *f)
{
	const size_t need = sizeof record + text.n;

	record.n = (uint32_t)text.n;
	if (!w->rest.size && w->from && w->first.n + need > WAITING_RECORDS_MEMORY / 2 && w->from >= w->first.n / 2) {
		w->first.n -= w->from;
		memmove(w->first.p, w->first.p + w->from, w->first.n);
		w->from = 0;
	}
	if (w->rest.size || w->first.n + need > WAITING_RECORDS_MEMORY)
		return spool_add(&w->rest, &record, sizeof record, f) && spool_add(&w->rest, text.p, text.n, f);
	buf_room(&w->first, need + SOURCE_PAD);
	buf_add(&w->first, &record, sizeof record);
	buf_add(&w->first, text.p, text.n);
	return true;
}

bool waiting_records_oldest(struct waiting_records *w, struct waiting_record *record, struct str *text, struct fault *f)
{
	const char *p = w->first.p + w->from;

	if (w->from == w->first.n) {
		p = spool_read(&w->rest, &w->window, w->rest_from, sizeof *record, f);
		if (!p)
			return false;
		memcpy(record, p, sizeof *record);
		p = spool_read(&w->rest, &w->window, w->rest_from, sizeof *record + record->n, f);
		if (!p)
			return false;
	}
	memcpy(record, p, sizeof *record);
	*text = (struct str){p + sizeof *record, record->n};
	return true;
}

void waiting_records_remove(struct waiting_records *w, const struct waiting_record *record)
{
	if (w->from < w->first.n) {
		w->from += sizeof *record + record->n;
		if (w->from == w->first.n)
			w->from = w->first.n = 0;
		return;
	}
	w->rest_from += sizeof *record + record->n;
	if (w->rest_from == w->rest.size) {
		spool_clear(&w->rest, &w->window);
		w->rest_from = 0;
	}
}

void waiting_records_free(struct waiting_records *w)
{
	buf_free(&w->first);
	spool_window_free(&w->window);
	spool_free(&w->rest);
}
