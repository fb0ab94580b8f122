/* pftrace_event: reads a TrackEvent: the begin or end of a slice, an instant, the value of a counter. */
#include "pftrace.h"

static bool fault_of(const struct wire *inner, struct wire *w, const char *what)
{
	if (inner->fault)
		w->fault = what;
	return !inner->fault;
}

static void add_flow(struct pftrace *p, uint64_t id, char phase)
{
	struct pftrace_flow flow;

	memset(&flow, 0, sizeof flow);
	flow.id = id;
	flow.phase = phase;
	buf_add(&p->flows, &flow, sizeof flow);
}

/* Adds the ids of a field of flows, which may be packed; `fixed`: as fixed64, otherwise as varints. */
static void add_flows(struct pftrace *p, const struct wire_field *f, bool fixed, char phase)
{
	struct str rest = f->bytes;
	uint64_t id;

	if (f->type != WIRE_LEN) {
		add_flow(p, f->v, phase);
		return;
	}
	if (!fixed) {
		while (wire_packed(&rest, &id) > 0)
			add_flow(p, id, phase);
		return;
	}
	for (; rest.n >= sizeof id; rest = str_from(rest, sizeof id)) {
		memcpy(&id, rest.p, sizeof id);
		add_flow(p, id, phase);
	}
}

static void begin_category(struct pftrace *p)
{
	/* All categories form one string: each one is quoted, and its first quote replaces the last quote before it. */
	if (p->cat.n)
		p->cat.p[p->cat.n - 1] = ',';
}

/* Appends a category to the string in p->cat. */
static void add_category(struct pftrace *p, struct reader *r, struct str text)
{
	size_t at;

	begin_category(p);
	at = p->cat.n;
	pftrace_put_text(p, r, &p->cat, text);
	if (at) {
		memmove(p->cat.p + at, p->cat.p + at + 1, p->cat.n - at - 1);
		p->cat.n--;
	}
}

static void add_category_number(struct pftrace *p, struct reader *r, const struct pftrace_sequence *s, uint64_t iid)
{
	const struct str text = pftrace_names_text(&s->names, PFTRACE_CATEGORIES, iid);
	char room[NUM_ROOM + 16] = "category ";

	if (text.p) {
		add_category(p, r, text);
		return;
	}
	reader_note(r, "category without a text; its number is written instead", 0, p->at);
	add_category(p, r, (struct str){room, (size_t)(num_put_u64(room + 9, iid) - room)});
}

static void add_categories(
    struct pftrace *p, struct reader *r, const struct pftrace_sequence *s, const struct wire_field *f)
{
	struct str rest = f->bytes;
	uint64_t iid;

	if (f->type == WIRE_VARINT)
		add_category_number(p, r, s, f->v);
	else if (f->type == WIRE_LEN) {
		while (wire_packed(&rest, &iid) > 0)
			add_category_number(p, r, s, iid);
	}
}

/* Writes an interned name, or its number when it has none. */
static void set_name(struct pftrace *p, struct reader *r, const struct pftrace_sequence *s, uint64_t iid)
{
	const struct str text = pftrace_names_text(&s->names, PFTRACE_EVENTS, iid);

	p->name.n = 0;
	if (text.p) {
		pftrace_put_text(p, r, &p->name, text);
		return;
	}
	reader_note(r, "name without a text; its number is written instead", 0, p->at);
	wire_put_numbered(&p->name, "#", iid);
}

/* Reads a LegacyEvent {1 name_iid, 2 phase, 3 duration in us, 6 10 11 id}. */
static bool read_legacy(struct pftrace *p, struct reader *r, const struct pftrace_sequence *s,
    struct pftrace_entry *entry, struct str message, struct wire *w)
{
	struct wire inner = wire_of(message);
	struct wire_field f;

	while (wire_next(&inner, &f) > 0) {
		if (f.type != WIRE_VARINT)
			continue;
		switch (f.no) {
		case 1:
			if (!p->name.n)
				set_name(p, r, s, f.v);
			break;
		case 2:
			entry->phase = f.v > ' ' && f.v < 0x7f && f.v != '"' && f.v != '\\' ? (char)f.v : 0;
			break;
		case 3:
			entry->has_dur = !__builtin_mul_overflow((int64_t)f.v, (int64_t)1000, &entry->dur);
			break;
		case 6:
		case 10:
		case 11:
			entry->legacy_id = f.v;
			entry->has_legacy_id = true;
		}
	}
	entry->has_dur &= entry->phase == 'X';
	return fault_of(&inner, w, "event is damaged; skipped");
}

/* Writes the numbers of a GpuCorrelation {1 event_ids}. */
static void put_gpu_events(struct pftrace *p, struct reader *r, struct str message)
{
	struct wire w = wire_of(message);
	struct wire_field f;
	struct str rest;
	uint64_t id;

	pftrace_put_key(p, r, STR("gpu_event_ids"));
	buf_char(&p->args, '[');
	while (wire_next(&w, &f) > 0) {
		if (f.no != 1)
			continue;
		if (f.type == WIRE_VARINT) {
			wire_put_uint(&p->args, f.v);
			buf_char(&p->args, ',');
		}
		rest = f.type == WIRE_LEN ? f.bytes : STR("");
		while (wire_packed(&rest, &id) > 0) {
			wire_put_uint(&p->args, id);
			buf_char(&p->args, ',');
		}
	}
	p->args.n -= p->args.p[p->args.n - 1] == ',';
	buf_char(&p->args, ']');
}

/* The fields of an event that are needed after all others have been read. */
struct rest {
	struct str name, legacy, gpu;
	uint64_t name_iid, track;
	bool has_iid, has_track;
	struct buf values, tracks; /* of extra counters: uint64_t[] */
};

static void add_numbers(struct buf *to, const struct wire_field *f)
{
	struct str rest = f->bytes;
	uint64_t v;

	if (f->type == WIRE_VARINT)
		buf_add(to, &f->v, sizeof f->v);
	else if (f->type == WIRE_LEN) {
		while (wire_packed(&rest, &v) > 0)
			buf_add(to, &v, sizeof v);
	}
}

/* Reads one field; false when it is damaged. */
static bool take(struct pftrace *p, struct reader *r, struct pftrace_sequence *s, const struct wire_field *f,
    struct rest *rest, struct pftrace_entry *entry, struct wire *w)
{
	switch (f->no) {
	case 9:
		entry->type = f->type == WIRE_VARINT && f->v <= PFTRACE_COUNTER ? (uint8_t)f->v : 0;
		break;
	case 11:
		rest->track = f->v;
		rest->has_track = f->type == WIRE_VARINT;
		break;
	case 10:
		rest->name_iid = f->v;
		rest->has_iid = f->type == WIRE_VARINT;
		break;
	case 23:
		if (f->type == WIRE_LEN)
			rest->name = f->bytes;
		break;
	case 3:
		add_categories(p, r, s, f);
		break;
	case 22:
		if (f->type == WIRE_LEN)
			add_category(p, r, f->bytes);
		break;
	case 4:
		return f->type != WIRE_LEN || pftrace_annotation_put(p, r, s, f->bytes, w);
	case 30:
		entry->value = (int64_t)f->v;
		break;
	case 44:
		entry->real = wire_double(f->v);
		entry->has_real = f->type == WIRE_FIXED64;
		break;
	case 47:
	case 48:
		add_flows(p, f, true, f->no == 47 ? 's' : 'f');
		break;
	case 36:
	case 42:
		add_flows(p, f, false, f->no == 36 ? 's' : 'f');
		break;
	case 12:
		add_numbers(&rest->values, f);
		break;
	case 31:
		add_numbers(&rest->tracks, f);
		break;
	case 6:
		if (f->type == WIRE_LEN)
			rest->legacy = f->bytes;
		break;
	case 52:
	case 53:
		pftrace_put_key(p, r, STR("correlation_id"));
		if (f->type == WIRE_LEN)
			pftrace_put_text(p, r, &p->args, f->bytes);
		else
			wire_put_uint(&p->args, f->v);
		break;
	case 3000:
		if (f->type == WIRE_LEN)
			rest->gpu = f->bytes;
	}
	return true;
}

/* Stores the values of extra counters, such as the CPU time of the thread. */
static void add_extras(struct pftrace *p, const struct pftrace_sequence *s, const struct rest *rest)
{
	const struct buf *tracks = rest->tracks.n ? &rest->tracks : &s->extra;
	struct pftrace_extra extra;
	struct pftrace_track *track;
	uint64_t uuid, value;
	size_t at;

	for (at = 0; at < rest->values.n && at < tracks->n; at += sizeof uuid) {
		memcpy(&uuid, tracks->p + at, sizeof uuid);
		memcpy(&value, rest->values.p + at, sizeof value);
		memset(&extra, 0, sizeof extra);
		extra.track = pftrace_tracks_at(&p->tracks, uuid);
		track = &p->tracks.list[extra.track];
		if (track->adds_up)
			value = (uint64_t)track->extra_sum + value;
		track->extra_sum = (int64_t)value;
		extra.value = (int64_t)(value * (uint64_t)track->multiplier);
		buf_add(&p->extras, &extra, sizeof extra);
	}
}

static bool read_fields(struct pftrace *p, struct reader *r, struct pftrace_sequence *s, struct str event,
    struct rest *rest, struct pftrace_entry *entry, struct wire *w)
{
	struct wire inner = wire_of(event);
	struct wire_field f;

	while (wire_next(&inner, &f) > 0) {
		if (!take(p, r, s, &f, rest, entry, w))
			return false;
	}
	if (!fault_of(&inner, w, "event is damaged; skipped"))
		return false;
	if (rest->name.p)
		pftrace_put_text(p, r, &p->name, rest->name);
	else if (rest->has_iid)
		set_name(p, r, s, rest->name_iid);
	if (rest->gpu.p)
		put_gpu_events(p, r, rest->gpu);
	add_extras(p, s, rest);
	return !rest->legacy.p || read_legacy(p, r, s, entry, rest->legacy, w);
}

/* Stores a slice's begin or end. A track that several sequences write on is shared. */
static void add_slice(
    struct pftrace *p, struct reader *r, const struct pftrace_sequence *s, const struct pftrace_entry *entry)
{
	struct pftrace_track *track = &p->tracks.list[entry->track];
	struct pftrace_slice slice;
	struct fault f;

	memset(&slice, 0, sizeof slice);
	slice.ts = entry->ts;
	slice.entry = p->entries.size;
	slice.number = p->begins;
	slice.track = entry->track;
	slice.sequence = s->id;
	slice.clock = entry->clock;
	slice.is_end = entry->type == PFTRACE_END;
	if (track->sequence == PFTRACE_NONE)
		track->sequence = s->id;
	track->shared |= track->sequence != s->id;
	p->n_slices++;
	if (!spool_add(&p->slices, &slice, sizeof slice, &f) ||
	    (!slice.is_end && !spool_add(&p->ends, &(uint64_t){0}, sizeof(uint64_t), &f)))
		pftrace_fail(p, r, &f);
	p->begins += !slice.is_end;
}

bool pftrace_event_read(struct pftrace *p, struct reader *r, struct pftrace_sequence *s, struct str event,
    struct pftrace_entry *entry, struct wire *w)
{
	struct rest rest = {0};
	bool good = read_fields(p, r, s, event, &rest, entry, w);

	if (good) {
		entry->track = pftrace_tracks_at(&p->tracks, rest.has_track ? rest.track : s->has_track ? s->track : 0);
		if ((entry->type == PFTRACE_BEGIN || entry->type == PFTRACE_END) && !entry->phase)
			add_slice(p, r, s, entry);
		pftrace_entry_add(p, r, entry);
	}
	buf_free(&rest.values);
	buf_free(&rest.tracks);
	return good;
}

void pftrace_entry_add(struct pftrace *p, struct reader *r, struct pftrace_entry *entry)
{
	const struct buf *const texts[] = {&p->name, &p->cat, &p->args, &p->flows, &p->extras};
	struct fault f;
	size_t i;

	entry->n_name = p->name.n;
	entry->n_cat = p->cat.n;
	entry->n_args = p->args.n;
	entry->n_flows = p->flows.n;
	entry->n_extras = p->extras.n;
	p->events++;
	if (!spool_add(&p->entries, entry, sizeof *entry, &f)) {
		pftrace_fail(p, r, &f);
		return;
	}
	for (i = 0; i < sizeof texts / sizeof *texts; i++) {
		if (texts[i]->n && !spool_add(&p->entries, texts[i]->p, texts[i]->n, &f)) {
			pftrace_fail(p, r, &f);
			return;
		}
	}
}
