/*
 * nsys_texts: maps the ids in rows to their texts. It reads the rows and lists that define the texts.
 */
#include "nsys_private.h"

#include "json/iter.h"

/* Returns whether the strings become records. */
static bool writes_strings(const struct reader *r)
{
	const struct nsys_run *run = r->run;

	return run->strings && reader_wants(r, KIND_META);
}

/* Sets *e to the record of a string. `text` is JSON. */
static void set_string(struct nsys *s, struct event *e, struct str id, struct str text)
{
	s->text.n = 0;
	event_clear(e);
	event_set_kind(e, KIND_META);
	event_set(e, EVENT_CAT, STR("\"string\""));
	event_set(e, EVENT_ID, id);
	event_set(e, EVENT_NAME, nsys_plain(&s->text, text));
}

bool nsys_take_string(struct nsys *s, struct reader *r, const struct nsys_line *line, struct event *e)
{
	struct str id = s->record.row.v[NSYS_ID], value = s->record.row.v[NSYS_VALUE];

	if (id.p)
		id = nsys_whole(id);
	if (!id.p || !value.p || value.p[0] != '"') {
		reader_lost(r, "string without an id or a text; skipped", line->line, line->offset);
		return false;
	}
	nsys_names_put(&s->names, id, value);
	if (!writes_strings(r))
		return false;
	set_string(s, e, id, value);
	return true;
}

bool nsys_next_text(struct nsys *s, struct event *e)
{
	struct str key, value, id;

	while (s->texts.close && iter_next(&s->texts, &key, &value) > 0) {
		id = (struct str){s->text_id, (size_t)(num_put_u64(s->text_id, s->texts_number++) - s->text_id)};
		if (value.p[0] == '"') {
			set_string(s, e, id, value);
			return true;
		}
	}
	s->texts.close = 0;
	return false;
}

void nsys_take_list(struct nsys *s, struct reader *r, const struct nsys_line *line)
{
	char digits[NUM_ROOM];
	struct str key, value;
	struct iter w;
	uint64_t i;
	int got;

	iter_init(&w, s->record.row.v[NSYS_DATA]);
	for (i = 0; (got = iter_next(&w, &key, &value)) > 0; i++) {
		if (i == 0 && value.p[0] == '{') {
			iter_init(&s->list, s->record.row.v[NSYS_DATA]);
			s->list_line = *line;
			return;
		}
		if (value.p[0] == '"')
			nsys_names_put(
			    &s->names, (struct str){digits, (size_t)(num_put_u64(digits, i) - digits)}, value);
	}
	if (got < 0)
		reader_lost(r, "not a valid JSON array; rest of the array skipped", line->line, line->offset);
	if (writes_strings(r)) {
		iter_init(&s->texts, s->record.row.v[NSYS_DATA]);
		s->texts_number = 0;
	}
}

bool nsys_text_of(void *arg, struct str id, struct buf *to, struct str *text)
{
	struct nsys *s = arg;

	(void)to;
	*text = nsys_names_get(&s->names, id);
	return text->p;
}
