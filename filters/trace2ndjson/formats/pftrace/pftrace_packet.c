/* pftrace_packet: reads a packet: first what it says about the state of its sequence, then its event. */
#include "pftrace.h"

#include "io/decompress.h"

/* The fields of a TracePacket that are read. */
struct packet {
	uint64_t ts, clock, sequence, flags, cleared;
	bool has_clock;
	struct str defaults, snapshot, interned, track, event, gpu_stage, gpu_counter, zlib,
	    zstd; /* p: NULL if absent */
};

static struct pftrace_sequence *sequence_at(struct pftrace *p, uint32_t id)
{
	const size_t known = p->sequence_ids.n;
	size_t i = map_put(&p->sequence_ids, (struct str){(const char *)&id, sizeof id});

	if (p->sequence_ids.n > known) {
		p->sequences = mem_grow(p->sequences, &p->cap_sequences, p->sequence_ids.n, sizeof *p->sequences);
		p->sequences[i] = mem_zero(1, sizeof **p->sequences);
		p->sequences[i]->id = id;
	}
	return p->sequences[i];
}

static void clear(struct pftrace_sequence *s)
{
	pftrace_names_free(&s->names);
	memset(s->clocks, 0, sizeof s->clocks);
	s->has_clock = s->has_track = false;
	s->extra.n = 0;
	s->valid = true;
}

static void count_unread(struct pftrace *p, uint32_t no)
{
	static const uint32_t numbers[PFTRACE_UNREAD_N] = {
	    [PFTRACE_FTRACE] = 1, [PFTRACE_PROCESSES] = 2, [PFTRACE_CHROME] = 5, [PFTRACE_SAMPLES] = 66};
	size_t i;

	for (i = 0; i < PFTRACE_UNREAD_N; i++)
		p->unread[i] += numbers[i] == no;
}

static void take_number(struct packet *packet, const struct wire_field *f)
{
	switch (f->no) {
	case 8:
		packet->ts = f->v;
		break;
	case 58:
		packet->clock = f->v;
		packet->has_clock = true;
		break;
	case 10:
		packet->sequence = f->v;
		break;
	case 13:
		packet->flags = f->v;
		break;
	case 41:
		packet->cleared = f->v;
		break;
	}
}

static void take_message(struct pftrace *p, struct packet *packet, const struct wire_field *f)
{
	switch (f->no) {
	case 59:
		packet->defaults = f->bytes;
		break;
	case 6:
		packet->snapshot = f->bytes;
		break;
	case 12:
		packet->interned = f->bytes;
		break;
	case 60:
		packet->track = f->bytes;
		break;
	case 11:
		packet->event = f->bytes;
		break;
	case 53:
		packet->gpu_stage = f->bytes;
		break;
	case 52:
		packet->gpu_counter = f->bytes;
		break;
	case 50:
		packet->zlib = f->bytes;
		break;
	case 133:
		packet->zstd = f->bytes;
		break;
	default:
		count_unread(p, f->no);
	}
}

static bool fault_of(const struct wire *inner, struct wire *w)
{
	w->fault = inner->fault;
	return !w->fault;
}

static bool read_track_defaults(struct pftrace_sequence *s, struct str message, struct wire *w)
{
	struct wire inner = wire_of(message);
	struct wire_field f;
	struct str rest;
	uint64_t v;

	s->extra.n = 0;
	while (wire_next(&inner, &f) > 0) {
		if (f.no == 11 && f.type == WIRE_VARINT) {
			s->track = f.v;
			s->has_track = true;
		}
		if (f.no == 31 && f.type == WIRE_VARINT)
			buf_add(&s->extra, &f.v, sizeof f.v);
		if (f.no == 31 && f.type == WIRE_LEN) {
			for (rest = f.bytes; wire_packed(&rest, &v) > 0;)
				buf_add(&s->extra, &v, sizeof v);
		}
	}
	return fault_of(&inner, w);
}

static bool read_defaults(struct pftrace_sequence *s, struct str message, struct wire *w)
{
	struct wire inner = wire_of(message);
	struct wire_field f;

	while (wire_next(&inner, &f) > 0) {
		if (f.no == 58 && f.type == WIRE_VARINT) {
			s->clock = f.v;
			s->has_clock = true;
		}
		if (f.no == 11 && f.type == WIRE_LEN && !read_track_defaults(s, f.bytes, w))
			return false;
	}
	return fault_of(&inner, w);
}

static struct pftrace_own_clock *own_clock(struct pftrace_sequence *s, uint64_t id)
{
	return id >= 64 && id <= 127 ? &s->clocks[id - 64] : NULL;
}

/* Reads one clock of a snapshot. */
static bool read_clock(struct pftrace *p, struct pftrace_sequence *s, struct str message, struct wire *w)
{
	struct wire inner = wire_of(message);
	struct wire_field f;
	uint64_t id = 0, ts = 0, unit = 1;
	bool incremental = false;
	struct pftrace_own_clock *own;
	uint32_t clock;
	int64_t ns;

	while (wire_next(&inner, &f) > 0) {
		if (f.type != WIRE_VARINT)
			continue;
		if (f.no == 1)
			id = f.v;
		if (f.no == 2)
			ts = f.v;
		if (f.no == 3)
			incremental = f.v != 0;
		if (f.no == 4)
			unit = f.v;
	}
	if (!fault_of(&inner, w))
		return false;
	clock = pftrace_clocks_at(&p->clocks, s->id, id);
	own = own_clock(s, id);
	if (own)
		*own = (struct pftrace_own_clock){.unit = unit, .sum = ts, .set = true, .incremental = incremental};
	else
		p->clocks.list[clock].unit = unit;
	if (ts <= INT64_MAX && unit <= INT64_MAX && !__builtin_mul_overflow((int64_t)ts, (int64_t)unit, &ns))
		pftrace_clocks_add(&p->clocks, clock, ns);
	return true;
}

static bool read_snapshot(struct pftrace *p, struct pftrace_sequence *s, struct str message, struct wire *w)
{
	struct wire inner = wire_of(message);
	struct wire_field f;

	p->clocks.snapshots++;
	while (wire_next(&inner, &f) > 0) {
		if (f.no == 1 && f.type == WIRE_LEN && !read_clock(p, s, f.bytes, w))
			return false;
		if (f.no == 2 && f.type == WIRE_VARINT)
			p->clocks.primary = f.v;
	}
	return fault_of(&inner, w);
}

/* Sets the time of an event, in ns on its clock. Returns false when it does not fit in 64 bits. */
static bool set_time(
    struct pftrace *p, struct pftrace_sequence *s, const struct packet *packet, struct pftrace_entry *entry)
{
	const uint64_t id = packet->has_clock ? packet->clock : s->has_clock ? s->clock : 6;
	struct pftrace_own_clock *own = own_clock(s, id);
	uint64_t ts = packet->ts, unit;

	entry->clock = pftrace_clocks_at(&p->clocks, s->id, id);
	p->clocks.list[entry->clock].used = true;
	unit = p->clocks.list[entry->clock].unit;
	if (own && own->set) {
		unit = own->unit;
		if (own->incremental)
			ts = own->sum += ts;
	}
	return ts <= INT64_MAX && unit <= INT64_MAX && !__builtin_mul_overflow((int64_t)ts, (int64_t)unit, &entry->ts);
}

/* Reads the state of the sequence: first clears it, so that what the packet says is valid from now on. */
static bool read_state(struct pftrace *p, struct pftrace_sequence *s, const struct packet *packet, struct wire *w)
{
	if (packet->flags & 1 || packet->cleared)
		clear(s);
	return (!packet->defaults.p || read_defaults(s, packet->defaults, w)) &&
	       (!packet->snapshot.p || read_snapshot(p, s, packet->snapshot, w)) &&
	       (!packet->track.p || pftrace_tracks_describe(&p->tracks, packet->track, w)) &&
	       (!packet->interned.p || pftrace_names_add(&s->names, packet->interned, w));
}

static void read_event(struct pftrace *p, struct reader *r, struct pftrace_sequence *s, const struct packet *packet)
{
	struct pftrace_entry entry = {.at = p->at, .track = PFTRACE_NONE};
	struct wire w = {0};
	bool good;

	p->name.n = p->cat.n = p->args.n = p->flows.n = p->extras.n = 0;
	if (packet->flags & 2 && !s->valid) {
		reader_lost(r, "packet without the state of its sequence, which was overwritten; skipped", 0, p->at);
		return;
	}
	if (!set_time(p, s, packet, &entry)) {
		reader_lost(r, "time beyond 64 bits of ns; event skipped", 0, p->at);
		return;
	}
	if (packet->event.p)
		good = pftrace_event_read(p, r, s, packet->event, &entry, &w);
	else if (packet->gpu_stage.p)
		good = pftrace_gpu_stage_read(p, r, s, packet->gpu_stage, &entry, &w);
	else
		good = pftrace_gpu_counter_read(p, r, s, packet->gpu_counter, &entry, &w);
	if (!good)
		reader_lost(r, diagnostics_text(r->diagnostics, str_of(w.fault)), 0, p->at);
}

/* Reads a packet; returns its compressed packets, which are at most one level deep. */
static struct packet read_one(struct pftrace *p, struct reader *r, struct str bytes)
{
	struct wire w = wire_of(bytes);
	struct packet packet = {0};
	struct wire_field f;

	while (wire_next(&w, &f) > 0) {
		if (f.type == WIRE_VARINT)
			take_number(&packet, &f);
		else if (f.type == WIRE_LEN)
			take_message(p, &packet, &f);
	}
	if (!w.fault && read_state(p, sequence_at(p, (uint32_t)packet.sequence), &packet, &w)) {
		if (packet.event.p || packet.gpu_stage.p || packet.gpu_counter.p)
			read_event(p, r, sequence_at(p, (uint32_t)packet.sequence), &packet);
		return packet;
	}
	reader_lost(r, "packet is damaged; skipped", 0, p->at);
	return (struct packet){0};
}

static void read_compressed(struct pftrace *p, struct reader *r, enum decompress_block kind, struct str in)
{
	struct wire_field f;
	struct fault fault;
	struct packet packet;
	struct wire w;

	p->inflated.n = 0;
	if (!decompress_block(kind, in, r->max_record, &p->inflated, &fault))
		reader_lost(r, fault.what, 0, p->at);
	w = wire_of(p->inflated.p ? (struct str){p->inflated.p, p->inflated.n} : STR(""));
	while (wire_next(&w, &f) > 0) {
		if (f.no != 1 || f.type != WIRE_LEN)
			continue;
		packet = read_one(p, r, f.bytes);
		if (packet.zlib.p || packet.zstd.p)
			reader_lost(r, "compressed packets inside compressed packets; skipped", 0, p->at);
	}
	if (w.fault)
		reader_lost(r, "content of compressed packets is damaged; the rest of it is skipped", 0, p->at);
}

void pftrace_packet_read(struct pftrace *p, struct reader *r, struct str bytes)
{
	struct packet packet = read_one(p, r, bytes);

	if (packet.zlib.p)
		read_compressed(p, r,
		    str_starts(packet.zlib, STR("\x78")) ? DECOMPRESS_BLOCK_ZLIB : DECOMPRESS_BLOCK_DEFLATE,
		    packet.zlib);
	if (packet.zstd.p)
		read_compressed(p, r, DECOMPRESS_BLOCK_ZSTD, packet.zstd);
}
