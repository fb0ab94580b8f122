/*
 * pftrace: reads Perfetto traces (.pftrace, .perfetto-trace): PyTorch's export, rocprofv3, programs with Perfetto's
 * SDK, Chromium.
 *
 *   {"ts":1752839461759121971,"dur":180,"kind":"python","name":"torch/nn/modules/module.py(1915): __getattr__",
 *    "cat":"python_function","pid":25286,"tid":25286,"args":{"Python id":1809}}
 *
 * A record needs what follows it in the file: the end of its slice, the clocks, the descriptors of tracks. So a trace
 * is read in three steps: its packets become entries in a spool (pftrace_event); the begins and ends of slices are
 * paired (pftrace_pairs); the entries become records (pftrace_record).
 */
#include "pftrace_event.h"
#include "pftrace_pairs.h"
#include "pftrace_record.h"

#include "io/decompress.h"
#include "trace2ndjson/formats/document.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { FTRACE, UNREAD_N = 4 };

struct pftrace {
	struct map sequence_ids;
	struct pftrace_sequence *sequences;
	size_t cap_sequences;
	struct pftrace_entries in;
	uint64_t unread[UNREAD_N]; /* packets that are counted but not read, by kind: see report_unread() */
	struct buf inflated;
	struct pftrace_records records;
};

/* --- the file: a message that consists of packets, field 1, again and again --- */

/* The service often writes a packet that ends with these bytes, field 36, so that readers find the next packet. */
static const struct str marker = {"\xa2\x02\x10\x82\x47\x7a\x76\xb2\x8d\x42\xba\x81\xdc\x33\x32\x6d\x57\xa0\x79", 19};

/* --- recognition --- */

static bool is_listed(const uint32_t *list, uint32_t no)
{
	while (*list && *list != no)
		list++;
	return *list;
}

/* Whether a packet, or the first bytes of one, can be a TracePacket; sets *evident when it has a typical field. */
static bool may_be_packet(struct str packet, bool whole, bool *evident)
{
	static const uint32_t numbers[] = {3, 8, 10, 13, 41, 42, 58, 79, 87, 0},
			      messages[] = {1, 2, 5, 6, 11, 12, 36, 43, 44, 50, 52, 53, 59, 60, 66, 133, 0};
	struct wire w = wire_of(packet);
	struct wire_field f;
	bool number, message;

	while (wire_next(&w, &f) > 0) {
		number = is_listed(numbers, f.no);
		message = is_listed(messages, f.no);
		if ((number && f.type != WIRE_VARINT) || (message && f.type != WIRE_LEN) || f.no > 2000)
			return false;
		*evident |= (number || message) && f.no > 3 && f.no != 5;
	}
	return !w.fault || !whole;
}

/* Whether the first bytes of a file are packets. */
static bool packets_probe(struct str head)
{
	uint64_t n, packets = 0;
	bool evident = false, whole;
	int took;

	while (packets < 3 && head.n) {
		if (head.p[0] != '\x0a')
			return false;
		took = wire_varint(str_from(head, 1), &n);
		if (took < 0 || took > 5)
			return false;
		if (took == 0)
			break;
		head = str_from(head, 1 + (size_t)took);
		whole = n <= head.n;
		if (!may_be_packet(str_head(head, whole ? (size_t)n : head.n), whole, &evident))
			return false;
		if (!whole)
			break;
		head = str_from(head, (size_t)n);
		packets++;
	}
	return evident && packets;
}

/* --- reading --- */

/* Loads n bytes into the window; returns false when the input ends before them. */
static bool load_bytes(struct source *src, uint64_t n)
{
	while (src->n < n) {
		if (source_more(src) <= 0)
			return false;
	}
	return true;
}

/* Reports bytes that are not a packet, and skips to the next packet that can be found. */
static bool resume(struct pftrace *p, struct reader *r, const char *what)
{
	const uint64_t at = r->src->offset;
	bool found = document_find(r->src, marker);

	if (found)
		source_skip(r->src, marker.n);
	p->in.cut = true;
	what = reader_text(r,
	    found ? "%s; %" PRIu64 " bytes skipped, up to a synchronization marker"
		  : "%s; no synchronization marker follows, so the last %" PRIu64 " bytes are skipped",
	    what, r->src->offset - at);
	reader_lost(r, what, 0, at);
	return found;
}

/* Reports and skips the rest of the input, which is too short for a packet. */
static bool report_cut(struct pftrace *p, struct reader *r)
{
	struct source *src = r->src;

	p->in.cut = true;
	reader_cut(r,
	    reader_text(
		r, "cut short: the last %zu of %" PRIu64 " bytes are not a whole packet", src->n, src->offset + src->n),
	    0, src->offset);
	source_skip(src, src->n);
	return false;
}

/* Skips a packet of n bytes, which is too large; returns false when the input ends inside it. */
static bool skip_large(struct pftrace *p, struct reader *r, uint64_t n)
{
	struct source *src = r->src;
	bool whole = true;
	size_t part;

	p->in.cut = true;
	while (n && whole) {
		part = n < src->n ? (size_t)n : src->n;
		source_skip(src, part);
		n -= part;
		whole = !n || source_more(src) > 0;
	}
	if (whole)
		reader_lost(r, "packet larger than --max-record; skipped", 0, p->in.at);
	else
		reader_cut(r, "cut short: the file ends inside a packet", 0, p->in.at);
	return whole;
}

/*
 * Reads the next packet of the source, which is valid until the next call; p->in.at is its offset. Returns false at the
 * end. Reports and skips all bytes that are not a packet, and sets p->in.cut.
 */
static bool packets_next(struct pftrace *p, struct reader *r, struct str *packet)
{
	struct source *src = r->src;
	struct wire_field head;
	struct str rest;
	const char *fault;
	size_t size;
	int got;

	for (;;) {
		load_bytes(src, WIRE_HEAD_MAX);
		if (!src->n)
			return false;
		p->in.at = src->offset;
		got = wire_head(str_head((struct str){src->p, src->n}, WIRE_HEAD_MAX), &head, &size, &fault);
		if (got == 0)
			return report_cut(p, r);
		if (got < 0) {
			if (head.type == WIRE_LEN)
				fault = "length of a packet has more than 10 bytes or 64 bits";
			if (!resume(p, r, fault))
				return false;
		} else if (head.bytes.n > r->max_record) {
			source_skip(src, size);
			if (!skip_large(p, r, head.bytes.n))
				return false;
		} else if (!load_bytes(src, size + head.bytes.n)) {
			/* If the packet's length is damaged, a marker may follow in the rest of the input. */
			rest = (struct str){src->p, src->n};
			if (str_find(rest, marker) == rest.n)
				return report_cut(p, r);
			if (!resume(p, r, "packet is longer than the rest of the file"))
				return false;
		} else {
			*packet = (struct str){src->p + size, head.bytes.n};
			source_skip(src, size + head.bytes.n);
			if (head.no == 1)
				return true;
		}
	}
}

/* --- packets: first what they say about the state of their sequence, then their event --- */

/* The fields of a TracePacket: its event, the state of its sequence, and those that are only counted: p->unread. */
enum { TS, SEQUENCE, FLAGS, EVENT, CLOCK, STAGE, COUNTER, ZLIB, ZSTD, STATE };
enum { INTERNED = STATE, CLEARED, DEFAULTS, SNAPSHOT, TRACK, UNREAD };
static const struct wire_want packet_fields[] = {{8, WIRE_VARINT}, {10, WIRE_VARINT}, {13, WIRE_VARINT}, {11, WIRE_LEN},
    {58, WIRE_VARINT}, {53, WIRE_LEN}, {52, WIRE_LEN}, {50, WIRE_LEN}, {133, WIRE_LEN}, {12, WIRE_LEN},
    {41, WIRE_VARINT}, {59, WIRE_LEN}, {6, WIRE_LEN}, {60, WIRE_LEN}, {1, WIRE_LEN}, {2, WIRE_LEN}, {5, WIRE_LEN},
    {66, WIRE_LEN}, {0}};

/* Returns a sequence; the pointer is valid until the next packet. */
static struct pftrace_sequence *sequence_at(struct pftrace *p, uint32_t id)
{
	const size_t i = map_put(&p->sequence_ids, (struct str){(const char *)&id, sizeof id});

	p->sequences = mem_grow_zero(p->sequences, &p->cap_sequences, p->sequence_ids.n, sizeof *p->sequences);
	p->sequences[i].id = id;
	return &p->sequences[i];
}

/* Reads the defaults {58 clock, 11 TrackEventDefaults {11 track, 31 tracks of extra counters}} of a sequence. */
static bool read_defaults(struct pftrace_sequence *s, struct str message, struct wire *w)
{
	static const struct wire_want wants[] = {{58, WIRE_VARINT}, {11, WIRE_LEN}, {0}};
	struct wire_field defaults[2], f;
	struct wire inner;
	struct str rest;
	uint64_t v;

	if (!wire_read(message, wants, defaults, w))
		return false;
	if (defaults[0].no) {
		s->clock = defaults[0].v;
		s->has_clock = true;
	}
	if (!defaults[1].no)
		return true;
	s->extra.n = 0;
	for (inner = wire_of(defaults[1].bytes); wire_next(&inner, &f) > 0;) {
		if (f.no == 11 && f.type == WIRE_VARINT) {
			s->track = f.v;
			s->has_track = true;
		}
		for (rest = wire_numbers(&f); f.no == 31 && wire_number(&f, &rest, &v);)
			buf_add(&s->extra, &v, sizeof v);
	}
	return wire_passed(&inner, w, NULL);
}

static struct pftrace_own_clock *own_clock(struct pftrace_sequence *s, uint64_t id)
{
	return id >= 64 && id <= 127 ? &s->clocks[id - 64] : NULL;
}

/* Reads one clock {1 id, 2 time, 3 incremental, 4 unit in ns} of a snapshot. */
static bool read_clock(struct pftrace *p, struct pftrace_sequence *s, struct str message, struct wire *w)
{
	static const struct wire_want wants[] = {
	    {1, WIRE_VARINT}, {2, WIRE_VARINT}, {3, WIRE_VARINT}, {4, WIRE_VARINT}, {0}};
	struct wire_field f[4];
	struct pftrace_own_clock *own;
	uint64_t unit;
	uint32_t clock;
	int64_t ns;

	if (!wire_read(message, wants, f, w))
		return false;
	unit = f[3].no ? f[3].v : 1;
	clock = pftrace_clocks_at(&p->in.clocks, s->id, f[0].v);
	own = own_clock(s, f[0].v);
	if (own)
		*own = (struct pftrace_own_clock){.unit = unit, .sum = f[1].v, .set = true, .incremental = f[2].v};
	else
		p->in.clocks.list[clock].unit = unit;
	if (!__builtin_mul_overflow(f[1].v, unit, &ns))
		pftrace_clocks_add(&p->in.clocks, clock, ns);
	return true;
}

static bool read_snapshot(struct pftrace *p, struct pftrace_sequence *s, struct str message, struct wire *w)
{
	struct wire inner = wire_of(message);
	struct wire_field f;

	p->in.clocks.snapshots++;
	while (wire_next(&inner, &f) > 0) {
		if (f.no == 1 && f.type == WIRE_LEN && !read_clock(p, s, f.bytes, w))
			return false;
		if (f.no == 2 && f.type == WIRE_VARINT)
			p->in.clocks.primary = f.v;
	}
	return wire_passed(&inner, w, NULL);
}

/* Sets the time of an event, in ns on its clock. Returns false when it does not fit in 64 bits. */
static bool set_time(
    struct pftrace *p, struct pftrace_sequence *s, const struct wire_field *packet, struct pftrace_entry *entry)
{
	const uint64_t id = packet[CLOCK].no ? packet[CLOCK].v : s->has_clock ? s->clock : 6;
	struct pftrace_own_clock *own = own_clock(s, id);
	uint64_t ts = packet[TS].v, unit;

	entry->clock = pftrace_clocks_at(&p->in.clocks, s->id, id);
	p->in.clocks.list[entry->clock].used = true;
	unit = p->in.clocks.list[entry->clock].unit;
	if (own && own->set) {
		unit = own->unit;
		if (own->incremental)
			ts = own->sum += ts;
	}
	return !__builtin_mul_overflow(ts, unit, &entry->ts);
}

static void read_event(struct pftrace *p, struct reader *r, struct pftrace_sequence *s, const struct wire_field *packet)
{
	struct pftrace_entry entry = {.at = p->in.at, .track = PFTRACE_NONE};
	bool good;

	p->in.sequence = s;
	p->in.damage = (struct wire){0};
	p->in.name.n = p->in.cat.n = p->in.args.n = p->in.flows.n = p->in.extras.n = 0;
	buf_char(&p->in.args, '{');
	if (packet[FLAGS].v & 2 && !s->valid) {
		reader_lost(r, "packet without the state of its sequence, which was overwritten; skipped", 0, p->in.at);
		return;
	}
	if (!set_time(p, s, packet, &entry)) {
		reader_lost(r, "time beyond 64 bits of ns; event skipped", 0, p->in.at);
		return;
	}
	if (packet[EVENT].no)
		good = pftrace_event_read(&p->in, packet[EVENT].bytes, &entry);
	else if (packet[STAGE].no)
		good = pftrace_gpu_stage_read(&p->in, packet[STAGE].bytes, &entry);
	else
		good = pftrace_gpu_counter_read(&p->in, packet[COUNTER].bytes, &entry);
	if (!good)
		reader_lost(r, p->in.damage.fault, 0, p->in.at);
}

static void packet_read(struct pftrace *p, struct reader *r, struct str bytes, bool compressed);

static void read_compressed(struct pftrace *p, struct reader *r, enum decompress_block kind, struct str in)
{
	struct fault fault;
	struct str packet;
	struct wire w;

	p->inflated.n = 0;
	if (!decompress_block(kind, in, r->max_record, &p->inflated, &fault))
		reader_lost(r, fault.what, 0, p->in.at);
	w = wire_of(p->inflated.p ? buf_str(&p->inflated) : STR(""));
	while (wire_next_message(&w, 1, &packet))
		packet_read(p, r, packet, true);
	if (w.fault)
		reader_lost(r, "content of compressed packets is damaged; the rest of it is skipped", 0, p->in.at);
}

/*
 * Reads a packet, and stores in *p what it says. Damaged packets are reported and skipped. `compressed`: it was in a
 * compressed packet, and these are at most one level deep.
 */
static void packet_read(struct pftrace *p, struct reader *r, struct str bytes, bool compressed)
{
	struct wire_field f[UNREAD + UNREAD_N];
	struct wire w = {0};
	bool good = wire_read(bytes, packet_fields, f, &w);
	struct pftrace_sequence *s = sequence_at(p, (uint32_t)f[SEQUENCE].v);
	struct str zlib = f[ZLIB].bytes;
	size_t i;

	for (i = 0; i < UNREAD_N; i++)
		p->unread[i] += f[UNREAD + i].no > 0;
	/* The state is cleared first, so that what the packet says is valid from now on. */
	if (good && (f[FLAGS].v & 1 || f[CLEARED].v)) {
		id_texts_free(&s->names);
		memset(s->clocks, 0, sizeof s->clocks);
		s->has_clock = s->has_track = false;
		s->extra.n = 0;
		s->valid = true;
	}
	if (!good || (f[DEFAULTS].no && !read_defaults(s, f[DEFAULTS].bytes, &w)) ||
	    (f[SNAPSHOT].no && !read_snapshot(p, s, f[SNAPSHOT].bytes, &w)) ||
	    (f[TRACK].no && !pftrace_tracks_describe(&p->in.tracks, f[TRACK].bytes, &w)) ||
	    (f[INTERNED].no && !pftrace_names_add(&s->names, f[INTERNED].bytes, &w))) {
		reader_lost(r, "packet is damaged; skipped", 0, p->in.at);
		return;
	}
	if (f[EVENT].no || f[STAGE].no || f[COUNTER].no)
		read_event(p, r, s, f);
	if (compressed && (f[ZLIB].no || f[ZSTD].no)) {
		reader_lost(r, "compressed packets inside compressed packets; skipped", 0, p->in.at);
		return;
	}
	if (f[ZLIB].no)
		read_compressed(
		    p, r, str_starts(zlib, STR("\x78")) ? DECOMPRESS_BLOCK_ZLIB : DECOMPRESS_BLOCK_DEFLATE, zlib);
	if (f[ZSTD].no)
		read_compressed(p, r, DECOMPRESS_BLOCK_ZSTD, f[ZSTD].bytes);
}

/* --- the format --- */

/* Reports the packets that are not read, by kind. */
static void report_unread(struct pftrace *p, struct reader *r)
{
	static const char *const names[UNREAD_N] = {"ftrace", "process tree", "Chrome's own", "perf samples"};
	char text[200];
	size_t i, n = 0;

	if (!p->in.events && p->unread[FTRACE]) {
		reader_lost(r,
		    reader_text(r, "a trace of Linux or Android: its %" PRIu64 " ftrace bundles are not read",
			p->unread[FTRACE]),
		    0, 0);
		return;
	}
	if (!p->in.events)
		reader_note(r, "no events", 0, 0);
	for (i = 0; i < UNREAD_N; i++) {
		if (p->unread[i])
			n += (size_t)snprintf(text + n, sizeof text - n, "%s %s %" PRIu64,
			    n ? "," : "packets that are not read:", names[i], p->unread[i]);
	}
	if (n)
		reader_note(r, reader_text(r, "%s", text), 0, 0);
}

static void open_pftrace(void *state, struct reader *r)
{
	struct pftrace *p = state;
	struct str packet;

	pftrace_entries_init(&p->in, r);
	p->records.in = &p->in;
	while (!p->in.failed && packets_next(p, r, &packet))
		packet_read(p, r, packet, false);
	p->in.cut |= r->src->fault.what != NULL;
	if (p->in.failed)
		return;
	report_unread(p, r);
	pftrace_clocks_end(&p->in.clocks);
	pftrace_pairs_find(&p->in);
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct pftrace *p = state;

	(void)r;
	return !p->in.failed && pftrace_record_next(&p->records, e);
}

static void close_pftrace(void *state, struct reader *r)
{
	struct pftrace *p = state;
	size_t i;

	(void)r;
	for (i = 0; i < p->sequence_ids.n; i++) {
		id_texts_free(&p->sequences[i].names);
		bufs_free(&p->sequences[i].extra, &p->sequences[i].gpu_counters);
	}
	map_free(&p->sequence_ids);
	free(p->sequences);
	buf_free(&p->inflated);
	pftrace_entries_free(&p->in);
	pftrace_records_free(&p->records);
}

const struct format format_pftrace = {
    .name = "pftrace",
    .help = "Perfetto traces (.pftrace): PyTorch, rocprofv3, Perfetto's SDK, Chromium",
    .example = "trace2ndjson run.pftrace.gz",
    .probe = packets_probe,
    .binary = true,
    .state_size = sizeof(struct pftrace),
    .open = open_pftrace,
    .next = next,
    .close = close_pftrace,
};
