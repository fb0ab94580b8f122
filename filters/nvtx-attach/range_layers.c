#include "range_layers.h"

#include "base/err.h"
#include "record/event_attach.h"
#include "json/scan.h"

#include <inttypes.h>
#include <stdlib.h>

#define ENDLESS "range without an end; it encloses no record"

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

/* Returns the text with the label of the layer, as a C string that the caller frees. */
static char *labelled(const struct range_layers *l, const struct range_layer *layer, const char *text)
{
	struct str name = range_names_member(layer->names);
	struct buf b = {0};

	if (l->n > 1) {
		buf_lit(&b, "member ");
		buf_add(&b, name.p, name.n);
		buf_lit(&b, ": ");
	}
	buf_add(&b, text, strlen(text) + 1);
	return b.p;
}

void range_layers_check(struct range_layers *l)
{
	struct range_layer *layer;
	size_t i;

	if (!l->list[0].kinds)
		l->list[0].kinds = 1u << KIND_RANGE;
	l->taken = 1u << KIND_MARK;
	for (i = 0; i < l->n; i++) {
		layer = &l->list[i];
		range_names_check(layer->names);
		if (i > 0)
			range_names_differ(layer->names, l->list[0].names);
		l->taken |= layer->kinds;
		layer->label = labelled(l, layer, "");
		layer->warning = labelled(l, layer, ENDLESS);
		layer->enclosing = enclosing_ranges_new(&(struct enclosing_ranges_options){
		    &l->queries, layer->names, (unsigned)i, layer->kinds, layer->scope});
	}
}

/* --- records --- */

/* Adds the record to the layer if it is one of its ranges and has an end. */
static void take_range(struct range_layer *layer, struct input *in, struct range_query *q, struct event *e,
    enum event_kind kind, uint32_t seq, int64_t oldest)
{
	if (!(layer->kinds >> kind & 1))
		return;
	if (layer->wanted.n && name_match_first(&layer->wanted, event_get(e, EVENT_NAME)) == NAME_MATCH_NONE)
		return;
	if (event_get(e, EVENT_DUR).p) {
		enclosing_ranges_add(layer->enclosing, q, e, kind, seq, oldest);
		layer->ranges++;
		return;
	}
	layer->endless++;
	input_warning(in, diagnostics_text(&in->diagnostics, str_of(layer->warning)));
}

void range_layers_take(struct range_layers *l, struct input *in, struct range_query *q, struct event *e,
    enum event_kind kind, int64_t oldest)
{
	size_t i;

	if (kind == KIND_MARK) {
		l->marks++;
		return;
	}
	for (i = 0; i < l->n; i++)
		take_range(&l->list[i], in, q, e, kind, l->seq, oldest);
	l->seq += q->layers != 0;
}

void range_layers_write(
    struct range_layers *l, struct out *out, const struct range_query *q, const struct event *e, int64_t ts)
{
	const struct interval_index_entry *found = NULL;
	struct range_layer *layer;
	size_t i, n;

	l->text.n = 0;
	for (i = 0; q->wanted && i < l->n; i++) {
		layer = &l->list[i];
		n = enclosing_ranges_find(layer->enclosing, q, e, ts, &found);
		layer->inside += n > 0;
		layer->outside += !n;
		if (n)
			range_names_add(layer->names, &l->text, found, n);
	}
	if (!l->text.n) {
		event_copy(out, e);
		return;
	}
	scan_pad(&l->text);
	event_attach_write(out, e, buf_str(&l->text));
}

/* --- end of input --- */

void range_layers_report(const struct range_layers *l, bool report)
{
	const struct range_layer *layer;
	uint64_t far;
	size_t i;

	for (i = 0; i < l->n; i++) {
		layer = &l->list[i];
		far = enclosing_ranges_far(layer->enclosing);
		if (far)
			warn("%srecords that start more than --horizon after their call or last longer than "
			     "--horizon: %" PRIu64 "; some of their ranges may be missing",
			    layer->label, far);
		if (!report)
			continue;
		warn("%sranges: %" PRIu64 "; ranges without an end: %" PRIu64 "; marks: %" PRIu64, layer->label,
		    layer->ranges, layer->endless, l->marks);
		warn("%srecords inside ranges: %" PRIu64 "; outside: %" PRIu64
		     "; device records without a call: %" PRIu64,
		    layer->label, layer->inside, layer->outside, l->queries.alone);
	}
}

void range_layers_free(struct range_layers *l)
{
	while (l->n) {
		struct range_layer *layer = &l->list[--l->n];

		name_match_free(&layer->wanted);
		enclosing_ranges_free(layer->enclosing);
		range_names_free(layer->names);
		free(layer->label);
		free(layer->warning);
	}
	range_queries_free(&l->queries);
	buf_free(&l->text);
}
