#include "kind_selection.h"

void kind_selection_option(struct kind_selection *k, const struct opt_value *v)
{
	struct str rest = str_of(v->text), word;

	k->kinds |= (uint32_t)v->number;
	while (str_split(&rest, ',', &word)) {
		while (str_starts(word, STR(" ")))
			word = str_from(word, 1);
		if (event_kind(word) == KIND_N)
			name_match_name(&k->others, word);
	}
}

bool kind_selection_holds(struct kind_selection *k, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);

	if (kind != KIND_N)
		return k->kinds >> kind & 1;
	return k->others.n && name_match_first(&k->others, event_get(e, EVENT_KIND)) != NAME_MATCH_NONE;
}

void kind_selection_free(struct kind_selection *k)
{
	name_match_free(&k->others);
}
