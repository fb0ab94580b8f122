#include "joined_members.h"

#include "base/err.h"
#include "expression/result.h"
#include "json/iter_inline.h"
#include "json/string.h"
#include "json/write.h"
#include "record/event_attach.h"

#include <stdlib.h>

void joined_members_take(struct joined_members *j, struct str name, struct field *field)
{
	struct buf quoted = {0};
	const struct str key = json_inner(json_quoted(&quoted, name));

	j->takes = mem_grow(j->takes, &j->takes_cap, j->n_takes + 1, sizeof *j->takes);
	j->takes[j->n_takes++] = (struct joined_take){field, map_put(&j->names, key), event_member(name)};
	if (event_member(name) < EVENT_N)
		j->standard |= 1u << event_member(name);
	buf_free(&quoted);
}

void joined_members_free(struct joined_members *j)
{
	free(j->takes);
	map_free(&j->names);
	bufs_free(&j->row, &j->others, &j->quoted, &j->room);
}

/* --- rows --- */

/*
 * A row is the length of the text of the members that are attachments, as a uint32_t, this text, and that of the
 * standard members. Returns both texts, and sets *attachments to the first one.
 */
static struct str row_text(struct str row, struct str *attachments)
{
	uint32_t length;
	const struct str text = str_from(row, sizeof length);

	memcpy(&length, row.p, sizeof length);
	*attachments = str_head(text, length);
	return text;
}

static void put_member(struct buf *to, struct str key, struct str value)
{
	if (!str_eq(value, STR("null"))) /* null: an absent member */
		json_write_member(to, key, value);
}

static void put_takes(struct joined_members *j, struct event *e)
{
	struct joined_take *take;
	struct buf text = {0};
	struct result r, fit;
	struct value v;

	for (take = j->takes; j->n_takes && take < j->takes + j->n_takes; take++) {
		if (!field_get(take->field, e, 0, &v))
			continue;
		if (take->member == EVENT_N) {
			put_member(&j->row, map_key(&j->names, take->name), v.text);
			continue;
		}
		/* A standard member of type integer gets 5 for 5.0. */
		r = result_of(&v);
		fit = result_of_member(take->member, &r);
		if (fit.type == RESULT_FAILED) {
			j->unfit++;
			continue;
		}
		text.n = 0;
		result_write(&text, &fit);
		put_member(&j->row, map_key(&j->names, take->name), buf_str(&text));
	}
	buf_free(&text);
}

/* Returns the name of the i-th member of a record or a row; it has the number SIZE_MAX if it is in no row. */
static const struct joined_column *name_of(struct joined_members *j, size_t i, struct str key)
{
	struct joined_column *c = &j->columns[i % EVENT_LISTED];
	enum event_member member;

	if (c->key.p && str_eq(key, c->key))
		return c;
	member = event_member(key);
	if (member < EVENT_N && (j->skip >> member & 1)) {
		*c = (struct joined_column){str_of(event_member_name(member)), SIZE_MAX, member};
		return c;
	}
	if (member < EVENT_N)
		j->standard |= 1u << member;
	if (memchr(key.p, '\\', key.n)) { /* two ways to write a name get one number */
		key = json_inner(json_quoted(&j->quoted, json_decoded(&j->room, key)));
	}
	c->name = map_put(&j->names, key);
	c->key = map_key(&j->names, c->name);
	c->member = member;
	return c;
}

static void put_named(struct joined_members *j, size_t i, struct str key, struct str value)
{
	const struct joined_column *c = name_of(j, i, key);
	struct buf *to;

	if (c->name == SIZE_MAX)
		return;
	j->twice |= j->seen >> c->name % 64 & 1;
	j->seen |= (uint64_t)1 << c->name % 64;
	to = c->member < EVENT_N ? &j->others : &j->row;
	if (c->key.n != key.n || value.p != key.p + key.n + 2 || value.p[0] == 'n') {
		put_member(to, c->key, value);
		return;
	}
	buf_char(to, ',');
	buf_add(to, key.p - 1, key.n + value.n + 3);
}

/* Puts all members into the row; uses the list of members that the record has if all its parts were read. */
static void put_all(struct joined_members *j, const struct event *e)
{
	struct str key, value;
	struct iter w;
	size_t i;

	for (i = 0; !e->prefix && i < e->n_listed; i++)
		put_named(j, i, e->list[i].key, e->list[i].value);
	if (i)
		return;
	iter_init(&w, e->raw);
	while (iter_quick(&w, &key, &value) > 0)
		put_named(j, i++, key, value);
}

struct str joined_members_row(struct joined_members *j, struct event *e)
{
	uint32_t attachments = 0;

	j->row.n = j->others.n = 0;
	j->seen = 0;
	buf_add(&j->row, &attachments, sizeof attachments);
	if (j->n_takes)
		put_takes(j, e);
	else
		put_all(j, e);
	attachments = (uint32_t)(j->row.n - sizeof attachments);
	memcpy(j->row.p, &attachments, sizeof attachments);
	buf_add(&j->row, j->others.p, j->others.n);
	if (j->row.n > UINT32_MAX)
		die("members too large to store: at most 4 GiB; see --max-record");
	return buf_str(&j->row);
}

/* --- writing --- */

void joined_members_edits(const struct joined_members *j, struct member_edits *edits)
{
	struct buf name = {0};
	size_t i;

	for (i = 0; i < j->names.n; i++)
		member_edits_add(edits, json_decoded(&name, map_key(&j->names, i)));
	buf_free(&name);
}

size_t joined_members_place(const struct joined_members *j, struct event *e)
{
	const struct event_listed *m = e->list, *end;
	size_t at = SIZE_MAX;

	event_walk(e);
	/* All standard members of rows must be in the record, which keeps its own. */
	if (j->twice || (j->n_takes ? j->standard : j->standard & ~e->has) || !e->n_listed || e->reading == EVENT_TWICE)
		return 0;
	for (end = m + e->n_listed; m < end; m++) {
		if (m->member == EVENT_N &&
		    (map_find(&j->names, m->key) != MAP_NONE || (!e->prefix && memchr(m->key.p, '\\', m->key.n))))
			return 0;
		if (at == SIZE_MAX && (m->member == EVENT_ARGS || m->member == EVENT_SRC))
			at = (size_t)(m->key.p - 2 - e->raw.p);
	}
	if (at < SIZE_MAX)
		return e->raw.p[at] == ',' ? at : 0;
	return (size_t)(end[-1].value.p + end[-1].value.n - e->raw.p);
}

void joined_members_insert(struct str row, size_t place, struct out *o, const struct event *e)
{
	struct str attachments;

	row_text(row, &attachments);
	event_attach_insert(o, e->raw, place, attachments);
}

void joined_members_write(
    struct joined_members *j, struct member_edits *edits, struct str row, struct out *o, const struct event *e)
{
	struct str key, value, attachments, text = row_text(row, &attachments);
	struct member_edit *edit;
	bool changed = false;
	struct iter w;
	size_t i;

	for (i = 0; i < edits->n; i++)
		edits->list[i].with = edits->list[i].old;
	w = (struct iter){text.p + 1, text.p + text.n, '}', true}; /* begins after the first comma */
	for (i = 0; text.n && iter_quick(&w, &key, &value) > 0; i++) {
		edit = &edits->list[name_of(j, i, key)->name];
		if (edit->old.p && !j->n_takes)
			continue;
		edit->with = value;
		changed = true;
	}
	if (changed)
		member_edits_write(edits, o, e);
	else
		event_copy(o, e);
}
