#include "table/unit_search.h"

#include "base/mem.h"
#include "base/units.h"
#include "json/iter.h"
#include "json/string.h"

#include <stdlib.h>
#include <string.h>

void unit_search_field(struct unit_search *u, struct field *f)
{
	if (strchr(f->spec, '/'))
		return;
	u->unseen = mem_grow(u->unseen, &u->cap, u->n_unseen + 1, sizeof *u->unseen);
	u->unseen[u->n_unseen++] = f;
}

void unit_search_drop(struct unit_search *u, const struct field *f)
{
	size_t i;

	for (i = u->n_unseen; i-- > 0;) {
		if (u->unseen[i] == f)
			u->unseen[i] = u->unseen[--u->n_unseen];
	}
}

/* Makes a field refer to the top-level member with this key. */
static void refer(struct unit_search *u, struct field *f, struct str key)
{
	struct buf name = {0}, text = {0};
	struct fault fault;
	size_t i;

	json_unescape(&name, key);
	field_quote(&text, buf_str(&name));
	buf_char(&text, '\0');
	i = map_put(&u->renamed, buf_str(&text));
	bufs_free(&name, &text);
	field_free(f);
	/* A reference that field_quote() writes is always valid. */
	field_compile(f, str_of(map_key(&u->renamed, i).p), &fault);
}

/* Returns whether the record has a member with the name of the field, or with this name and a different unit. */
static bool find_member(struct unit_search *u, struct field *f, struct event *e)
{
	struct str key, value, found = {NULL, 0};
	bool same = false;
	struct iter w;

	iter_init(&w, e->raw);
	while (!same && iter_next(&w, &key, &value) > 0) {
		same = str_eq(key, str_of(f->spec));
		if (!found.p && units_same_name(key, str_of(f->spec)))
			found = key;
	}
	if (!same && found.p)
		refer(u, f, found);
	return found.p;
}

void unit_search_look(struct unit_search *u, struct event *e)
{
	struct str kind = event_get(e, EVENT_KIND);
	size_t i;

	if (!u->known) {
		u->known = source_kind_look(&u->source, e);
		u->kind.n = 0;
		buf_add(&u->kind, kind.p, kind.n);
	}
	if (!u->known)
		return;
	for (i = source_kind_is_ours(&u->source) ? u->n_unseen : 0; i-- > 0;) {
		if (find_member(u, u->unseen[i], e))
			u->unseen[i] = u->unseen[--u->n_unseen];
	}
}

bool unit_search_is_done(const struct unit_search *u)
{
	return u->known && (!u->source.report || !u->n_unseen);
}

void unit_search_free(struct unit_search *u)
{
	buf_free(&u->kind);
	free(u->unseen);
	map_free(&u->renamed);
}
