#include "dumps.h"

#include "base/num_parse.h"
#include "base/order.h"
#include "json/iter.h"
#include "json/string.h"
#include "json/value.h"

#include <stdlib.h>

/* The group that a name means in the last dump that has the name. */
struct dumps_name {
	uint32_t dump, group;
};

/* The first entry with a number in a group. */
struct dumps_call {
	uint32_t dump, description;
	uint32_t last; /* the last dump that has an entry with the number */
};

static int64_t integer(struct str json, int64_t none)
{
	int64_t v;

	return json.p && value_integer(json, &v) ? v : none;
}

/* Stores the decoded text of a JSON string; {NULL, 0} if it is not a string. */
static struct str store_text(struct dumps *d, struct str json)
{
	if (!json_is_string(json))
		return (struct str){NULL, 0};
	d->text.n = 0;
	json_unescape(&d->text, json_inner(json));
	return map_key(&d->texts, map_put(&d->texts, buf_str(&d->text)));
}

/* --- dumps --- */

uint32_t dumps_find(const struct dumps *d, int64_t rank)
{
	const size_t i = map_find(&d->by_rank, STR_BYTES(rank));

	return i == MAP_NONE ? DUMPS_NONE : (uint32_t)i;
}

static const char *begin_dump(struct dumps *d, struct event *e, struct str args)
{
	const struct str file = iter_find(args, STR("file"));
	const size_t known = d->by_rank.n;
	int64_t rank;

	d->skipping = true;
	d->file.n = 0;
	if (json_is_string(file))
		json_unescape(&d->file, json_inner(file));
	if (!value_integer(event_get(e, EVENT_RANK), &rank) || rank < 0)
		return "dump without a rank; give it with --capture rank=REGEX of the name of its file; left out";
	map_put(&d->by_rank, STR_BYTES(rank));
	if (d->by_rank.n == known)
		return "second dump of a rank; left out";
	d->skipping = false;
	d->list = mem_grow(d->list, &d->cap, d->n + 1, sizeof *d->list);
	d->list[d->n++] = (struct dump){.rank = rank,
	    .first_record = integer(iter_find(args, STR("first_record_id")), DUMPS_UNKNOWN),
	    .entries = (uint64_t)integer(iter_find(args, STR("entries")), 0),
	    .first_open = d->n_open,
	    .newest = DUMPS_UNKNOWN};
	return NULL;
}

/* --- groups --- */

/* Sets *ranks to the elements of an array of ranks, sorted; returns false if the text is not such an array. */
static bool read_ranks(struct str json, int64_t **ranks, size_t *n)
{
	struct str value;
	struct iter at;
	size_t cap = 0;
	int64_t v;

	*ranks = NULL;
	*n = 0;
	if (!iter_array(&at, json))
		return false;
	while (iter_element(&at, &value)) {
		if (num_int(value, &v) != NUM_OK || v < 0)
			return false;
		*ranks = mem_grow(*ranks, &cap, *n + 1, sizeof **ranks);
		(*ranks)[(*n)++] = v;
	}
	if (*n)
		qsort(*ranks, *n, sizeof **ranks, order_int64s);
	return *n > 0;
}

/* Returns the index of the group with a name and ranks; takes over or frees `ranks`. */
static size_t put_group(struct dumps *d, size_t name, struct str desc, int64_t *ranks, size_t n)
{
	const size_t known = d->by_ranks.n;
	struct dump_group *g;
	size_t i, group;

	d->text.n = 0;
	buf_add(&d->text, &name, sizeof name);
	buf_add(&d->text, ranks, n * sizeof *ranks);
	group = map_put(&d->by_ranks, buf_str(&d->text));
	if (group < known) {
		free(ranks);
		return group;
	}
	d->groups = mem_grow(d->groups, &d->groups_cap, group + 1, sizeof *d->groups);
	d->n_groups = group + 1;
	g = &d->groups[group];
	*g = (struct dump_group){.name = map_key(&d->group_names, name),
	    .desc = desc,
	    .ranks = ranks,
	    .members = mem_zero(n, sizeof *g->members),
	    .n = n,
	    .completed = DUMPS_UNKNOWN,
	    .open_last = DUMPS_UNKNOWN};
	for (i = 0; i < n; i++) {
		g->members[i] = (struct dump_member){.enqueued = DUMPS_UNKNOWN,
		    .completed = DUMPS_UNKNOWN,
		    .open_last = DUMPS_UNKNOWN,
		    .dump = DUMPS_NONE};
	}
	return group;
}

/* Returns the index of the group of a record; SIZE_MAX if it has no name or no ranks. */
static size_t find_group(struct dumps *d, struct str args)
{
	const struct str name = iter_find(args, STR("group")), ranks = iter_find(args, STR("ranks"));
	struct str desc;
	size_t known = d->by_text.n, text, number, n;
	int64_t *list;

	if (!json_is_string(name))
		return SIZE_MAX;
	/* Texts are equal in the dumps of all members: the ranks of such a text are read once. */
	d->text.n = 0;
	buf_add(&d->text, name.p, name.n);
	buf_add(&d->text, ranks.p, ranks.n);
	text = map_put(&d->by_text, buf_str(&d->text));
	if (text < known)
		return d->text_groups[text];
	d->text_groups = mem_grow(d->text_groups, &d->text_groups_cap, text + 1, sizeof *d->text_groups);
	d->text_groups[text] = SIZE_MAX;
	if (!read_ranks(ranks, &list, &n)) {
		free(list);
		return SIZE_MAX;
	}
	desc = store_text(d, iter_find(args, STR("desc")));
	d->text.n = 0;
	json_unescape(&d->text, json_inner(name));
	number = map_put(&d->group_names, buf_str(&d->text));
	return d->text_groups[text] = put_group(d, number, desc, list, n);
}

size_t dumps_member(const struct dump_group *g, int64_t rank)
{
	const int64_t *found = bsearch(&rank, g->ranks, g->n, sizeof *g->ranks, order_int64s);

	return found ? (size_t)(found - g->ranks) : SIZE_MAX;
}

static const char *add_group(struct dumps *d, struct str args)
{
	struct dump_member *m;
	size_t group, name, place, known = d->names_cap;

	if (!iter_find(args, STR("group")).p) {
		d->unnamed++;
		return NULL;
	}
	group = find_group(d, args);
	if (group == SIZE_MAX)
		return "process group without a name or ranks; left out";
	place = dumps_member(&d->groups[group], d->list[d->n - 1].rank);
	if (place == SIZE_MAX)
		return "process group that the rank of its dump does not belong to; left out";
	m = &d->groups[group].members[place];
	m->enqueued = integer(iter_find(args, STR("last_enqueued_collective")), DUMPS_UNKNOWN);
	m->completed = integer(iter_find(args, STR("last_completed_collective")), DUMPS_UNKNOWN);
	name = map_find(&d->group_names, d->groups[group].name);
	d->names = mem_grow(d->names, &d->names_cap, name + 1, sizeof *d->names);
	for (; known < d->names_cap; known++)
		d->names[known].dump = DUMPS_NONE;
	d->names[name] = (struct dumps_name){(uint32_t)(d->n - 1), (uint32_t)group};
	return NULL;
}

/* --- entries --- */

/* Appends a list of sizes as text: [[2,3],[4]] is 2x3,4. */
static void put_sizes(struct buf *b, struct str sizes)
{
	size_t i;

	for (i = 0; i < sizes.n; i++) {
		if (sizes.p[i] == ',')
			buf_char(b, i && sizes.p[i - 1] == ']' ? ',' : 'x');
		else if (sizes.p[i] >= '0' && sizes.p[i] <= '9')
			buf_char(b, sizes.p[i]);
	}
}

/* Returns the number of the description of an entry: its operation, and the type and sizes of its input. */
static uint32_t describe(struct dumps *d, struct event *e, struct str args)
{
	const struct str name = event_get(e, EVENT_NAME), types = iter_find(args, STR("input_dtypes"));
	struct str type = {NULL, 0};
	struct iter at;

	d->text.n = 0;
	if (json_is_string(name))
		json_unescape(&d->text, json_inner(name));
	buf_char(&d->text, '\t');
	if (iter_array(&at, types) && iter_element(&at, &type) && json_is_string(type))
		json_unescape(&d->text, json_inner(type));
	buf_char(&d->text, '\t');
	put_sizes(&d->text, iter_find(args, STR("input_sizes")));
	return (uint32_t)map_put(&d->descriptions, buf_str(&d->text));
}

struct str dumps_part(const struct dumps *d, uint32_t description, enum dumps_part part)
{
	struct str rest = map_key(&d->descriptions, description), piece = {NULL, 0};
	size_t i;

	for (i = 0; i <= part; i++)
		str_split(&rest, '\t', &piece);
	return piece;
}

/* Whether the sizes of an operation are equal on all ranks. */
static bool has_equal_sizes(struct str operation)
{
	return str_find(operation, STR("all_to_all")) == operation.n &&
	       str_find(operation, STR("alltoall")) == operation.n && !str_starts(operation, STR("gather")) &&
	       str_find(operation, STR("coalesced")) == operation.n &&
	       (str_find(operation, STR("scatter")) == operation.n ||
		   str_find(operation, STR("reduce_scatter")) < operation.n);
}

/* Compares an entry with the entry of the rank that had the number in this group first. */
static void check_call(struct dumps *d, const struct dump_entry *entry)
{
	const struct {
		int64_t number;
		uint64_t group;
	} key = {entry->number, entry->group};
	const size_t known = d->calls.n, i = map_put(&d->calls, STR_BYTES(key));
	const uint32_t mine = entry->description;
	struct dumps_call *first;
	struct str operation;
	bool same;

	if (i >= known) {
		d->first_calls = mem_grow(d->first_calls, &d->calls_cap, i + 1, sizeof *d->first_calls);
		d->first_calls[i] = (struct dumps_call){entry->dump, mine, entry->dump};
		return;
	}
	first = &d->first_calls[i];
	/* Operations of one rank that share a number are parts of a coalesced one: only the first one is compared. */
	if (first->last == entry->dump)
		return;
	first->last = entry->dump;
	if (first->description == mine)
		return;
	operation = dumps_part(d, mine, DUMPS_OPERATION);
	same = str_eq(operation, dumps_part(d, first->description, DUMPS_OPERATION)) &&
	       str_eq(dumps_part(d, mine, DUMPS_TYPE), dumps_part(d, first->description, DUMPS_TYPE));
	if (same && !has_equal_sizes(operation))
		return;
	d->mismatches = mem_grow(d->mismatches, &d->mismatches_cap, d->n_mismatches + 1, sizeof *d->mismatches);
	d->mismatches[d->n_mismatches++] = (struct dump_mismatch){entry->group, entry->number,
	    d->list[first->dump].rank, d->list[entry->dump].rank, first->description, mine};
}

/* Returns the group of an entry of the current dump, or NULL. */
static struct dump_group *entry_group(struct dumps *d, struct str args)
{
	struct str name;
	struct iter at;
	size_t i;

	if (!iter_array(&at, iter_find(args, STR("process_group"))) || !iter_element(&at, &name) ||
	    !json_is_string(name))
		return NULL;
	d->text.n = 0;
	json_unescape(&d->text, json_inner(name));
	i = map_find(&d->group_names, buf_str(&d->text));
	if (i == MAP_NONE || i >= d->names_cap || d->names[i].dump != d->n - 1)
		return NULL;
	return &d->groups[d->names[i].group];
}

static void count_open(struct dump_group *g, struct dump_member *m, const struct dump_entry *entry)
{
	g->open++;
	m->open++;
	m->open_pairs += entry->pair;
	if (!entry->pair && entry->number > m->open_last)
		m->open_last = entry->number;
	if (m->open_last > g->open_last)
		g->open_last = m->open_last;
}

static const char *add_entry(struct dumps *d, struct event *e, struct str args)
{
	struct dump *dump = &d->list[d->n - 1];
	struct dump_group *g = entry_group(d, args);
	const bool open = !str_eq(iter_find(args, STR("state")), STR("\"completed\""));
	struct dump_entry entry;

	if (event_get(e, EVENT_TS).p && e->ts > dump->newest)
		dump->newest = e->ts;
	if (!g)
		return "entry of a process group that pg_config lacks; left out";
	entry = (struct dump_entry){.dump = (uint32_t)(d->n - 1),
	    .group = (uint32_t)(g - d->groups),
	    .member = (uint32_t)dumps_member(g, dump->rank),
	    .pair = str_eq(iter_find(args, STR("is_p2p")), STR("true")),
	    .record = integer(iter_find(args, STR("record_id")), 0),
	    .ts = event_get(e, EVENT_TS).p ? e->ts : 0};
	entry.number =
	    integer(iter_find(args, entry.pair ? STR("p2p_seq_id") : STR("collective_seq_id")), DUMPS_UNKNOWN);
	if (entry.number == DUMPS_UNKNOWN)
		return "entry without a number; left out";
	entry.description = describe(d, e, args);
	if (!entry.pair)
		check_call(d, &entry);
	if (!entry.pair && !open && entry.number > g->completed)
		g->completed = entry.number;
	if (!open)
		return NULL;
	count_open(g, &g->members[entry.member], &entry);
	d->open = mem_grow(d->open, &d->open_cap, d->n_open + 1, sizeof *d->open);
	d->open[d->n_open++] = entry;
	dump->open++;
	return NULL;
}

const char *dumps_add(struct dumps *d, struct event *e)
{
	const struct str name = event_get(e, EVENT_NAME), args = event_get(e, EVENT_ARGS);
	const enum event_kind kind = event_get_kind(e);

	if (kind == KIND_META && str_eq(name, STR("\"flight_recorder\"")) && args.p)
		return begin_dump(d, e, args);
	if (!d->n || d->skipping || !args.p || args.p[0] != '{')
		return NULL;
	if (kind == KIND_META && str_eq(name, STR("\"process_group\"")))
		return add_group(d, args);
	return kind == KIND_MARK && iter_find(args, STR("record_id")).p ? add_entry(d, e, args) : NULL;
}

static int compare_entries(const void *a, const void *b)
{
	const struct dump_entry *x = a, *y = b;

	return x->record != y->record ? (x->record < y->record ? -1 : 1) : x < y ? -1 : x > y;
}

void dumps_end(struct dumps *d)
{
	struct dump_group *g;
	size_t i, k;

	for (i = 0; i < d->n; i++) {
		if (d->list[i].open)
			qsort(d->open + d->list[i].first_open, d->list[i].open, sizeof *d->open, compare_entries);
	}
	for (i = 0; i < d->n_groups; i++) {
		g = &d->groups[i];
		for (k = 0; k < g->n; k++) {
			g->members[k].dump = dumps_find(d, g->ranks[k]);
			g->absent += g->members[k].dump == DUMPS_NONE;
		}
	}
}

void dumps_free(struct dumps *d)
{
	size_t i;

	for (i = 0; i < d->n_groups; i++)
		mem_free(d->groups[i].ranks, d->groups[i].members);
	mem_free(d->list, d->groups, d->open, d->mismatches, d->names, d->first_calls, d->text_groups);
	maps_free(&d->descriptions, &d->group_names, &d->by_rank, &d->by_text, &d->by_ranks, &d->texts, &d->calls);
	bufs_free(&d->text, &d->file);
}
