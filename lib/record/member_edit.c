#include "record/member_edit.h"

#include "json/iter.h"
#include "json/string.h"

#include <stdlib.h>

/* Returns the place of a member in canonical order. Attachments precede args. */
static unsigned member_order(enum event_member m)
{
	return m == EVENT_N ? EVENT_ARGS : m < EVENT_ARGS ? m : m + 1;
}

static struct str key_of(const struct member_edit *edit) /* without quotes */
{
	return (struct str){edit->key.p + 1, edit->key.n - 3};
}

/* Sorts by rank; members with the same rank stay in the order in which they were added. */
static void sort_by_rank(struct member_edits *m)
{
	size_t i, at;

	for (i = 0; i < m->n; i++) {
		for (at = i; at > 0 && m->by_rank[at - 1]->rank > m->list[i].rank; at--)
			m->by_rank[at] = m->by_rank[at - 1];
		m->by_rank[at] = &m->list[i];
	}
}

size_t member_edits_add(struct member_edits *m, struct str name)
{
	struct member_edit *edit;

	m->list = mem_grow(m->list, &m->cap, m->n + 1, sizeof *m->list);
	m->by_rank = mem_resize(m->by_rank, m->n + 1, sizeof *m->by_rank);
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
	m->n++;
	sort_by_rank(m);
	return m->n - 1;
}

void member_edits_free(struct member_edits *m)
{
	while (m->n) {
		buf_free(&m->list[--m->n].key);
		buf_free(&m->list[m->n].text);
	}
	free(m->list);
	free(m->by_rank);
	free(m->by_place);
	*m = (struct member_edits){0};
}

/* --- finding --- */

/* Begins to iterate over the members. Skips the canonical prefix if no member in the prefix is changed. */
static enum event_member begin(struct member_edits *m, struct event *e, struct iter *w)
{
	const uint32_t prefix = 1u << EVENT_TS | 1u << EVENT_DUR | 1u << EVENT_KIND | 1u << EVENT_NAME;
	size_t i;

	for (i = 0; i < m->n; i++)
		m->list[i].old.p = m->list[i].before = NULL;
	m->twice = false;
	iter_init(w, e->raw);
	m->any = e->prefix && !(m->standard & prefix);
	m->last = e->raw.p + 1;
	if (!m->any)
		return EVENT_N;
	w->p = e->raw.p + e->prefix;
	w->p -= w->p[-1] == ',';
	w->first = false;
	m->last = w->p;
	return EVENT_NAME;
}

static struct member_edit *find_edit(struct member_edits *m, enum event_member member, struct str key)
{
	size_t i;

	if (member != EVENT_N)
		return m->standard >> member & 1 ? &m->list[m->standard_at[member]] : NULL;
	for (i = 0; m->attachments && i < m->n; i++) {
		if (str_eq(key, key_of(&m->list[i])))
			return &m->list[i];
	}
	return NULL;
}

/* Returns the member of a key. If no standard member is changed, the place of args and src is enough. */
static enum event_member listed_member(const struct member_edits *m, struct str key)
{
	if (m->standard)
		return event_member(key);
	return str_eq(key, STR("args")) ? EVENT_ARGS : str_eq(key, STR("src")) ? EVENT_SRC : EVENT_N;
}

/*
 * Gets the next member, like event_next(). `at` is its index in the list of a record that was walked; SIZE_MAX: there
 * is no list.
 */
static int next_member(const struct member_edits *m, const struct event *e, struct iter *w, size_t at,
    enum event_member *member, struct str *key, struct str *value)
{
	if (at == SIZE_MAX)
		return event_next(w, member, key, value);
	if (at == e->n_listed)
		return 0;
	*key = e->list[at].key;
	*value = e->list[at].value;
	*member = listed_member(m, *key);
	return 1;
}

void member_edits_find(struct member_edits *m, struct event *e)
{
	size_t pending = 0, at;
	struct member_edit *edit;
	enum event_member member;
	struct str key, value;
	struct iter w;
	int r;

	member = begin(m, e, &w);
	at = m->any && event_walked(e) && e->n_listed ? 0 : SIZE_MAX;
	for (; (r = next_member(m, e, &w, at, &member, &key, &value)) > 0; at += at != SIZE_MAX) {
		while (pending < m->n && m->by_rank[pending]->rank < member_order(member))
			m->by_rank[pending++]->before = key.p - 1;
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

void member_edits_move(struct member_edits *m, const char *from, const char *to)
{
	size_t i;

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

/*
 * Writes all members one by one, without white space between them. This is needed if members are removed or occur
 * several times.
 */
static void write_each(struct member_edits *m, struct out *o, const struct event *e)
{
	struct str key, value;
	char comma = '{';
	struct iter w;
	size_t at = 0;
	bool more;

	iter_init(&w, e->raw);
	do {
		more = iter_next(&w, &key, &value) > 0;
		for (; at < m->n && (!more || m->by_rank[at]->before == key.p - 1); at++) {
			if (m->by_rank[at]->old.p || !m->by_rank[at]->with.p)
				continue;
			out_char(o, comma);
			put_member(o, m->by_rank[at]);
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

static const char *place_of(const struct member_edits *m, const struct member_edit *edit)
{
	return edit->old.p ? edit->old.p : edit->before ? edit->before : m->last;
}

/* Sets by_place to the members that are replaced or added, in the order of their places; returns their number. */
static size_t sort_by_place(struct member_edits *m)
{
	size_t n = 0, at, i;

	for (i = 0; i < m->n; i++) {
		struct member_edit *edit = m->by_rank[i];

		if (!edit->with.p)
			continue;
		for (at = n; at > 0 && place_of(m, m->by_place[at - 1]) > place_of(m, edit); at--)
			m->by_place[at] = m->by_place[at - 1];
		m->by_place[at] = edit;
		n++;
	}
	return n;
}

void member_edits_write(struct member_edits *m, struct out *o, const struct event *e)
{
	const char *done = e->raw.p, *at;
	bool any = m->any;
	size_t n, i;

	for (i = 0; i < m->n; i++) {
		if (m->only || m->twice || (m->list[i].old.p && !m->list[i].with.p)) {
			write_each(m, o, e);
			return;
		}
	}
	n = sort_by_place(m);
	for (i = 0; i < n; i++) {
		const struct member_edit *edit = m->by_place[i];

		at = place_of(m, edit);
		out_add(o, done, (size_t)(at - done));
		done = at;
		if (edit->old.p) {
			out_str(o, edit->with);
			done += edit->old.n;
			continue;
		}
		if (!edit->before && any)
			out_char(o, ',');
		put_member(o, edit);
		if (edit->before)
			out_char(o, ',');
		any = true;
	}
	out_line(o, str_from(e->raw, (size_t)(done - e->raw.p)));
}
