#include "conversion.h"

#include "progress.h"
#include "relative.h"
#include "tags.h"

#include <stdlib.h>

void conversion_init(struct conversion *c)
{
	size_t i;

	for (i = 0; i < RECOGNISE_N; i++)
		c->runs[i] = mem_zero(1, recognise_formats[i]->run_size);
	c->writer = (struct record_writer){.conversion = c, .out = &c->out, .diagnostics = &c->diagnostics};
}

void conversion_free(struct conversion *c)
{
	size_t i;

	for (i = 0; i < RECOGNISE_N; i++)
		free(c->runs[i]);
	kept_args_free(&c->kept);
	name_begins_free(&c->begins);
	tags_free(&c->tags);
	record_writer_free(&c->writer);
}

void record_writer_free(struct record_writer *w)
{
	relative_free(&w->relative);
	kept_args_memory_free(&w->kept);
	tags_memory_free(&w->tags);
	scrub_free(&w->scrub);
}

/* Returns true for selected records. Readers may leave out records of other kinds, but need not. */
static bool is_wanted(const struct conversion *c, struct event *e)
{
	enum event_kind k;

	if (c->kinds == CONVERSION_ALL_KINDS && !c->begins.kinds)
		return true;
	k = event_get_kind(e);
	if (k == KIND_N)
		return c->kinds == CONVERSION_ALL_KINDS;
	return c->kinds >> k & 1 &&
	       (!name_begins_decide(&c->begins, k) || name_begins_has(&c->begins, k, event_get(e, EVENT_NAME)));
}

/* Sets the members that the options and the rank of the trace add to each record, and shortens args for --no-args. */
static void set_members(struct record_writer *w, const struct reader *r, struct event *e)
{
	const struct conversion *c = w->conversion;

	if (c->bare == CONVERSION_ALL_KINDS ||
	    (c->bare && event_get_kind(e) < KIND_N && c->bare >> event_get_kind(e) & 1))
		kept_args_apply(&c->kept, &w->kept, r->cut, e);
	if (r->rank.p && !event_has(e, EVENT_RANK))
		event_set(e, EVENT_RANK, r->rank);
	tags_put(&c->tags, &w->tags, e);
}

static void write_record(struct record_writer *w, struct fault_location at, struct event *e)
{
	if (w->conversion->scrub)
		scrub_apply(&w->scrub, w->conversion->scrub, e, w->diagnostics, at);
	event_write(w->out, e);
}

/* Writes a record with its times relative to the origin, or counts it as lost. */
static void write_relative(struct record_writer *w, struct fault_location at, struct event *e)
{
	switch (relative_shift(&w->relative, e)) {
	case RELATIVE_BEYOND:
		diagnostics_add(w->diagnostics, DIAGNOSTICS_LOST,
		    "ts or api.ts minus the origin does not fit in 64 bits; record skipped", at);
		return;
	case RELATIVE_ODD:
		diagnostics_add(
		    w->diagnostics, DIAGNOSTICS_NOTE, "ts is not an integer number of ns; treated as absent", at);
		break;
	case RELATIVE_DONE:
		break;
	}
	write_record(w, at, e);
}

/* The place of the record that the reader returned last. */
static struct fault_location place_of(const struct reader *r)
{
	return (struct fault_location){r->file, r->line, r->line ? 0 : r->offset ? r->offset : r->src->offset};
}

void record_writer_put(struct record_writer *w, const struct reader *r, struct event *e)
{
	if (!is_wanted(w->conversion, e))
		return;
	set_members(w, r, e);
	if (w->relative.on)
		write_relative(w, place_of(r), e);
	else
		write_record(w, place_of(r), e);
}

/* Writes the record that holds the origin, of any selected kind. It has no file, so --capture sets no members of it. */
static void write_origin(struct conversion *c)
{
	struct event e;

	tags_begin(&c->tags, NULL);
	relative_make_record(&c->writer.relative, &e);
	tags_put(&c->tags, &c->writer.tags, &e);
	event_write(&c->out, &e);
}

/* Writes the origin and the records that waited for it. */
static void begin_relative(struct conversion *c)
{
	struct event *waiting;
	size_t i;

	write_origin(c);
	for (i = 0; (waiting = relative_waiting(&c->writer.relative, i)); i++)
		write_relative(&c->writer, c->waiting_at, waiting);
}

/* Writes the record, or stores it until the origin, which does not depend on the selected kinds, is known. */
static void find_origin(struct conversion *c, struct reader *r, struct event *e)
{
	struct record_writer *w = &c->writer;
	struct event original = *e;

	set_members(w, r, e);
	if (relative_find(&w->relative, e)) {
		begin_relative(c);
		tags_begin(&c->tags, r->path);
		r->kinds = c->kinds;
		r->begins = &c->begins;
		*e = original; /* begin_relative() overwrote the attachments from set_members() */
		record_writer_put(w, r, e);
	} else if (is_wanted(c, e)) {
		if (relative_hold(&w->relative, e))
			c->waiting_at = place_of(r);
		else
			write_relative(w, place_of(r), e);
	}
}

void conversion_begin(struct conversion *c)
{
	if (c->writer.relative.known)
		write_origin(c);
}

void conversion_open(
    struct conversion *c, struct conversion_file *f, struct source *src, const char *path, enum recognise_format number)
{
	const bool origin_unknown = c->writer.relative.on && !c->writer.relative.known;

	*f = (struct conversion_file){.format = recognise_formats[number], .at = src};
	f->state = mem_zero(1, f->format->state_size);
	f->reader = (struct reader){.src = src,
	    .path = path,
	    .file = src->file,
	    .run = c->runs[number],
	    .kinds = origin_unknown ? CONVERSION_ALL_KINDS : c->kinds,
	    .begins = origin_unknown ? NULL : &c->begins,
	    .bare = c->kept.names.n ? c->bare : 0,
	    .args = c->bare != CONVERSION_ALL_KINDS || c->kept.names.n,
	    .kept = &c->kept,
	    .max_record = c->max_record,
	    .diagnostics = &c->diagnostics};
	format_open(f->format, f->state, &f->reader);
}

void conversion_put(struct conversion *c, struct conversion_file *f, struct event *e)
{
	progress_events(&c->progress, 1, f->at, f->reader.file);
	if (c->writer.relative.on && !c->writer.relative.known)
		find_origin(c, &f->reader, e);
	else
		record_writer_put(&c->writer, &f->reader, e);
}

void conversion_close(struct conversion_file *f)
{
	format_close(f->format, f->state, &f->reader);
	free(f->state);
}

void conversion_read(struct conversion *c, struct source *src, const char *path, enum recognise_format number)
{
	struct conversion_file f;
	struct event e;

	conversion_open(c, &f, src, path, number);
	while (!c->out.error && f.format->next(f.state, &f.reader, &e))
		conversion_put(c, &f, &e);
	conversion_close(&f);
}

void conversion_end(struct conversion *c)
{
	if (!c->writer.relative.known && relative_waiting(&c->writer.relative, 0))
		begin_relative(c);
}
