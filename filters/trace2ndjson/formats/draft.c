#include "draft.h"

#include "json/string.h"
#include "json/write.h"

void draft_begin(const struct reader *r, struct event *e, enum event_kind kind)
{
	struct draft *d = r->draft;

	event_clear(e);
	event_set_kind(e, kind);
	d->name.n = d->attachments.n = d->args.n = 0;
	buf_char(&d->args, '{');
}

void draft_name(struct draft *d, struct str name)
{
	d->name.n = 0;
	json_quote(&d->name, name);
}

bool draft_end(const struct reader *r, struct event *e)
{
	struct draft *d = r->draft;

	if (d->name.n)
		event_set(e, EVENT_NAME, buf_str(&d->name));
	if (d->attachments.n)
		e->attachments = buf_str(&d->attachments);
	if (r->args && d->args.n > 1) {
		json_write_end(&d->args, '}');
		event_set(e, EVENT_ARGS, buf_str(&d->args));
	}
	return reader_wants(r, event_get_kind(e));
}

bool draft_text(struct reader *r, const struct line *line, struct str text, const char *note, struct event *e)
{
	const struct format_log *log = r->run;

	if (!log->keep_text) {
		reader_note(r, note, line->line, line->offset);
		return false;
	}
	draft_begin(r, e, KIND_OTHER);
	draft_name(r->draft, text);
	json_write_text(&r->draft->args, "class", STR("text"));
	return draft_end(r, e);
}
