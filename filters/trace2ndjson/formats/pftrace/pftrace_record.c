/* pftrace_record: makes the records from the entries in the spool, in the order of the file. */
#include "pftrace.h"

#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"
#include "pftrace_kind.h"

#include <stdlib.h>

/* The texts of an entry in the spool. */
struct texts {
	struct str name, cat, args, flows, extras;
};

/* Reads the entry at an offset of the spool; returns false on failure. */
static bool read_entry(struct pftrace *p, struct reader *r, struct spool_window *w, uint64_t at,
    struct pftrace_entry *entry, struct texts *texts)
{
	struct str *const parts[] = {&texts->name, &texts->cat, &texts->args, &texts->flows, &texts->extras};
	const uint64_t *sizes[] = {&entry->n_name, &entry->n_cat, &entry->n_args, &entry->n_flows, &entry->n_extras};
	struct fault f;
	const char *bytes = spool_read(&p->entries, w, at, sizeof *entry, &f);
	size_t i, n = sizeof *entry;

	if (bytes) {
		memcpy(entry, bytes, sizeof *entry);
		for (i = 0; i < sizeof parts / sizeof *parts; i++)
			n += (size_t)*sizes[i];
		bytes = spool_read(&p->entries, w, at, n, &f);
	}
	if (!bytes) {
		pftrace_fail(p, r, &f);
		return false;
	}
	bytes += sizeof *entry;
	for (i = 0; i < sizeof parts / sizeof *parts; i++) {
		*parts[i] = (struct str){bytes, (size_t)*sizes[i]};
		bytes += *sizes[i];
	}
	return true;
}

/* --- names of processes and threads --- */

static bool name_record(struct pftrace *p, struct reader *r, struct event *e)
{
	struct pftrace_track *track;
	struct pftrace_text name;

	if (p->told == p->tracks.n_named || !reader_wants(r, KIND_META))
		return false;
	track = &p->tracks.list[p->tracks.named[p->told++]];
	name = track->process_name.n ? track->process_name : track->thread_name;
	event_clear(e);
	event_set_kind(e, KIND_META);
	event_set(e, EVENT_NAME, track->process_name.n ? STR("\"process_name\"") : STR("\"thread_name\""));
	p->pid.n = p->text.n = 0;
	wire_put_int(&p->pid, track->process_name.n ? track->process : track->thread_pid);
	event_set(e, EVENT_PID, json_write_str(&p->pid));
	if (!track->process_name.n) {
		p->clock.n = 0;
		wire_put_int(&p->clock, track->thread);
		event_set(e, EVENT_TID, json_write_str(&p->clock));
	}
	json_write_begin(&p->text, NULL, '{');
	json_write_text(&p->text, "name", pftrace_tracks_text(&p->tracks, name));
	json_write_end(&p->text, '}');
	event_set(e, EVENT_ARGS, json_write_str(&p->text));
	return true;
}

/* --- flows --- */

/* Returns whether the flow was seen before, and stores that it was seen now. */
static bool flow_was_seen(struct pftrace *p, uint64_t id)
{
	const uint64_t block = id / 64, bit = (uint64_t)1 << id % 64;
	const size_t known = p->flow_ids.n, i = map_put(&p->flow_ids, (struct str){(const char *)&block, sizeof block});
	bool seen;

	if (p->flow_ids.n > known) {
		p->flow_bits = mem_grow(p->flow_bits, &p->cap_flows, p->flow_ids.n, sizeof *p->flow_bits);
		p->flow_bits[i] = 0;
	}
	seen = p->flow_bits[i] & bit;
	p->flow_bits[i] |= bit;
	return seen;
}

/* Makes a record of the next flow of the last slice. */
static bool flow_record(struct pftrace *p, struct event *e)
{
	static const enum event_member place[] = {EVENT_PID, EVENT_TID, EVENT_DEV, EVENT_STREAM, EVENT_CLOCK};
	struct pftrace_flow flow;
	const bool any = p->rest.n - p->next_flow >= sizeof flow;
	size_t i;

	if (!any)
		return false;
	memcpy(&flow, p->rest.p + p->next_flow, sizeof flow);
	p->next_flow += sizeof flow;
	if (flow_was_seen(p, flow.id) && flow.phase == 's')
		flow.phase = 't';
	event_clear(e);
	event_set_ts(e, p->last.ts);
	event_set_kind(e, KIND_FLOW);
	event_set(e, EVENT_NAME, STR("\"flow\""));
	for (i = 0; i < sizeof place / sizeof *place; i++) {
		if (event_has(&p->last, place[i]))
			event_set(e, place[i], p->last.m[place[i]]);
	}
	event_set(e, EVENT_ID, (struct str){p->id, (size_t)(num_put_u64(p->id, flow.id) - p->id)});
	p->src.n = 0;
	buf_lit(&p->src, "{\"ph\":\"");
	buf_char(&p->src, flow.phase);
	buf_lit(&p->src, "\"}");
	event_set(e, EVENT_SRC, json_write_str(&p->src));
	return true;
}

/* --- slices, marks, counters and GPU work --- */

/* Appends the members of args without their brackets. */
static void add_args(struct pftrace *p, struct str members)
{
	if (!members.n)
		return;
	if (p->text.n > 1)
		buf_char(&p->text, ',');
	buf_add(&p->text, members.p, members.n);
}

/* Adds the increase of the extra counters from the begin to the end of a slice. */
static void add_extras(struct pftrace *p, struct str begin, struct str end)
{
	struct pftrace_extra from, to;
	size_t i, k;
	struct str name;

	for (i = 0; i + sizeof to <= end.n; i += sizeof to) {
		memcpy(&to, end.p + i, sizeof to);
		for (k = 0; k + sizeof from <= begin.n; k += sizeof from) {
			memcpy(&from, begin.p + k, sizeof from);
			if (from.track != to.track)
				continue;
			name = pftrace_tracks_text(&p->tracks, p->tracks.list[to.track].name);
			json_write_name(&p->text, name.p ? name : STR("counter"));
			wire_put_int(&p->text, (int64_t)((uint64_t)to.value - (uint64_t)from.value));
			break;
		}
	}
}

/* Reads the end of slice `number`, and adds to the entry and args what it says. */
static bool add_end(
    struct pftrace *p, struct reader *r, uint64_t number, struct pftrace_entry *entry, const struct texts *texts)
{
	struct pftrace_entry end;
	struct texts more;
	struct fault f;
	const char *bytes = spool_read(&p->ends, &p->number_window, number * sizeof(uint64_t), sizeof(uint64_t), &f);
	uint64_t at;
	int64_t ts;

	if (!bytes) {
		pftrace_fail(p, r, &f);
		return false;
	}
	memcpy(&at, bytes, sizeof at);
	if (!at)
		return true;
	if (!read_entry(p, r, &p->end_window, at - 1, &end, &more))
		return false;
	ts = end.ts;
	pftrace_clocks_convert(&p->clocks, end.clock, &ts);
	entry->has_dur = !__builtin_sub_overflow(ts, entry->ts, &entry->dur);
	add_args(p, more.args);
	add_extras(p, texts->extras, more.extras);
	buf_add(&p->rest, more.flows.p, more.flows.n);
	return true;
}

/* Makes the record of a counter. */
static void set_counter(struct pftrace *p, struct event *e, const struct pftrace_entry *entry)
{
	struct pftrace_track *track = &p->tracks.list[entry->track];
	const struct str name = pftrace_tracks_text(&p->tracks, track->name);
	uint64_t value = (uint64_t)entry->value * (uint64_t)track->multiplier;

	event_set_kind(e, KIND_COUNTER);
	p->src.n = 0;
	if (name.p)
		json_quote(&p->src, name);
	else if (!event_has(e, EVENT_NAME))
		wire_put_numbered(&p->src, "track ", pftrace_tracks_uuid(&p->tracks, entry->track));
	if (p->src.n)
		event_set(e, EVENT_NAME, json_write_str(&p->src));
	/* The tid of a track without a thread is its name. */
	if (event_has(e, EVENT_TID) && event_has(e, EVENT_NAME) && str_eq(e->m[EVENT_TID], e->m[EVENT_NAME]))
		e->has &= ~(1u << EVENT_TID);
	if (entry->has_real) {
		json_write_key(&p->text, "value");
		wire_put_double(&p->text, entry->real * (double)track->multiplier);
		return;
	}
	if (track->adds_up)
		value += (uint64_t)track->sum;
	track->sum = (int64_t)value;
	json_write_int(&p->text, "value", (int64_t)value);
}

/* Sets the members that depend on the track. */
static void set_place(struct pftrace *p, struct event *e, const struct pftrace_entry *entry)
{
	const struct pftrace_track *track = pftrace_tracks_place(&p->tracks, entry->track);

	if (track->pid.n)
		event_set(e, EVENT_PID, pftrace_tracks_text(&p->tracks, track->pid));
	if (track->tid.n)
		event_set(e, EVENT_TID, pftrace_tracks_text(&p->tracks, track->tid));
}

/* Makes the record of an entry; returns false if the entry has no record. */
static bool entry_record(
    struct pftrace *p, struct reader *r, struct pftrace_entry *entry, const struct texts *texts, struct event *e)
{
	const bool converted = pftrace_clocks_convert(&p->clocks, entry->clock, &entry->ts);
	bool counter;

	p->text.n = p->rest.n = p->next_flow = 0;
	buf_char(&p->text, '{');
	add_args(p, texts->args);
	buf_add(&p->rest, texts->flows.p, texts->flows.n);
	if (entry->type == PFTRACE_BEGIN && !entry->phase && !add_end(p, r, p->next_begin++, entry, texts))
		return false;
	if (entry->type == PFTRACE_END)
		return false;
	event_clear(e);
	event_set_ts(e, entry->ts);
	if (texts->name.n)
		event_set(e, EVENT_NAME, texts->name);
	if (texts->cat.n)
		event_set(e, EVENT_CAT, texts->cat);
	if (entry->track != PFTRACE_NONE)
		set_place(p, e, entry);
	if (!converted) {
		p->clock.n = 0;
		pftrace_clocks_put(&p->clocks, entry->clock, &p->clock);
		event_set(e, EVENT_CLOCK, json_write_str(&p->clock));
	}
	counter = entry->type == PFTRACE_COUNTER && !entry->phase;
	if (counter)
		set_counter(p, e, entry);
	else if (entry->type != PFTRACE_GPU)
		pftrace_kind_add_args(p, texts->cat, entry->track);
	buf_char(&p->text, '}');
	scan_pad(&p->text);
	if (entry->type == PFTRACE_GPU)
		pftrace_kind_set_gpu(p, e, entry);
	else if (!counter)
		pftrace_kind_set(p, e, entry);
	if (r->args && p->text.n > 2)
		event_set(e, EVENT_ARGS, json_write_str(&p->text));
	return true;
}

bool pftrace_record_next(struct pftrace *p, struct reader *r, struct event *e)
{
	struct pftrace_entry *entry = &p->entry;
	struct texts texts;

	if (name_record(p, r, e))
		return true;
	if (reader_wants(r, KIND_FLOW) && flow_record(p, e))
		return true;
	while (!p->failed && p->next_entry < p->entries.size) {
		if (!read_entry(p, r, &p->entry_window, p->next_entry, entry, &texts))
			return false;
		p->next_entry +=
		    sizeof *entry + texts.name.n + texts.cat.n + texts.args.n + texts.flows.n + texts.extras.n;
		if (!entry_record(p, r, entry, &texts, e))
			continue;
		p->last = *e;
		return true;
	}
	return false;
}
