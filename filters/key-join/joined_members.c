#include "joined_members.h"

#include "base/err.h"
#include "expression/result.h"
#include "json/iter_inline.h"
#include "json/string.h"

#include <stdlib.h>

/* In a row, a member is this head and the value. */
struct joined_head {
	uint32_t name, n; /* name: its number; n: length of the value */
};

void joined_members_take(struct joined_members *j, struct str name, struct field *field)
{
	struct buf quoted = {0};

	json_quote(&quoted, name);
	j->takes = mem_grow(j->takes, &j->takes_cap, j->n_takes + 1, sizeof *j->takes);
	j->takes[j->n_takes++] =
	    (struct joined_take){field, map_put(&j->names, json_inner(buf_str(&quoted))), event_member(name)};
	buf_free(&quoted);
}

void joined_members_free(struct joined_members *j)
{
	free(j->takes);
	map_free(&j->names);
	buf_free(&j->row);
}

/* --- rows --- */

static void put_member(struct joined_members *j, size_t name, struct str value)
{
	const struct joined_head head = {(uint32_t)name, (uint32_t)value.n};

	if (name == SIZE_MAX || str_eq(value, STR("null"))) /* null: an absent member */
		return;
	if (value.n > UINT32_MAX)
		die("value too large to store: at most 4 GiB; see --max-record");
	buf_add(&j->row, &head, sizeof head);
	buf_add(&j->row, value.p, value.n);
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
			put_member(j, take->name, v.text);
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
		put_member(j, take->name, buf_str(&text));
	}
	buf_free(&text);
}

/* Returns the number of the name of the i-th member of a record, SIZE_MAX if it is in no row. */
static size_t name_of(struct joined_members *j, size_t i, struct str key)
{
	struct joined_column *c = &j->columns[i % EVENT_LISTED];
	enum event_member member;

	if (!c->key.p || !str_eq(key, c->key)) {
		member = event_member(key);
		if (member < EVENT_N && (j->skip >> member & 1)) {
			*c = (struct joined_column){str_of(event_member_name(member)), SIZE_MAX};
		} else {
			c->name = map_put(&j->names, key);
			c->key = map_key(&j->names, c->name);
		}
	}
	return c->name;
}

/* Puts all members into the row; uses the list of members that the record has if all its parts were read. */
static void put_all(struct joined_members *j, const struct event *e)
{
	struct str key, value;
	struct iter w;
	size_t i;

	for (i = 0; !e->prefix && i < e->n_listed; i++)
		put_member(j, name_of(j, i, e->list[i].key), e->list[i].value);
	if (i)
		return;
	iter_init(&w, e->raw);
	while (iter_quick(&w, &key, &value) > 0)
		put_member(j, name_of(j, i++, key), value);
}

struct str joined_members_row(struct joined_members *j, struct event *e)
{
	j->row.n = 0;
	if (j->n_takes)
		put_takes(j, e);
	else
		put_all(j, e);
	return buf_str(&j->row);
}

/* --- writing --- */

void joined_members_edits(const struct joined_members *j, struct member_edits *edits)
{
	struct buf name = {0};
	size_t i;

	for (i = 0; i < j->names.n; i++) {
		name.n = 0;
		json_unescape(&name, map_key(&j->names, i));
		member_edits_add(edits, buf_str(&name));
	}
	buf_free(&name);
}

void joined_members_write(
    const struct joined_members *j, struct member_edits *edits, struct str row, struct out *o, const struct event *e)
{
	const char *p = row.p, *end = p + row.n;
	struct joined_head head;
	struct member_edit *edit;
	bool changed = false;
	size_t i;

	for (i = 0; i < edits->n; i++)
		edits->list[i].with = edits->list[i].old;
	for (; p < end; p += head.n) {
		memcpy(&head, p, sizeof head);
		p += sizeof head;
		edit = &edits->list[head.name];
		if (edit->old.p && !j->n_takes)
			continue;
		edit->with = (struct str){p, head.n};
		changed = true;
	}
	if (changed)
		member_edits_write(edits, o, e);
	else
		event_copy(o, e);
}
