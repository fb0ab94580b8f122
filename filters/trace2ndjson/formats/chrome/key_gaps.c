#include "key_gaps.h"

/* After this many failures, no further gaps are learned: the attempts would take more time than the hits save. */
enum { PATIENCE = 1000 };

/* Returns the gap with this text, which may have followed another gap; NULL when no gap has it. */
static struct key_gap *find_text(struct key_gaps *g, struct str text)
{
	unsigned i;

	for (i = 1; i < g->n; i++) {
		if (str_eq(text, (struct str){g->list[i].text, g->list[i].n}))
			return &g->list[i];
	}
	return NULL;
}

static struct key_gap *add(struct key_gaps *g, struct str text, struct str key, unsigned member)
{
	struct key_gap *gap;
	char *to;

	if (g->n == KEY_GAPS_MOST || text.n >= KEY_GAP_ROOM)
		return NULL;
	gap = &g->list[g->n++];
	gap->n = (unsigned char)text.n;
	str_copy(gap->text, text);
	gap->member = (unsigned char)member;
	to = gap->squeezed;
	if (!key.p) {
		*to++ = '}';
	} else {
		gap->key = (unsigned char)(key.p - text.p);
		gap->key_n = (unsigned char)key.n;
		if (memchr(text.p, ',', gap->key))
			*to++ = ',';
		to = str_copy(to, (struct str){key.p - 1, key.n + 2});
		*to++ = ':';
	}
	gap->squeezed_n = (unsigned char)(to - gap->squeezed);
	return gap;
}

struct key_gap *key_gaps_learn(
    struct key_gaps *g, struct key_gap *last, struct str text, struct str key, unsigned member)
{
	struct key_gap *gap = NULL;

	if (g->failures > PATIENCE)
		return NULL;
	if (last->n_followers < KEY_GAP_FOLLOWERS) {
		gap = find_text(g, text);
		if (!gap)
			gap = add(g, text, key, member);
	}
	if (gap)
		last->followers[last->n_followers++] = (unsigned char)(gap - g->list);
	else
		g->failures++;
	return gap;
}
