#include "range_layers.h"

#include "base/err.h"
#include "range_names.h"
#include "range_search.h"
#include "record/event_api.h"
#include "record/event_attach.h"
#include "json/scan.h"

#include <inttypes.h>

/* --- options --- */

void range_layers_init(struct range_layers *l)
{
	*l = (struct range_layers){.n = 1};
	l->list[0] = (struct range_layer){.scope = -1, .names = range_names_new()};
}

void range_layers_also(struct range_layers *l, const char *option, enum event_kind kind)
{
	struct str name = str_of(event_kind_names[kind]);
	struct range_layer *layer = &l->list[l->n];
	size_t i;

	if (range_names_reserved(name))
		die("%s: '%.*s' cannot be the name of the added member; use another pass: %s -r %.*s --as NAME", option,
		    STR_FMT(name), err_prog(), STR_FMT(name));
	for (i = 1; i < l->n; i++) {
		if (l->list[i].kinds >> kind & 1)
			die("%s: '%.*s' is already the name of a member", option, STR_FMT(name));
	}
	*layer = (struct range_layer){.kinds = 1u << kind, .scope = -1, .names = range_names_new()};
	range_names_as(layer->names, option, event_kind_names[kind]);
	l->n++;
}

/* Sets the scopes of the ranges of a layer. */
static void set_scopes(struct range_layer *layer)
{
	/*
	 * Operators, calls and Python functions enclose records of their thread; ranges that users mark enclose
	 * records of their process.
	 */
	const uint32_t of_threads = 1u << KIND_OP | 1u << KIND_PYTHON | 1u << KIND_API;
	enum places_scope scope;

	if (layer->scope >= 0) {
		layer->at_level[layer->scope] = layer->kinds;
	} else {
		layer->at_level[PLACES_THREAD] = layer->kinds & of_threads;
		layer->at_level[PLACES_PROCESS] = layer->kinds & ~of_threads;
	}
	for (scope = 0; scope < PLACES_SCOPES; scope++)
		layer->scopes |= (uint32_t)(layer->at_level[scope] != 0) << scope;
}

void range_layers_check(struct range_layers *l)
{
	struct range_layer *layer;
	struct map members = {0};
	struct str name;

	if (!l->list[0].kinds)
		l->list[0].kinds = 1u << KIND_RANGE;
	l->taken = 1u << KIND_MARK;
	for (layer = l->list; l->n && layer < l->list + l->n; layer++) {
		name = range_names_check(layer->names, &members);
		l->taken |= layer->kinds;
		layer->forgotten = INT64_MIN;
		if (l->n > 1) {
			buf_lit(&layer->label, "member ");
			buf_add(&layer->label, name.p, name.n);
			buf_lit(&layer->label, ": ");
		}
		set_scopes(layer);
		l->searches.scopes |= layer->scopes;
	}
	map_free(&members);
}

/* --- ranges --- */

bool range_layers_carry(struct range_layers *l, struct input *in, struct event *e, enum event_kind kind)
{
	struct range_names *names = l->list[0].names;

	if (!range_names_take(names)->n || !(l->list[0].kinds >> kind & 1))
		return true;
	range_names_carry(names, e);
	return input_valid(in, e);
}

/* Adds a record that has a ts and a dur. */
static void add_range(struct range_layers *l, struct range_layer *layer, struct range_search *search, struct event *e,
    enum event_kind kind, int64_t oldest)
{
	struct interval_index_entry span = {e->ts, event_end(e), 0, l->seq};
	const int64_t kept = l->searches.options.by_own ? 0 : l->searches.options.horizon;
	enum places_scope scope = PLACES_THREAD;
	uint32_t of_device[2];

	if (interval_index_grown(&layer->spans)) {
		layer->forgotten = oldest < INT64_MIN + kept ? INT64_MIN : oldest - kept;
		range_names_expire(layer->names, &layer->spans, layer->forgotten);
	}
	while (!(layer->at_level[scope] >> kind & 1))
		scope++;
	span.name = range_names_put(layer->names, event_get(e, EVENT_NAME));
	interval_index_add(&layer->spans, range_search_place(&l->searches, search, e, scope), &span);
	if (l->searches.options.by_own && layer->scope != PLACES_ANY) {
		range_search_device_places(&l->searches, e, of_device);
		interval_index_add(&layer->spans, of_device[0], &span);
		interval_index_add(&layer->spans, of_device[1], &span);
	}
	search->layers |= 1u << (layer - l->list);
	search->seq = l->seq;
	layer->ranges++;
}

/* Adds the record to the layer if it is one of its ranges and has an end. */
static void take_range(struct range_layers *l, struct range_layer *layer, struct input *in, struct range_search *search,
    struct event *e, enum event_kind kind, int64_t oldest)
{
	const size_t label = layer->label.n;

	if (!(layer->kinds >> kind & 1))
		return;
	if (layer->wanted.n && name_match_first(&layer->wanted, event_get(e, EVENT_NAME)) == NAME_MATCH_NONE)
		return;
	if (event_get(e, EVENT_DUR).p) {
		add_range(l, layer, search, e, kind, oldest);
		return;
	}
	layer->endless++;
	buf_lit(&layer->label, "range without an end; it encloses no record");
	input_warning(in, diagnostics_text(&in->diagnostics, buf_str(&layer->label)));
	layer->label.n = label;
}

void range_layers_take(struct range_layers *l, struct input *in, struct range_search *search, struct event *e,
    enum event_kind kind, int64_t oldest)
{
	size_t i;

	if (kind == KIND_MARK) {
		l->marks++;
		return;
	}
	for (i = 0; i < l->n; i++)
		take_range(l, &l->list[i], in, search, e, kind, oldest);
	l->seq += search->layers != 0;
}

/* --- searches --- */

/*
 * Searches the list of found ranges: for the record itself if it is a range, else for the call that launched it.
 * Returns the index in the list (of several equal ranges, the last), or n_found if the list does not contain it.
 */
static size_t find_self(
    const struct range_layer *layer, const struct range_search *search, const struct event *e, bool is_range)
{
	const struct interval_index_entry *found = layer->spans.found;
	size_t n = layer->spans.n_found, i;
	struct event_api call = {0};

	if (!is_range && (!search->launched || !(layer->kinds >> KIND_API & 1)))
		return n;
	if (!is_range && !event_api_find(&call, e))
		return n;
	for (i = n; i > 0; i--) {
		if (is_range
			? found[i - 1].seq == search->seq
			: found[i - 1].start == call.ts && found[i - 1].end == int_interval_end(call.ts, call.dur) &&
			      range_names_is(layer->names, found[i - 1].name, call.name))
			return i - 1;
	}
	return n;
}

/* Finds the ranges of a layer that enclose the record: layer->spans.found, from the outermost to the innermost. */
static void find_enclosing(struct range_layers *l, struct range_layer *layer, const struct range_search *search,
    const struct event *e, int64_t ts)
{
	struct interval_index *s = &layer->spans;
	uint32_t scopes = search->by_device && layer->scope != PLACES_ANY ? 1u << PLACES_PROCESS : layer->scopes;
	size_t i;

	s->n_found = 0;
	for (; scopes; scopes &= scopes - 1)
		interval_index_find(s, search->places[__builtin_ctz(scopes)], search->from, search->to);
	layer->far += search->to < layer->forgotten ||
		      (range_search_until(&l->searches, search) < search->from && search->from >= ts);
	if (!s->n_found)
		return;
	interval_index_sort(s);
	i = find_self(layer, search, e, search->layers >> (layer - l->list) & 1);
	if (i < s->n_found)
		memmove(s->found + i, s->found + i + 1, (--s->n_found - i) * sizeof *s->found);
}

void range_layers_write(
    struct range_layers *l, struct out *out, const struct range_search *search, const struct event *e, int64_t ts)
{
	struct range_layer *layer;
	size_t i;

	l->text.n = 0;
	for (i = 0; search->wanted && i < l->n; i++) {
		layer = &l->list[i];
		find_enclosing(l, layer, search, e, ts);
		layer->inside += layer->spans.n_found > 0;
		layer->outside += !layer->spans.n_found;
		if (layer->spans.n_found)
			range_names_add(layer->names, &l->text, layer->spans.found, layer->spans.n_found);
	}
	if (!l->text.n) {
		event_copy(out, e);
		return;
	}
	scan_pad(&l->text);
	event_attach_write(out, e, buf_str(&l->text));
}

/* --- end of input --- */

void range_layers_hint(const struct range_layers *l)
{
	uint64_t ranges = 0, outside = l->searches.alone;
	size_t i;

	for (i = 0; i < l->n; i++) {
		ranges += l->list[i].ranges + l->list[i].endless;
		outside += l->list[i].outside;
	}
	if (outside && !ranges)
		hint("no ranges%s in the input; were they filtered out before? See -r",
		    l->list[0].wanted.n ? " with these names" : "");
	carried_fields_hint(range_names_take(l->list[0].names));
}

void range_layers_report(const struct range_layers *l, bool report)
{
	const struct range_layer *layer;
	struct str label;
	size_t i;

	for (i = 0; i < l->n; i++) {
		layer = &l->list[i];
		label = buf_str(&layer->label);
		if (layer->far)
			warn("%.*srecords that start more than --horizon after their call or last longer than "
			     "--horizon: %" PRIu64 "; some of their ranges may be missing",
			    STR_FMT(label), layer->far);
		if (!report)
			continue;
		warn("%.*sranges: %" PRIu64 "; ranges without an end: %" PRIu64 "; marks: %" PRIu64, STR_FMT(label),
		    layer->ranges, layer->endless, l->marks);
		warn("%.*srecords inside ranges: %" PRIu64 "; outside: %" PRIu64
		     "; device records without a call: %" PRIu64,
		    STR_FMT(label), layer->inside, layer->outside, l->searches.alone);
	}
}

void range_layers_free(struct range_layers *l)
{
	while (l->n) {
		struct range_layer *layer = &l->list[--l->n];

		name_match_free(&layer->wanted);
		interval_index_free(&layer->spans);
		range_names_free(layer->names);
		buf_free(&layer->label);
	}
	range_searches_free(&l->searches);
	buf_free(&l->text);
}
