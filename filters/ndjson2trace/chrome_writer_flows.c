/* chrome_writer_flows: arrows between events, and ids that are unique across ranks. */
#include "chrome_writer_private.h"

#include "base/num_format.h"
#include "json/iter.h"
#include "json/string.h"
#include "json/value.h"
#include "json/write.h"

/* --- ids --- */

/* Appends the rank and an id of this rank as one text: "3:17". */
static void put_text_id(struct buf *b, struct str rank, struct str id)
{
	struct buf text = {0};

	buf_add(&text, rank.p, rank.n);
	buf_char(&text, ':');
	buf_add(&text, id.p, id.n);
	json_quote(b, json_write_str(&text));
	buf_free(&text);
}

/*
 * Appends a correlation id: an integer that is exact in JavaScript, with the rank above the 32 bits of the id. The
 * first rank of the stream keeps its ids, so those of rank r begin at r + 1.
 */
static void put_correlation(struct buf *b, struct str rank, struct str corr)
{
	int64_t r, c;

	if (value_integer(rank, &r) && value_integer(corr, &c) && r >= 0 && r < (1 << 20) && c >= 0 &&
	    c <= UINT32_MAX) {
		char *p = buf_room(b, NUM_ROOM);

		b->n = (size_t)(num_put_i64(p, (r + 1) << 32 | c) - b->p);
	} else {
		put_text_id(b, rank, corr);
	}
}

/* Returns true for events whose id connects them with other events: flows, and asynchronous events. */
static bool has_linking_id(const struct chrome_writer_record *i)
{
	return event_has(i->e, EVENT_ID) && memchr("stfbneSTpF", i->ph, 10);
}

void chrome_writer_separate(struct chrome_writer *w, struct chrome_writer_record *i)
{
	const struct str rank = event_get(i->e, EVENT_RANK);
	size_t n;

	if (!rank.p || str_eq(rank, json_write_str(&w->home)))
		return;
	w->ranks = true;
	w->ids.n = 0;
	buf_room(&w->ids, 2 * NUM_ROOM);
	if (has_linking_id(i))
		put_text_id(&w->ids, rank, i->e->m[EVENT_ID]);
	n = w->ids.n;
	if (event_has(i->e, EVENT_CORR))
		put_correlation(&w->ids, rank, i->e->m[EVENT_CORR]);
	if (n)
		i->id = (struct str){w->ids.p, n};
	if (w->ids.n > n)
		i->correlation = (struct str){w->ids.p + n, w->ids.n - n};
}

/* --- arrows --- */

/* Writes a point of an arrow: phase s is its tail, t a point in between, f its head. */
static void write_flow(struct chrome_writer *w, const struct chrome_writer_record *i, const char *category, char phase)
{
	struct buf *b = &w->text;

	b->n = 0;
	json_write_begin(b, NULL, '{');
	json_write_json(b, "record", STR("null"));
	json_write_text(b, "ph", (struct str){&phase, 1});
	json_write_text(b, "cat", str_of(category));
	json_write_text(b, "name", str_of(category));
	json_write_text(b, "id", json_write_str(&w->args));
	chrome_writer_put_place(b, &i->place);
	chrome_writer_put_micros(b, "ts", i->e->ts);
	if (phase != 's')
		json_write_text(b, "bp", STR("e"));
	json_write_end(b, '}');
	chrome_writer_put_line(w);
}

/* Stores the id of an arrow that begins. The latest LATEST calls are known; memory is limited to twice as many. */
static void add_call(struct chrome_writer *w, struct str id)
{
	enum { LATEST = 16384 };

	if (w->calls[0].n == LATEST) {
		map_free(&w->calls[1]);
		w->calls[1] = w->calls[0];
		w->calls[0] = (struct map){0};
	}
	map_put(&w->calls[0], id);
}

/* The tail is at a call, the head at its device work. Viewers reject a head without a tail, so it is left out. */
static void put_call_flow(struct chrome_writer *w, const struct chrome_writer_record *i)
{
	struct str rank = event_get(i->e, EVENT_RANK), id;

	w->args.n = 0;
	if (rank.p) { /* ids are unique only within a rank */
		buf_add(&w->args, rank.p, rank.n);
		buf_char(&w->args, ':');
	}
	buf_add(&w->args, i->e->m[EVENT_CORR].p, i->e->m[EVENT_CORR].n);
	id = json_write_str(&w->args);
	if (!i->place.device)
		add_call(w, id);
	else if (map_find(&w->calls[0], id) == MAP_NONE && map_find(&w->calls[1], id) == MAP_NONE)
		return;
	write_flow(w, i, "ac2g", i->place.device ? 'f' : 's');
}

/*
 * An arrow leads from the first member of a collective, in the order of the input, through all others to the last one.
 */
static void put_collective_flow(struct chrome_writer *w, const struct chrome_writer_record *i)
{
	const struct str coll = i->e->plain ? (struct str){NULL, 0} : iter_find(i->e->raw, STR("coll"));
	int64_t id, n;
	uint32_t seen;
	size_t at;
	char *p;

	if (!coll.p || coll.p[0] != '{' || !value_integer(iter_find(coll, STR("id")), &id) ||
	    !value_integer(iter_find(coll, STR("n")), &n) || n < 2 || !event_has(i->e, EVENT_TS))
		return;
	at = map_put(&w->collectives, (struct str){(const char *)&id, sizeof id});
	w->seen = mem_grow(w->seen, &w->seen_cap, at + 1, sizeof *w->seen);
	if (at + 1 == w->collectives.n && at == w->n_seen)
		w->seen[w->n_seen++] = 0;
	seen = ++w->seen[at];
	w->args.n = 0;
	buf_lit(&w->args, "collective ");
	p = buf_room(&w->args, NUM_ROOM);
	w->args.n = (size_t)(num_put_i64(p, id) - w->args.p);
	write_flow(w, i, "collective", seen == 1 ? 's' : seen < n ? 't' : 'f');
}

static bool wants_flow(const struct chrome_writer *w, const struct chrome_writer_record *i)
{
	if (w->flows == FLOWS_NEVER || (w->flows == FLOWS_AUTO && !i->foreign))
		return false;
	return chrome_writer_has_id(event_get(i->e, EVENT_CORR), true) && event_has(i->e, EVENT_TS) &&
	       (i->kind == KIND_API || event_kind_is_device(i->kind));
}

void chrome_writer_put_flow(struct chrome_writer *w, const struct chrome_writer_record *i)
{
	if (w->flows == FLOWS_COLLECTIVES)
		put_collective_flow(w, i);
	else if (wants_flow(w, i))
		put_call_flow(w, i);
}
