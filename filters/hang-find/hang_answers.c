#include "hang_answers.h"

#include "base/num_format.h"
#include "base/order.h"
#include "json/write.h"
#include "record/record_line.h"

#include <stdlib.h>

enum { HANG_ANSWERS_RANKS = 100 }; /* lists of ranks have no more elements; their lengths are written too */

struct rank_list {
	int64_t *list;
	size_t n, cap;
};

/*
 * The state of the writer. `record` is the line that is being written, and `text` a sentence or
 * another text for it. list_members() sets the four lists for one group, and they are valid until
 * its next call; list_alone() also uses `waiting`.
 */
struct hang_answers {
	const struct waits *waits;
	const struct dumps *dumps;
	struct out *out;
	struct buf record, text;
	struct rank_list missing, stopped, waiting, absent;
};

/* --- text --- */

static void put_str(struct buf *b, struct str s)
{
	buf_add(b, s.p, s.n);
}

void hang_answers_put_ranks(struct buf *b, const int64_t *ranks, size_t n)
{
	const size_t shown = n < HANG_ANSWERS_RANKS ? n : HANG_ANSWERS_RANKS;
	size_t i, end;

	put_str(b, n == 1 ? STR("rank ") : STR("ranks "));
	for (i = 0; i < shown; i = end) {
		for (end = i + 1; end < shown && ranks[end] == ranks[end - 1] + 1;)
			end++;
		/* Two neighbours are no range: "3 to 4" would be longer than "3, 4". */
		if (end - i < 3)
			end = i + 1;
		if (i)
			put_str(b, end == n ? STR(" and ") : STR(", "));
		num_add_i64(b, ranks[i]);
		if (end - i > 1) {
			buf_lit(b, " to ");
			num_add_i64(b, ranks[end - 1]);
		}
	}
	if (shown < n) {
		buf_lit(b, " and ");
		num_add_i64(b, (int64_t)(n - shown));
		buf_lit(b, " more");
	}
}

/* Appends the ranks as the beginning of a sentence: "Ranks 3 and 7". */
static void put_sentence_ranks(struct buf *b, const struct rank_list *l)
{
	const size_t start = b->n;

	hang_answers_put_ranks(b, l->list, l->n);
	b->p[start] = 'R';
}

/* Appends the group: "EP (72: ranks 8 to 15)". */
static void put_group(struct buf *b, const struct dump_group *g)
{
	put_str(b, g->desc);
	buf_lit(b, " (");
	put_str(b, g->name);
	buf_lit(b, ": ");
	hang_answers_put_ranks(b, g->ranks, g->n);
	buf_char(b, ')');
}

/* Appends the sizes and the type of a description: ", 2048x5120 BFloat16". */
static void put_sizes(struct buf *b, const struct dumps *d, uint32_t description, struct str before)
{
	const struct str sizes = dumps_part(d, description, DUMPS_SIZES), type = dumps_part(d, description, DUMPS_TYPE);

	if (!sizes.n && !type.n)
		return;
	put_str(b, before);
	put_str(b, sizes);
	if (sizes.n && type.n)
		buf_char(b, ' ');
	put_str(b, type);
}

static void put_count(struct buf *b, size_t n, const char *one, const char *many)
{
	num_add_i64(b, (int64_t)n);
	buf_text(b, n == 1 ? one : many);
}

/* --- records --- */

static void begin_record(struct hang_answers *a, const char *name)
{
	record_line_begin(&a->record, "hangs");
	json_write_text(&a->record, "name", str_of(name));
}

static void write_integer(struct hang_answers *a, const char *key, int64_t v)
{
	if (v != DUMPS_UNKNOWN)
		json_write_int(&a->record, key, v);
}

/* Writes a list of ranks; with `count`, also its length if it is longer than the written part. */
static void write_ranks(struct hang_answers *a, const char *key, const char *count, const struct rank_list *l)
{
	size_t i;

	json_write_begin(&a->record, key, '[');
	for (i = 0; i < l->n && (!count || i < HANG_ANSWERS_RANKS); i++)
		json_write_int(&a->record, NULL, l->list[i]);
	json_write_end(&a->record, ']');
	if (count && i < l->n)
		json_write_int(&a->record, count, (int64_t)l->n);
}

static void write_group(struct hang_answers *a, const struct dump_group *g)
{
	const struct rank_list ranks = {.list = g->ranks, .n = g->n};

	json_write_text(&a->record, "group", g->name);
	json_write_text(&a->record, "desc", g->desc);
	write_ranks(a, "ranks", NULL, &ranks);
}

static void add_rank(struct rank_list *l, int64_t rank)
{
	l->list = mem_grow(l->list, &l->cap, l->n + 1, sizeof *l->list);
	l->list[l->n++] = rank;
}

/* --- collectives --- */

/*
 * Lists the members of a group: those that are in its first missed collective, miss it, stopped, or
 * have no dump. A member can be in several lists: its host may miss the collective, and its device
 * may not have finished an earlier one of the group. Nothing is known of a member without a dump,
 * so it is only in `absent`.
 */
static void list_members(struct hang_answers *a, const struct dump_group *g)
{
	const struct dump_member *m;
	size_t i;

	a->missing.n = a->stopped.n = a->waiting.n = a->absent.n = 0;
	for (i = 0; i < g->n; i++) {
		m = &g->members[i];
		if (m->dump == DUMPS_NONE) {
			add_rank(&a->absent, g->ranks[i]);
			continue;
		}
		if (waits_stopped(g, m))
			add_rank(&a->stopped, g->ranks[i]);
		if (g->first == DUMPS_UNKNOWN)
			continue;
		if (waits_misses(g, m, g->first))
			add_rank(&a->missing, g->ranks[i]);
		if (m->open && waits_first_entry(a->dumps, m->dump, (uint32_t)(g - a->dumps->groups)))
			add_rank(&a->waiting, g->ranks[i]);
	}
}

static int compare_texts(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/*
 * Writes the operation, type and sizes of a collective: the different sizes of its ranks, in the
 * order of texts. Different sizes of one collective are a common cause of a hang, so all of them
 * are written: "1024x5120 | 2048x5120". Returns a description of the collective, or DUMPS_NONE if
 * no member has it open; then nothing is written.
 */
static uint32_t write_collective(struct hang_answers *a, const struct dump_group *g)
{
	const struct dump_entry *o, *any = NULL;
	struct map sizes = {0};
	struct str *list;
	size_t i;

	for (i = 0; i < g->n; i++) {
		if (g->members[i].dump == DUMPS_NONE || !g->members[i].open)
			continue;
		o = waits_first_entry(a->dumps, g->members[i].dump, (uint32_t)(g - a->dumps->groups));
		if (!o)
			continue;
		any = any ? any : o;
		map_put(&sizes, dumps_part(a->dumps, o->description, DUMPS_SIZES));
	}
	if (!any)
		return DUMPS_NONE;
	json_write_int(&a->record, "first", g->first);
	json_write_text(&a->record, "op", dumps_part(a->dumps, any->description, DUMPS_OPERATION));
	json_write_text(&a->record, "dtype", dumps_part(a->dumps, any->description, DUMPS_TYPE));
	list = mem_zero(sizes.n, sizeof *list);
	for (i = 0; i < sizes.n; i++)
		list[i] = map_key(&sizes, i);
	qsort(list, sizes.n, sizeof *list, compare_texts);
	a->text.n = 0;
	for (i = 0; i < sizes.n; i++) {
		put_str(&a->text, i ? STR(" | ") : STR(""));
		put_str(&a->text, list[i]);
	}
	json_write_text(&a->record, "sizes", buf_str(&a->text));
	free(list);
	map_free(&sizes);
	return any->description;
}

/* Appends the collective: "all_to_all 45265 of EP (72: ranks 8 to 15)". */
static void put_collective(struct buf *b, const struct dumps *d, uint32_t description, int64_t number, uint32_t group)
{
	put_str(b, dumps_part(d, description, DUMPS_OPERATION));
	buf_char(b, ' ');
	num_add_i64(b, number);
	buf_lit(b, " of ");
	put_group(b, &d->groups[group]);
}

/* --- answers --- */

/*
 * Appends the groups in which the devices of named ranks stopped. A device that stopped may be the
 * reason why its rank did not come, so this is the next place to look at. The first such group of a
 * rank is enough.
 */
static void put_stopped(struct hang_answers *a, const struct rank_list *named)
{
	const struct waits *w = a->waits;
	const struct dump_group *g;
	const struct dump_member *m;
	const struct rank_wait *rank;
	size_t i, k;

	for (i = 0; i < named->n && i < HANG_ANSWERS_RANKS; i++) {
		rank = &w->ranks[dumps_find(a->dumps, named->list[i])];
		for (k = 0; k < rank->n_groups; k++) {
			g = &a->dumps->groups[w->groups[rank->first_group + k]];
			m = &g->members[dumps_member(g, named->list[i])];
			if (rank->entry != SIZE_MAX || !waits_stopped(g, m) || !m->open)
				continue;
			buf_lit(&a->text, " The device of rank ");
			num_add_i64(&a->text, named->list[i]);
			buf_lit(&a->text, " did not finish collective ");
			num_add_i64(&a->text, m->completed + 1);
			buf_lit(&a->text, " of ");
			put_group(&a->text, g);
			buf_lit(&a->text, ", which others completed.");
			break;
		}
	}
}

static size_t count_open_ranks(const struct dumps *d)
{
	size_t i, n = 0;

	for (i = 0; i < d->n; i++)
		n += d->list[i].open > 0;
	return n;
}

/*
 * Writes the answer about the ranks that did not come to the first missed collective of a group.
 * `busy` becomes the number of ranks with open entries that are not named. If such a
 * rank is not in this collective, it waits in another one.
 */
static void write_root(struct hang_answers *a, uint32_t group)
{
	const struct waits *w = a->waits;
	const struct dump_group *g = &a->dumps->groups[group];
	struct rank_list named = {0};
	uint32_t description;
	size_t i, busy = count_open_ranks(a->dumps);

	begin_record(a, "answer");
	json_write_text(&a->record, "what", STR("did not come"));
	write_group(a, g);
	description = write_collective(a, g);
	list_members(a, g);
	for (i = 0; i < g->n; i++) {
		if (g->members[i].dump != DUMPS_NONE && w->ranks[g->members[i].dump].named &&
		    w->ranks[g->members[i].dump].root == group)
			add_rank(&named, g->ranks[i]);
	}
	for (i = 0; i < a->dumps->n; i++)
		busy -= w->ranks[i].named && a->dumps->list[i].open;
	write_ranks(a, "root", "root_count", &named);
	write_ranks(a, "stopped", "stopped_count", &a->stopped);
	write_ranks(a, "waits", "waits_count", &a->waiting);
	a->text.n = 0;
	put_sentence_ranks(&a->text, &named);
	buf_lit(&a->text, " did not come to ");
	put_collective(&a->text, a->dumps, description, g->first, group);
	put_sizes(&a->text, a->dumps, description, STR(", "));
	buf_lit(&a->text, ". ");
	put_count(&a->text, a->waiting.n, " rank waits in it", " ranks wait in it");
	if (busy > a->waiting.n) {
		buf_lit(&a->text, ", ");
		put_count(&a->text, busy - a->waiting.n, " more waits for these", " more wait for these");
	}
	buf_char(&a->text, '.');
	put_stopped(a, &named);
	json_write_text(&a->record, "text", buf_str(&a->text));
	record_line_end(&a->record, a->out);
	free(named.list);
}

/* Roots come before other groups, the earliest one first. */
static int compare_roots(const void *arg, size_t a, size_t b)
{
	const struct dump_group *groups = arg, *x = &groups[a], *y = &groups[b];

	return x->root != y->root ? y->root - x->root : int_compare(x->first_ts, y->first_ts);
}

/* Writes an answer for each group that is a root, the earliest first. Several ranks can have the same root. */
static void write_roots(struct hang_answers *a)
{
	const struct dumps *d = a->dumps;
	size_t *order = order_sort(d->n_groups, compare_roots, d->groups), i;

	for (i = 0; i < d->n_groups && d->groups[order[i]].root; i++)
		write_root(a, (uint32_t)order[i]);
	free(order);
}

/* Writes an answer that is a sentence about ranks. The sentence is in a->text. */
static void write_sentence(struct hang_answers *a, const char *what, const char *key, const struct rank_list *ranks)
{
	begin_record(a, "answer");
	json_write_text(&a->record, "what", str_of(what));
	if (key)
		write_ranks(a, key, "count", ranks);
	json_write_text(&a->record, "text", buf_str(&a->text));
	record_line_end(&a->record, a->out);
}

/*
 * Writes the first mismatch of each group. The later ones of a group usually follow from the first:
 * after it, the ranks number their collectives differently.
 */
static void write_mismatches(struct hang_answers *a)
{
	const struct dumps *d = a->dumps;
	const struct dump_mismatch *m;
	bool *seen = mem_zero(d->n_groups + 1, sizeof *seen);
	struct rank_list ranks;
	size_t i;

	for (i = 0; i < d->n_mismatches; i++) {
		m = &d->mismatches[i];
		if (seen[m->group])
			continue;
		seen[m->group] = true;
		ranks = (struct rank_list){.list = (int64_t[]){m->rank, m->other_rank}, .n = 2};
		a->text.n = 0;
		put_sentence_ranks(&a->text, &ranks);
		buf_lit(&a->text, " differ in ");
		put_collective(&a->text, d, m->description, m->number, m->group);
		buf_lit(&a->text, ": ");
		put_str(&a->text, dumps_part(d, m->description, DUMPS_OPERATION));
		put_sizes(&a->text, d, m->description, STR(" of "));
		buf_lit(&a->text, " and ");
		put_str(&a->text, dumps_part(d, m->other_description, DUMPS_OPERATION));
		put_sizes(&a->text, d, m->other_description, STR(" of "));
		buf_char(&a->text, '.');
		write_sentence(a, "mismatch", "ranks", &ranks);
	}
	free(seen);
}

static void write_circle(struct hang_answers *a)
{
	const struct waits *w = a->waits;
	const struct rank_list ranks = {.list = w->circle, .n = w->n_circle};
	const struct dump_entry *o;
	size_t i;

	a->text.n = 0;
	put_sentence_ranks(&a->text, &ranks);
	buf_lit(&a->text, " wait for each other: the order of collectives differs.");
	for (i = 0; i < ranks.n && i < 10; i++) {
		o = &a->dumps->open[w->ranks[dumps_find(a->dumps, ranks.list[i])].entry];
		buf_lit(&a->text, " Rank ");
		num_add_i64(&a->text, ranks.list[i]);
		buf_lit(&a->text, " waits in ");
		put_collective(&a->text, a->dumps, o->description, o->number, o->group);
		buf_char(&a->text, '.');
	}
	write_sentence(a, "circle", "ranks", &ranks);
}

/*
 * Lists the ranks that wait for absent members and whose group has no other member with a dump: if the device of such a
 * rank stopped, only the lost dumps could tell, so it may be the cause as well.
 */
static void list_alone(struct hang_answers *a)
{
	const struct waits *w = a->waits;
	const struct dump_group *g;
	size_t i;

	a->waiting.n = 0;
	for (i = 0; i < a->dumps->n; i++) {
		if (w->ranks[i].entry == SIZE_MAX || !w->ranks[i].absent)
			continue;
		g = &a->dumps->groups[a->dumps->open[w->ranks[i].entry].group];
		if (g->absent + 1 == g->n)
			add_rank(&a->waiting, a->dumps->list[i].rank);
	}
	a->waiting.n = order_distinct(a->waiting.list, a->waiting.n, sizeof *a->waiting.list, order_int64s);
}

static void write_absent(struct hang_answers *a)
{
	const struct rank_list ranks = {.list = a->waits->absent, .n = a->waits->n_absent};
	size_t i, n = 0;

	for (i = 0; i < a->dumps->n; i++)
		n += a->waits->ranks[i].entry != SIZE_MAX && a->waits->ranks[i].absent;
	list_alone(a);
	begin_record(a, "answer");
	json_write_text(&a->record, "what", STR("no dump"));
	write_ranks(a, "no_dump", "count", &ranks);
	if (a->waiting.n)
		write_ranks(a, "candidates", "candidates_count", &a->waiting);
	a->text.n = 0;
	buf_lit(&a->text, "No dump of ");
	hang_answers_put_ranks(&a->text, ranks.list, ranks.n);
	put_str(&a->text, ranks.n == 1 ? STR(", which may be the one: ") : STR(", one of which may be the one: "));
	put_count(&a->text, n, " rank waits for it.", ranks.n == 1 ? " ranks wait for it." : " ranks wait for these.");
	if (a->waiting.n) {
		buf_char(&a->text, ' ');
		put_sentence_ranks(&a->text, &a->waiting);
		buf_lit(&a->text, " may be it, too: nobody else in its group has a dump.");
	}
	json_write_text(&a->record, "text", buf_str(&a->text));
	record_line_end(&a->record, a->out);
}

/* Returns the earliest open collective of the members whose device stopped, or NULL. */
static const struct dump_entry *first_stopped(const struct dumps *d)
{
	const struct dump_entry *best = NULL, *o;
	const struct dump_group *g;
	size_t i;

	for (i = 0; i < d->n_open; i++) {
		o = &d->open[i];
		g = &d->groups[o->group];
		if (!o->pair && waits_stopped(g, &g->members[o->member]) && (!best || o->ts < best->ts))
			best = o;
	}
	return best;
}

/* Returns the first open collective of a rank; NULL if it has none. */
static const struct dump_entry *first_collective(const struct dumps *d, uint32_t dump)
{
	size_t i;

	for (i = d->list[dump].first_open; i < d->list[dump].first_open + d->list[dump].open; i++) {
		if (!d->open[i].pair)
			return &d->open[i];
	}
	return NULL;
}

/* Whether a collective is the first open one of all members of its group, so that they wait for nothing else. */
static bool is_stuck(const struct dumps *d, const struct dump_entry *o)
{
	const struct dump_group *g = &d->groups[o->group];
	const struct dump_entry *other;
	int64_t last;
	size_t i;

	for (i = 0; i < g->n; i++) {
		other = g->members[i].dump == DUMPS_NONE ? NULL : first_collective(d, g->members[i].dump);
		if (!other || other->group != o->group || other->number != o->number)
			return false;
		/* If the buffer was full, earlier entries were overwritten. */
		last = g->members[i].completed;
		if (g->counts && o->number != (last > 0 ? last : 0) + 1)
			return false;
	}
	return true;
}

/*
 * Returns the earliest collective to which all members came, and which is the first open one of all
 * of them. is_stuck() has the same result for all members of a group, so each group is checked
 * once.
 */
static const struct dump_entry *first_stuck(const struct dumps *d)
{
	bool *seen = mem_zero(d->n_groups + 1, sizeof *seen);
	const struct dump_entry *best = NULL, *o;
	uint32_t i;

	for (i = 0; i < d->n; i++) {
		o = first_collective(d, i);
		if (!o || seen[o->group])
			continue;
		seen[o->group] = true;
		if ((!best || o->ts < best->ts) && is_stuck(d, o))
			best = o;
	}
	free(seen);
	return best;
}

/* Writes an answer about ranks whose device stopped; returns whether there are any. */
static bool write_stopped(struct hang_answers *a)
{
	const struct dump_entry *o = first_stopped(a->dumps);

	if (!o)
		return false;
	list_members(a, &a->dumps->groups[o->group]);
	a->text.n = 0;
	buf_lit(&a->text, "The device of ");
	hang_answers_put_ranks(&a->text, a->stopped.list, a->stopped.n);
	buf_lit(&a->text, " did not finish ");
	put_collective(&a->text, a->dumps, o->description, o->number, o->group);
	buf_lit(&a->text, ", which others completed.");
	write_sentence(a, "device stopped", "stopped", &a->stopped);
	return true;
}

/* Writes an answer about a collective in which all members of its group are; returns whether there is one. */
static bool write_stuck(struct hang_answers *a)
{
	const struct dump_entry *o = first_stuck(a->dumps);
	struct rank_list ranks;

	if (!o)
		return false;
	ranks = (struct rank_list){.list = a->dumps->groups[o->group].ranks, .n = a->dumps->groups[o->group].n};
	a->text.n = 0;
	if (ranks.n == 1) {
		put_sentence_ranks(&a->text, &ranks);
		buf_lit(&a->text, " is in ");
	} else {
		buf_lit(&a->text, "All ");
		num_add_i64(&a->text, (int64_t)ranks.n);
		buf_lit(&a->text, " ranks are in ");
	}
	put_collective(&a->text, a->dumps, o->description, o->number, o->group);
	put_str(&a->text, ranks.n == 1 ? STR(": its device, which did not finish it.")
				       : STR(": the network or the device of any of them."));
	write_sentence(a, "all came", "candidates", &ranks);
	return true;
}

/*
 * Writes the answers if no rank is named. Returns whether something is open. A device that stopped,
 * a collective to which all came, and a lost dump can each be the cause, and none of them excludes
 * another, so all that apply are written.
 */
static bool write_unnamed(struct hang_answers *a)
{
	bool any = write_stopped(a);

	any |= write_stuck(a);
	if (a->waits->any_absent) {
		write_absent(a);
		any = true;
	}
	if (any)
		return true;
	a->text.n = 0;
	if (!a->dumps->n_open) {
		buf_lit(&a->text,
		    "No open collective: the host of every rank stopped outside of collectives, or none did.");
		write_sentence(a, "nothing open", NULL, NULL);
		return false;
	}
	put_count(&a->text, count_open_ranks(a->dumps), " rank has", " ranks have");
	buf_lit(&a->text, " open entries, but no rank waits for another one in a collective.");
	write_sentence(a, "unknown", NULL, NULL);
	return true;
}

/*
 * Writes the answers. A mismatch is an error of the program and is always written. Of the rest, the
 * surest explanation is given: ranks that did not come, otherwise a circle of ranks, otherwise the
 * candidates. Returns whether something is open.
 */
static bool write_answers(struct hang_answers *a)
{
	const struct waits *w = a->waits;

	write_mismatches(a);
	if (w->any_named)
		write_roots(a);
	else if (w->n_circle)
		write_circle(a);
	else
		return write_unnamed(a);
	return true;
}

/* --- ranks and groups --- */

/* Writes the names of the groups of a rank for which `is` returns true. */
static void write_group_names(struct hang_answers *a, uint32_t dump, const char *key,
    bool (*is)(const struct dump_group *g, const struct dump_member *m))
{
	const struct rank_wait *rank = &a->waits->ranks[dump];
	const struct dump_group *g;
	size_t k;

	json_write_begin(&a->record, key, '[');
	for (k = 0; k < rank->n_groups; k++) {
		g = &a->dumps->groups[a->waits->groups[rank->first_group + k]];
		if (is(g, &g->members[dumps_member(g, a->dumps->list[dump].rank)]))
			json_write_text(&a->record, NULL, g->name);
	}
	json_write_end(&a->record, ']');
}

static bool is_stopped(const struct waits *w, uint32_t dump)
{
	const struct rank_wait *rank = &w->ranks[dump];
	const struct dump_group *g;
	size_t k;

	for (k = 0; k < rank->n_groups; k++) {
		g = &w->dumps->groups[w->groups[rank->first_group + k]];
		if (waits_stopped(g, &g->members[dumps_member(g, w->dumps->list[dump].rank)]))
			return true;
	}
	return false;
}

static const char *state_of(const struct waits *w, uint32_t dump)
{
	const bool stopped = is_stopped(w, dump);

	if (w->ranks[dump].named)
		return stopped ? "did not come, device stopped" : "did not come";
	return stopped ? "device stopped" : w->dumps->list[dump].open ? "waits" : "idle";
}

/* Writes the first open entry as text: "72 all_to_all 45265". */
static void write_first_open(struct hang_answers *a, const struct dump *d)
{
	const struct dump_entry *o = &a->dumps->open[d->first_open];

	a->text.n = 0;
	put_str(&a->text, a->dumps->groups[o->group].name);
	buf_char(&a->text, ' ');
	put_str(&a->text, dumps_part(a->dumps, o->description, DUMPS_OPERATION));
	buf_char(&a->text, ' ');
	num_add_i64(&a->text, o->number);
	json_write_text(&a->record, "first_open", buf_str(&a->text));
}

/*
 * Writes the row of a rank. `root` is the group of the earliest answer, or DUMPS_NONE: the members
 * of this group are compared by the collectives that they completed.
 */
static void write_rank(struct hang_answers *a, uint32_t dump, uint32_t root)
{
	const struct dump *d = &a->dumps->list[dump];
	const struct dump_group *g = root == DUMPS_NONE ? NULL : &a->dumps->groups[root];
	const size_t place = g ? dumps_member(g, d->rank) : SIZE_MAX;

	begin_record(a, "rank");
	json_write_int(&a->record, "rank", d->rank);
	json_write_text(&a->record, "state", str_of(state_of(a->waits, dump)));
	json_write_int(&a->record, "entries", (int64_t)d->entries);
	json_write_int(&a->record, "in", (int64_t)d->open);
	if (d->open)
		write_first_open(a, d);
	if (place != SIZE_MAX)
		write_integer(a, "last_completed", g->members[place].completed);
	write_group_names(a, dump, "missing_in", waits_behind);
	write_group_names(a, dump, "stopped_in", waits_stopped);
	record_line_end(&a->record, a->out);
}

/* Returns the earliest root, or DUMPS_NONE. */
static uint32_t first_root(const struct waits *w)
{
	const struct dump_group *groups = w->dumps->groups;
	uint32_t best = DUMPS_NONE, i;

	for (i = 0; i < w->dumps->n_groups; i++) {
		if (groups[i].root && (best == DUMPS_NONE || compare_roots(groups, i, best) < 0))
			best = i;
	}
	return best;
}

/* The order of states in the table of ranks. The ranks that explain the hang come first. */
static int state_order(const struct waits *w, uint32_t dump)
{
	return w->ranks[dump].named ? 0 : is_stopped(w, dump) ? 1 : w->dumps->list[dump].open ? 2 : 3;
}

struct rank_row {
	int64_t rank;
	uint32_t dump;
	int order;
};

static int compare_rank_rows(const void *a, const void *b)
{
	const struct rank_row *x = a, *y = b;

	return x->order != y->order ? x->order - y->order : x->rank < y->rank ? -1 : 1;
}

static void write_rank_rows(struct hang_answers *a)
{
	struct rank_row *rows = mem_zero(a->dumps->n + 1, sizeof *rows);
	const uint32_t root = first_root(a->waits);
	uint32_t i;

	for (i = 0; i < a->dumps->n; i++)
		rows[i] = (struct rank_row){a->dumps->list[i].rank, i, state_order(a->waits, i)};
	qsort(rows, a->dumps->n, sizeof *rows, compare_rank_rows);
	for (i = 0; i < a->dumps->n; i++)
		write_rank(a, rows[i].dump, root);
	free(rows);
}

/* Writes the numbers of all members: null without a dump or number. */
static void write_numbers(struct hang_answers *a, const char *key, const struct dump_group *g, bool completed)
{
	int64_t v;
	size_t i;

	json_write_begin(&a->record, key, '[');
	for (i = 0; i < g->n; i++) {
		v = completed ? g->members[i].completed : g->members[i].enqueued;
		if (g->members[i].dump == DUMPS_NONE || v == DUMPS_UNKNOWN)
			json_write_json(&a->record, NULL, STR("null"));
		else
			json_write_int(&a->record, NULL, v);
	}
	json_write_end(&a->record, ']');
}

static void write_group_row(struct hang_answers *a, const struct dump_group *g)
{
	bool pairs = false;
	size_t i;

	for (i = 0; i < g->n; i++)
		pairs |= g->members[i].open_pairs > 0;
	begin_record(a, "group");
	write_group(a, g);
	json_write_int(&a->record, "open", (int64_t)g->open);
	json_write_bool(&a->record, "p2p", pairs);
	json_write_bool(&a->record, "counts", g->counts);
	if (g->first != DUMPS_UNKNOWN)
		write_collective(a, g);
	write_integer(a, "done", g->done);
	list_members(a, g);
	write_ranks(a, "waits", "waits_count", &a->waiting);
	write_ranks(a, "missing", "missing_count", &a->missing);
	write_ranks(a, "stopped", "stopped_count", &a->stopped);
	write_ranks(a, "no_dump", "no_dump_count", &a->absent);
	write_numbers(a, "enqueued", g, false);
	write_numbers(a, "completed", g, true);
	record_line_end(&a->record, a->out);
}

bool hang_answers_write(const struct waits *w, struct out *out)
{
	struct hang_answers a = {.waits = w, .dumps = w->dumps, .out = out};
	const bool open = write_answers(&a);
	size_t i;

	write_rank_rows(&a);
	for (i = 0; i < w->dumps->n_groups; i++)
		write_group_row(&a, &w->dumps->groups[w->order[i]]);
	bufs_free(&a.record, &a.text);
	mem_free(a.missing.list, a.stopped.list, a.waiting.list, a.absent.list);
	return open;
}
