#include "record/member_edit.h"

#include "json/string.h"

#include <limits.h>

/* Returns the place of a member in canonical order. Attachments precede args. */
static unsigned member_order(enum event_member m)
{
	return m == EVENT_N ? EVENT_ARGS : m < EVENT_ARGS ? m : m + 1;
}

size_t member_edits_add(struct member_edits *m, struct str name)
{
	struct member_edit *edit;

	m->list = mem_grow(m->list, &m->cap, m->n + 1, sizeof *m->list);
	m->by_place = mem_resize(m->by_place, m->n + 1, sizeof *m->by_place);
	edit = &m->list[m->n];
	*edit = (struct member_edit){.member = event_member(name)};
	edit->rank = member_order(edit->member);
	json_quote(&edit->key, name);
	buf_char(&edit->key, ':');
	if (edit->member == EVENT_N) {
		m->attachments = true;
	} else {
		m->standard |= 1u << edit->member;
		m->standard_at[edit->member] = m->n;
	}
	return m->n++;
}

void member_edits_free(struct member_edits *m)
{
	while (m->n--)
		bufs_free(&m->list[m->n].key, &m->list[m->n].text);
	mem_free(m->list, m->by_place);
	*m = (struct member_edits){0};
}

/* --- finding --- */

static struct member_edit *find_edit(struct member_edits *m, enum event_member member, struct str key)
{
	size_t i;

	if (member != EVENT_N)
		return m->standard >> member & 1 ? &m->list[m->standard_at[member]] : NULL;
	for (i = 0; m->attachments && i < m->n; i++) {
		if (str_eq(key, json_inner(str_head(buf_str(&m->list[i].key), m->list[i].key.n - 1))))
			return &m->list[i];
	}
	return NULL;
}

/* Gets the next member, like event_next(); if `at` is not SIZE_MAX, the one with this index in the record's list. */
static int next_member(
    const struct event *e, struct iter *w, size_t at, enum event_member *member, struct str *key, struct str *value)
{
	if (at == SIZE_MAX)
		return event_next(w, member, key, value);
	if (at == e->n_listed)
		return 0;
	*key = e->list[at].key;
	*value = e->list[at].value;
	*member = e->list[at].member;
	return 1;
}

/* Returns whether the canonical prefix has this member. No member of the record may occur twice. */
static bool in_prefix(const struct event *e, enum event_member m)
{
	return event_has(e, m) && (size_t)(e->m[m].p - e->raw.p) < e->prefix;
}

/*
 * Sets the values of the members in the canonical prefix, which has no white space. ts and dur have their place in it
 * even if the record does not have them, or has them later.
 */
static void find_in_prefix(struct member_edits *m, const struct event *e)
{
	const enum event_member second = in_prefix(e, EVENT_DUR) ? EVENT_DUR : EVENT_KIND;
	enum event_member member, next;
	struct member_edit *edit;

	for (member = EVENT_TS; member <= EVENT_NAME; member++) {
		if (!(m->standard >> member & 1))
			continue;
		next = member == EVENT_TS ? second : EVENT_KIND;
		edit = &m->list[m->standard_at[member]];
		if (in_prefix(e, member))
			edit->old = e->m[member];
		else if (member < EVENT_KIND)
			edit->before = e->m[next].p - strlen(event_member_name(next)) - 3; /* two quotes and a colon */
	}
}

/*
 * The same as member_edits_find() for a record with only standard members, all of them different, and a list with only
 * others: the record has no member of the list.
 */
static void find_in_plain(struct member_edits *m, const struct event *e)
{
	const struct event_listed *member = e->list, *end = member + e->n_listed;
	size_t i;

	while (member < end && member->member < EVENT_ARGS)
		member++;
	for (i = 0; i < m->n; i++)
		m->list[i].old = (struct str){NULL, 0};
	m->place = member < end ? member->key.p - 1 : end[-1].value.p + end[-1].value.n;
}

/* The same for a record that was walked. */
static void find_in_walked(struct member_edits *m, struct event *e)
{
	const bool skip = e->prefix && e->reading != EVENT_TWICE; /* the canonical prefix is not read again */
	enum event_member member = EVENT_N;
	struct member_edit *edit;
	struct str key, value;
	unsigned lowest = UINT_MAX, next, order; /* the lowest rank of members that have no place yet */
	size_t at = e->n_listed && (skip || !e->prefix) ? 0 : SIZE_MAX, i;
	struct iter w;
	int r;

	for (i = 0; i < m->n; i++) {
		m->list[i].old.p = m->list[i].before = NULL;
		if (m->list[i].rank < lowest && !(skip && m->list[i].rank < EVENT_NAME))
			lowest = m->list[i].rank;
	}
	m->place = NULL;
	m->twice = false;
	m->any = skip;
	if (skip) {
		find_in_prefix(m, e);
		event_iter_init(&w, e);
		member = EVENT_NAME;
	} else {
		iter_init(&w, e->raw);
	}
	m->last = m->any ? w.p : e->raw.p + 1;
	for (; (r = next_member(e, &w, at, &member, &key, &value)) > 0; at += at != SIZE_MAX) {
		order = member_order(member);
		while (lowest < order) { /* this is the place of the members of that rank */
			for (next = UINT_MAX, i = 0; i < m->n; i++) {
				if (m->list[i].rank == lowest)
					m->list[i].before = key.p - 1;
				else if (m->list[i].rank > lowest && m->list[i].rank < next)
					next = m->list[i].rank;
			}
			lowest = next;
		}
		edit = find_edit(m, member, key);
		if (edit) {
			m->twice |= edit->old.p != NULL;
			edit->old = value;
		}
		m->last = value.p + value.n;
		m->any = true;
	}
	event_broken_if(e, r < 0);
}

void member_edits_find(struct member_edits *m, struct event *e)
{
	event_walk(e);
	if (e->reading == EVENT_PLAIN && e->n_listed && !m->standard && !m->only)
		find_in_plain(m, e);
	else
		find_in_walked(m, e);
}

void member_edits_move(struct member_edits *m, const char *from, const char *to)
{
	size_t i;

	if (m->place) {
		m->place = to + (m->place - from);
		return;
	}
	for (i = 0; i < m->n; i++) {
		struct member_edit *edit = &m->list[i];

		edit->old.p = edit->old.p ? to + (edit->old.p - from) : NULL;
		edit->before = edit->before ? to + (edit->before - from) : NULL;
	}
	m->last = to + (m->last - from);
}

/* --- writing --- */

static void put_member(struct out *o, const struct member_edit *edit)
{
	out_add(o, edit->key.p, edit->key.n);
	out_str(o, edit->with);
}

static const char *place_of(const struct member_edits *m, const struct member_edit *edit)
{
	return edit->old.p ? edit->old.p : edit->before ? edit->before : m->last;
}

static bool follows(const struct member_edits *m, const struct member_edit *a, const struct member_edit *b)
{
	const char *place = place_of(m, a), *other = place_of(m, b);

	return place > other || (place == other && a->rank > b->rank);
}

/* Sets by_place to the members that are replaced or added, in the order of their places; returns their number. */
static size_t sort_by_place(struct member_edits *m)
{
	size_t n = 0, at, i;

	for (i = 0; i < m->n; i++) {
		struct member_edit *edit = &m->list[i];

		if (!edit->with.p)
			continue;
		for (at = n; at > 0 && follows(m, m->by_place[at - 1], edit); at--)
			m->by_place[at] = m->by_place[at - 1];
		m->by_place[at] = edit;
		n++;
	}
	return n;
}

/*
 * Writes all members one by one, without white space between them. This is needed if members are removed or occur
 * several times. by_place[0..n) are the members that are replaced or added.
 */
static void write_each(struct member_edits *m, size_t n, struct out *o, const struct event *e)
{
	struct str key, value;
	char comma = '{';
	struct iter w;
	size_t at = 0;
	bool more;

	iter_init(&w, e->raw);
	do {
		more = iter_next(&w, &key, &value) > 0;
		for (; at < n && (!more || place_of(m, m->by_place[at]) < key.p); at++) {
			if (m->by_place[at]->old.p)
				continue;
			out_char(o, comma);
			put_member(o, m->by_place[at]);
			comma = ',';
		}
		if (more) {
			const struct member_edit *edit = find_edit(m, event_member(key), key);

			if (edit ? !edit->with.p || edit->old.p != value.p : m->only)
				continue;
			out_char(o, comma);
			comma = ',';
			out_add(o, key.p - 1, (size_t)(value.p - key.p + 1));
			out_str(o, edit ? edit->with : value);
		}
	} while (more);
	if (comma == '{')
		out_char(o, '{');
	out_lit(o, "}\n");
}

/* Writes the record with the new members at their common place. */
static void write_at_place(const struct member_edits *m, struct out *o, struct str record)
{
	const struct member_edit *edit, *end = m->list + m->n;
	const size_t at = (size_t)(m->place - record.p);
	const bool last = *m->place != '"'; /* they are the last members, not before a key */
	size_t need = record.n + 1;
	char *to;

	for (edit = m->list; edit < end; edit++)
		need += edit->key.n + edit->with.n + 1;
	to = str_copy(out_room(o, need), str_head(record, at));
	for (edit = m->list; edit < end; edit++) {
		if (!edit->with.p)
			continue;
		*to = ',';
		to = str_copy_short(to + last, buf_str(&edit->key));
		to = str_copy_short(to, edit->with);
		*to = ',';
		to += !last;
	}
	to = str_copy(to, str_from(record, at));
	*to++ = '\n';
	out_used(o, to);
}

void member_edits_write(struct member_edits *m, struct out *o, const struct event *e)
{
	const char *done = e->raw.p, *at;
	bool any = m->any, each = m->only || m->twice;
	size_t need = e->raw.n + 1, n, i;
	char *to;

	if (m->place) {
		write_at_place(m, o, e->raw);
		return;
	}
	n = sort_by_place(m);
	for (i = 0; i < m->n; i++)
		each |= m->list[i].old.p && !m->list[i].with.p;
	if (each) {
		write_each(m, n, o, e);
		return;
	}
	for (i = 0; i < n; i++)
		need += m->by_place[i]->key.n + m->by_place[i]->with.n + 1;
	to = out_room(o, need); /* once, as this is faster than to ask for each part */
	for (i = 0; i < n; i++) {
		const struct member_edit *edit = m->by_place[i];

		at = place_of(m, edit);
		to = str_copy(to, (struct str){done, (size_t)(at - done)});
		done = at + (edit->old.p ? edit->old.n : 0);
		if (!edit->old.p) {
			if (!edit->before && any)
				*to++ = ',';
			to = str_copy_short(to, buf_str(&edit->key));
		}
		to = str_copy_short(to, edit->with);
		if (!edit->old.p && edit->before)
			*to++ = ',';
		any = true;
	}
	to = str_copy(to, str_from(e->raw, (size_t)(done - e->raw.p)));
	*to++ = '\n';
	out_used(o, to);
}
