#include "graph_kernels.h"

#include "base/num_format.h"
#include "json/iter_inline.h"
#include "json/write.h"
#include "launch_match.h"
#include "program/filter.h"
#include "record/event_attach.h"

#include <inttypes.h>

static const char *const value_names[] = {
    "op", "ops", "module", "modules", "kernel_file", "kernel_hash", "capture", "node", "match", "api", NULL};

void graph_kernels_take(struct graph_kernels *g, const char *option, const char *list)
{
	carried_fields_add(&g->take, option, list);
	if (g->take.n + CAPTURES_VALUES + 3 > GRAPH_KERNELS_MEMBERS)
		die("%s: more than %d fields", option, GRAPH_KERNELS_MEMBERS - CAPTURES_VALUES - 3);
	if (g->taken.n)
		g->taken.p[g->taken.n++ - 1] = ',';
	buf_add(&g->taken, list, strlen(list) + 1);
}

void graph_kernels_init(struct graph_kernels *g, struct input *in, struct out *out)
{
	size_t i, n = 0;

	carried_fields_check(&g->take, "--take", value_names);
	for (i = 0; i < CAPTURES_VALUES; i++)
		g->members[n++] = str_of(value_names[i]);
	for (i = 0; i < g->take.n; i++) {
		g->members[n++] = str_of(g->take.list[i].name);
		g->takes_times |= str_in(g->members[n - 1], (const char *const[]){"delay", "queue", NULL});
	}
	for (i = CAPTURES_VALUES; i < CAPTURES_VALUES + 3; i++)
		g->members[n++] = str_of(value_names[i]);
	g->n_members = n;
	g->captures.take = &g->take;
	g->captures.taken = g->taken.n ? g->taken.p : "";
	captures_init(&g->captures);
	g->launches.captures = &g->captures;
	g->launches.last = LAUNCHES_NONE;
	g->launches.matches.captures = &g->captures;
	g->in = in;
	g->out = out;
	waiting_records_init(&g->waiting);
	input_uses_members(in, UINT32_MAX, 1u << EVENT_KIND);
}

/* --- writing --- */

/* Appends the values of a node or an annotation, and removes members of the record that have no value now. */
static void put_values(struct graph_kernels *g, const uint32_t *values, uint32_t has)
{
	size_t i;

	for (i = 0; i < g->captures.n_values; i++) {
		if (values && values[i] != CAPTURES_NONE)
			json_write_member(&g->text, g->members[i], map_key(&g->captures.values, values[i]));
		else if (has >> i & 1)
			json_write_member(&g->text, g->members[i], STR("null"));
	}
}

static void put_place(struct graph_kernels *g, size_t member, int64_t value, uint32_t has)
{
	const size_t i = g->captures.n_values + member;
	char digits[NUM_ROOM];

	if (value >= 0)
		json_write_member(&g->text, g->members[i], num_str_i64(digits, value));
	else if (has >> i & 1)
		json_write_member(&g->text, g->members[i], STR("null"));
}

/* Appends the members of a kernel of a graph; returns the rule. `launch` is NULL if the kernel came too late. */
static enum match_rule put_members(struct graph_kernels *g, const struct waiting_record *w, const struct launch *launch)
{
	const struct captures *c = &g->captures;
	enum match_rule rule = launch ? launch->rule : MATCH_NONE;
	const uint32_t *values = NULL;
	int64_t capture = -1, node = -1;

	if (rule == MATCH_NODE) {
		values = c->annotations + w->annotation * c->n_values;
	} else if (rule == MATCH_AMBIGUOUS) {
		values = launch_match_agreed(launch->match, c, w->place);
		g->agreed += values[CAPTURES_OP] != CAPTURES_NONE;
	} else if (rule != MATCH_NONE) {
		node = launch_match_node(launch->match, (size_t)launch->choice, w->place);
		if (node >= 0) {
			capture = launch->match->captures[launch->choice];
			values = c->values_of + (c->list[capture].first + (size_t)node) * c->n_values;
		} else {
			rule = node == NODE_MAP_NONE ? MATCH_NONE : MATCH_AMBIGUOUS;
		}
	}
	put_values(g, values, w->has);
	put_place(g, 0, capture, w->has);
	put_place(g, 1, node, w->has);
	json_write_member(&g->text, g->members[g->n_members - 1], match_names[rule]);
	return rule;
}

static void write_kernel(struct graph_kernels *g, const struct waiting_record *w, struct str text)
{
	struct launch *launch = w->launch == LAUNCHES_NONE ? NULL : launches_get(&g->launches, w->launch);
	enum match_rule rule;

	g->text.n = 0;
	rule = launch ? launch->rule : MATCH_NONE;
	if (g->captures.n || g->captures.nodes_read || rule == MATCH_NODE)
		rule = put_members(g, w, launch);
	g->count[rule]++;
	g->dur[rule] += w->dur > 0 ? (uint64_t)w->dur : 0;
	if (g->text.n && w->at) {
		event_attach_insert(g->out, text, w->at, buf_str(&g->text));
	} else if (g->text.n) {
		scan_pad(&g->text);
		event_attach_write(g->out, &(struct event){.raw = text}, buf_str(&g->text));
	} else {
		out_line(g->out, text);
	}
	if (launch)
		launches_written(&g->launches, launch);
}

/* Writes the oldest records, up to the first one whose launch is not decided. */
static void write_decided(struct graph_kernels *g)
{
	struct waiting_record w;
	struct str text;
	struct fault f;

	while (waiting_records_any(&g->waiting)) {
		err_check(waiting_records_oldest(&g->waiting, &w, &f), &f);
		if (w.launch != LAUNCHES_NONE && launches_get(&g->launches, w.launch)->state != LAUNCH_DECIDED)
			return;
		err_check(waiting_records_take(&g->waiting, &w, &text, &f), &f);
		if (w.of_graph)
			write_kernel(g, &w, text);
		else
			out_line(g->out, text);
	}
}

/* Writes a record that waits for nothing itself. */
static void pass(struct graph_kernels *g, const struct event *e)
{
	struct fault f;

	if (waiting_records_any(&g->waiting))
		err_check(
		    waiting_records_add(&g->waiting, (struct waiting_record){.launch = LAUNCHES_NONE}, e->raw, &f), &f);
	else
		event_copy(g->out, e);
}

/* --- reading --- */

static void find_member(const struct graph_kernels *g, struct device_record *d, struct str key, struct str value)
{
	size_t i;

	if (str_eq(key, STR("api")))
		d->api = value;
	for (i = 0; i < g->n_members; i++) {
		if (str_eq(g->members[i], key))
			d->has |= 1u << i;
	}
}

/* Reads the members from w on, the first of which follows member m. */
static void read_members(
    const struct graph_kernels *g, struct event *e, struct device_record *d, struct iter *w, enum event_member m)
{
	struct str key, value;
	int r;

	while ((r = event_next(w, &m, &key, &value)) > 0) {
		d->odd |= m <= EVENT_CLOCK || str_eq(value, STR("null"));
		if (str_eq(value, STR("null")))
			continue;
		if (m == EVENT_RANK || m == EVENT_DEV || m == EVENT_STREAM || m == EVENT_PID)
			d->place[m == EVENT_RANK ? 0 : m == EVENT_DEV ? 1 : m == EVENT_STREAM ? 2 : 3] = value;
		else if (m == EVENT_ARGS)
			d->args = value;
		else if (m == EVENT_CLOCK)
			d->other_clock = true;
		else if (m == EVENT_N)
			find_member(g, d, key, value);
		if ((m == EVENT_ARGS || m == EVENT_SRC) && !d->at)
			d->at = (size_t)(key.p - 2 - e->raw.p);
	}
	d->at = d->at ? d->at : e->raw.n - 1;
	d->odd |= !strchr(",}", e->raw.p[d->at]);
	event_broken_if(e, r < 0);
}

/*
 * Stores what the text up to the end of the member api says, and the text from the args on; the next kernel of the
 * launch mostly has the same texts.
 */
static void remember(struct graph_kernels *g, const struct event *e, const struct device_record *d)
{
	const char *begin = e->raw.p + e->prefix - 1, *end = d->api.p + d->api.n;
	struct device_record *known = &g->known;
	size_t i;

	g->known_text.n = g->known_tail.n = 0;
	if (!e->prefix || d->has || d->other_clock || d->at < (size_t)(end - e->raw.p))
		return;
	for (i = 0; i < 4; i++) {
		if (d->place[i].p && (d->place[i].p < begin || d->place[i].p >= end))
			return;
	}
	buf_add(&g->known_text, begin, (size_t)(end - begin));
	if (!d->odd && !g->takes_times)
		buf_add(&g->known_tail, e->raw.p + d->at, e->raw.n - d->at);
	*known = (struct device_record){.api = d->api};
	memcpy(known->place, d->place, sizeof known->place);
	known->api.p = g->known_text.p + (d->api.p - begin);
	for (i = 0; i < 4; i++)
		known->place[i].p = d->place[i].p ? g->known_text.p + (d->place[i].p - begin) : NULL;
}

/* Returns the end of the member `key` at p, an integer, or p if it is not there. */
static const char *integer_end(const char *p, struct str key)
{
	const char *end = memcmp(p, key.p, key.n) == 0 ? iter_whole_end(p + key.n) : NULL;

	return end ? end : p;
}

/* Returns whether the record has the stream and the call of the kernel that was remembered. */
static bool is_of_known(const struct graph_kernels *g, const struct device_record *d)
{
	size_t i = 0;

	if (d->shares || !g->known_text.n)
		return d->shares;
	while (i < 4 && str_eq(d->place[i], g->known.place[i]))
		i++;
	return i == 4 && str_eq(d->api, g->known.api);
}

static void read_device(const struct graph_kernels *g, struct event *e, struct device_record *d)
{
	const struct str known = buf_str(&g->known_text);
	struct iter w = {e->raw.p + e->prefix - 1 + known.n, e->raw.p + e->raw.n, '}', false};
	const char *p;

	if (e->prefix && known.n && !event_walked(e) && str_starts(str_from(e->raw, e->prefix - 1), known)) {
		*d = g->known;
		d->shares = true;
		p = integer_end(integer_end(w.p, STR(",\"delay\":")), STR(",\"queue\":"));
		d->at = (size_t)(p - e->raw.p);
		d->tail = g->known_tail.n && str_eq(buf_str(&g->known_tail), str_from(e->raw, d->at));
		if (d->tail)
			return;
		d->at = 0;
		read_members(g, e, d, &w, EVENT_CLOCK);
		if (!d->odd)
			return;
	}
	*d = (struct device_record){.has = 0};
	iter_init(&w, e->raw);
	read_members(g, e, d, &w, EVENT_N);
	d->odd = !e->prefix || !strchr(",}", e->raw.p[d->at]);
}

static bool is_graph_launch(struct str name)
{
	return name.p && str_find(name, STR("GraphLaunch")) < name.n;
}

/* Takes a kernel, copy or set of the launch of a graph. */
static void take_kernel(struct graph_kernels *g, struct event *e, enum event_kind kind, const struct device_record *d)
{
	struct captures *c = &g->captures;
	struct waiting_record w = {.dur = event_has(e, EVENT_DUR) ? e->dur : 0,
	    .annotation = CAPTURES_NONE,
	    .has = d->has,
	    .of_graph = true,
	    .at = d->odd || d->has ? 0 : (uint32_t)d->at};
	struct launch_kernel k = {.stream = d->place, .api = d->api, .same = is_of_known(g, d)};
	struct fault f;

	k.name = kind == KIND_MEMCPY   ? CAPTURES_COPY
		 : kind == KIND_MEMSET ? CAPTURES_SET
				       : captures_name(c, event_get(e, EVENT_NAME));
	if (d->tail)
		w.annotation = g->known_annotation;
	else if (d->args.p)
		w.annotation = captures_annotation(c, d->place[0], d->place[3], d->args);
	k.annotated = w.annotation != CAPTURES_NONE;
	w.launch = launches_take_kernel(&g->launches, &k, &w.place);
	if (!k.same) {
		remember(g, e, d);
		g->known_annotation = w.annotation;
	}
	w.same = d->shares;
	if ((d->shares || !k.same) && g->known_text.n) {
		w.shared_n = (uint32_t)g->known_text.n;
		w.shared_at = (uint32_t)e->prefix - 1;
		w.tail_n = d->tail || !k.same ? (uint32_t)g->known_tail.n : 0;
	}
	err_check(waiting_records_add(&g->waiting, w, e->raw, &f), &f);
}

void graph_kernels_add(struct graph_kernels *g, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);
	const bool is_device = event_kind_is_device(kind);
	struct device_record d = {.has = 0};

	if (is_device)
		read_device(g, e, &d);
	else
		d.other_clock = event_get(e, EVENT_CLOCK).p;
	if (!input_valid(g->in, e))
		return;
	if (!d.other_clock && event_get(e, EVENT_TS).p) {
		if (!input_in_order(g->in, e->ts))
			return;
		launches_advance(&g->launches, e->ts);
	}
	if (is_device && (d.shares || is_graph_launch(d.api))) {
		take_kernel(g, e, kind, &d);
		write_decided(g);
		return;
	}
	if (is_device)
		launches_take_other(&g->launches, d.place);
	else if (kind == KIND_API && is_graph_launch(event_get(e, EVENT_NAME)))
		launches_take_call(&g->launches, e);
	else if (kind == KIND_RANGE)
		launches_take_range(&g->launches, e);
	write_decided(g);
	pass(g, e);
}

void graph_kernels_end(struct graph_kernels *g)
{
	launches_end(&g->launches);
	write_decided(g);
}

/* --- the end --- */

static void add_count(struct buf *to, uint64_t n, const char *one, const char *many)
{
	num_add_u64(to, n);
	buf_text(to, n == 1 ? one : many);
}

/* Appends the counts of the rules, with their shares of the time of all kernels of graphs. */
static void add_rules(const struct graph_kernels *g, struct buf *to)
{
	static const char *const texts[] = {" by node ids", " by equal lists", " by order among equal lists",
	    " by alignment", " by number and kinds only", " ambiguous", " unknown"};
	const char *before = ": ";
	bool doubt = false;
	uint64_t all = 0;
	size_t i;

	for (i = 0; i < MATCH_RULES; i++)
		all += g->dur[i];
	for (i = 0; i < MATCH_RULES; i++) {
		if (!g->count[i])
			continue;
		buf_text(to, before[0] == ',' && i >= MATCH_AMBIGUOUS && !doubt ? "; " : before);
		doubt |= i >= MATCH_AMBIGUOUS;
		num_add_u64(to, g->count[i]);
		buf_text(to, texts[i]);
		buf_lit(to, " (");
		num_add_u64(to, all ? (uint64_t)((double)g->dur[i] * 100 / (double)all + 0.5) : 0);
		buf_lit(to, " % of the time)");
		if (i == MATCH_AMBIGUOUS && g->agreed) {
			buf_lit(to, ", with an operator in which the captures agree: ");
			num_add_u64(to, g->agreed);
		}
		before = ", ";
	}
}

/* Appends which values differ among captures that only the order of launches could tell apart. */
static void add_differences(const struct graph_kernels *g, struct buf *to)
{
	const char *before = "; these captures differ in ";
	size_t i;

	for (i = 0; i < g->captures.n_values; i++) {
		if (!(g->launches.counts.differ >> i & 1) || i == CAPTURES_OPS || i == CAPTURES_MODULES)
			continue;
		buf_text(to, before);
		buf_add(to, g->members[i].p, g->members[i].n);
		before = ", ";
	}
}

static void report_counts(const struct graph_kernels *g, uint64_t matched)
{
	const struct launches_counts *n = &g->launches.counts;
	const struct captures *c = &g->captures;
	struct buf text = {0};
	uint64_t nodes = 0;
	size_t i;

	for (i = 0; i < c->n; i++)
		nodes += c->list[i].n;
	num_add_u64(&text, matched);
	buf_lit(&text, " of ");
	add_count(&text, n->kernels, " kernel of ", " kernels of ");
	add_count(&text, n->launches, " graph launch", " graph launches");
	add_rules(g, &text);
	add_differences(g, &text);
	if (n->dropped) {
		buf_lit(&text, "; ");
		add_count(&text, n->dropped, " node has no kernel", " nodes have no kernel");
	}
	if (n->empty) {
		buf_lit(&text, "; ");
		add_count(&text, n->empty, " launch has no kernel", " launches have no kernel");
	}
	note("%.*s. Captures: %zu (%" PRIu64 " nodes)", (int)text.n, text.p, c->n, nodes);
	buf_free(&text);
}

enum status graph_kernels_report(const struct graph_kernels *g, bool graphs)
{
	const struct launches *l = &g->launches;
	const struct captures *c = &g->captures;
	const uint64_t matched = l->counts.kernels - g->count[MATCH_NONE] - g->count[MATCH_AMBIGUOUS];
	const bool none = graphs && l->counts.kernels && g->count[MATCH_NONE] == l->counts.kernels;

	if (c->endless)
		note("%" PRIu64 " captures begin and do not end", c->endless);
	if (!l->counts.launches && graphs)
		hint("no launch of a graph in the input; were the calls filtered out before, or corr-join left out?");
	else if (!l->counts.launches)
		return STATUS_OK;
	else if (!graphs && !g->count[MATCH_NODE])
		note("0 of %" PRIu64 " kernels of %" PRIu64 " graph launch%s: no capture given (--graphs)",
		    l->counts.kernels, l->counts.launches, l->counts.launches == 1 ? "" : "es");
	else
		report_counts(g, matched);
	if (l->counts.late)
		warn("%" PRIu64 " kernels came after kernels of later launches on their streams; not matched",
		    l->counts.late);
	if (none && map_find(&c->names, STR("\"[CUDA graph]\"")) != MAP_NONE)
		warn("the trace has the times of whole graphs, not of their kernels; record it with nsys "
		     "--cuda-graph-trace=node");
	else if (none && l->differs)
		warn("the captures are of other graphs, such as those of another model or rank: a kernel is %.*s, and "
		     "the node at its place %.*s",
		    STR_FMT(map_key(&c->names, l->kernel_name)), STR_FMT(map_key(&c->names, l->node_name)));
	else if (none)
		warn("no capture fits: their numbers of nodes differ from those of the launches, or the kernels ran on "
		     "several streams and the captures do not have their names");
	return c->lost || none ? STATUS_LOST : STATUS_OK;
}

void graph_kernels_free(struct graph_kernels *g)
{
	launches_free(&g->launches);
	captures_free(&g->captures);
	carried_fields_free(&g->take);
	waiting_records_free(&g->waiting);
	bufs_free(&g->taken, &g->text, &g->known_text, &g->known_tail);
}
