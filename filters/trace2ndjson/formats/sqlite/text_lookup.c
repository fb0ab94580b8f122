#include "text_lookup.h"

#include "json/string.h"

#include <stdlib.h>

/* Maximum size of all texts that were stored since the slots were emptied, so also of the memory of the slots. */
enum { BYTES_MAX = 8 << 20 };

void text_lookup_open(struct text_lookup *t, struct database *db, struct reader *r, struct str sql)
{
	t->reader = r;
	t->query = database_query(db, sql);
	t->slots = mem_zero(TEXT_LOOKUP_SLOTS, sizeof *t->slots);
}

static void forget_all(struct text_lookup *t)
{
	size_t i;

	for (i = 0; t->slots && i < TEXT_LOOKUP_SLOTS; i++) {
		buf_free(&t->slots[i].text);
		t->slots[i].text = (struct buf){0};
	}
	t->bytes = 0;
}

struct str text_lookup_get(struct text_lookup *t, int64_t a, int64_t b)
{
	struct text_lookup_slot *slot = &t->slots[((uint64_t)a + (uint64_t)b * 31) % TEXT_LOOKUP_SLOTS];
	enum query_step got;
	struct query_value v;

	if (slot->text.n && slot->a == a && slot->b == b)
		return (struct str){slot->text.p, slot->text.n};
	if (!t->query)
		return (struct str){NULL, 0};
	query_bind(t->query, 1, a);
	query_bind(t->query, 2, b);
	got = query_next(t->query);
	if (got != QUERY_ROW && got != QUERY_END)
		reader_lost(t->reader, "damaged table of texts; the text for an id is lost", t->reader->line, 0);
	if (got != QUERY_ROW)
		return (struct str){NULL, 0};
	v = query_get(t->query, 0);
	if (v.type != QUERY_TEXT)
		return (struct str){NULL, 0};
	if (t->bytes > BYTES_MAX)
		forget_all(t);
	slot->a = a;
	slot->b = b;
	slot->text.n = 0;
	json_quote(&slot->text, v.bytes);
	t->bytes += slot->text.n;
	return (struct str){slot->text.p, slot->text.n};
}

void text_lookup_close(struct text_lookup *t)
{
	forget_all(t);
	free(t->slots);
	query_close(t->query);
}
