#include "pftrace_tables.h"

#include "base/char_class.h"
#include "base/order.h"
#include "base/num_format.h"
#include "json/string.h"

#include <stdlib.h>

/* --- texts that are sent once, with a number that later packets use --- */

/* Returns whether a field of InternedData is a list of messages with a number (1) and a text. */
static bool is_table(uint32_t no)
{
	return no == PFTRACE_CATEGORIES || no == PFTRACE_EVENTS || no == PFTRACE_ARGUMENTS ||
	       no == PFTRACE_GPU_STAGES || no == PFTRACE_STRINGS || no == PFTRACE_GPU_COUNTERS ||
	       no == PFTRACE_KERNELS || no == PFTRACE_KERNEL_ARGUMENTS;
}

/* Returns the key of a message with a number in a table, or of a clock with an id of a sequence. */
static struct str key_of(char room[12], uint32_t owner, uint64_t id)
{
	memcpy(room, &id, sizeof id);
	memcpy(room + sizeof id, &owner, sizeof owner);
	return (struct str){room, sizeof id + sizeof owner};
}

bool pftrace_names_add(struct id_texts *names, struct str interned, struct wire *w)
{
	struct wire inner = wire_of(interned);
	struct wire_field f;
	char room[12];

	while (wire_next(&inner, &f) > 0) {
		if (f.type != WIRE_LEN || !is_table(f.no))
			continue;
		if (!wire_sound(f.bytes, w))
			return false;
		/* If a number is sent twice, the last text counts. */
		id_texts_put(names, key_of(room, f.no, wire_find_number(f.bytes, 1)), f.bytes);
	}
	return wire_passed(&inner, w, NULL);
}

struct str pftrace_names_message(const struct id_texts *names, enum pftrace_table table, uint64_t iid)
{
	char room[12];
	const struct str message = id_texts_get(names, key_of(room, table, iid));

	return message.p ? message : STR("");
}

struct str pftrace_names_text(const struct id_texts *names, enum pftrace_table table, uint64_t iid)
{
	char room[12];
	const struct str message = id_texts_get(names, key_of(room, table, iid));

	return message.p ? wire_find_bytes(message, 2) : message;
}

/* --- clocks: snapshots show the times of several clocks at one moment --- */

/* From the enum BuiltinClock of Perfetto. */
enum { REALTIME = 1, MONOTONIC = 3, BOOTTIME = 6 };

uint32_t pftrace_clocks_at(struct pftrace_clocks *c, uint32_t sequence, uint64_t id)
{
	const size_t known = c->keys.n;
	char key[12];
	size_t i;

	/* The clocks 64 to 127 are those of a sequence: equal numbers in two sequences are different clocks. */
	if (id < 64 || id > 127)
		sequence = 0;
	i = map_put(&c->keys, key_of(key, sequence, id));
	if (c->keys.n > known) {
		c->list = mem_grow(c->list, &c->cap, c->keys.n, sizeof *c->list);
		c->list[i] = (struct pftrace_clock){.unit = 1};
	}
	return (uint32_t)i;
}

void pftrace_clocks_add(struct pftrace_clocks *c, uint32_t clock, int64_t ts)
{
	c->readings = mem_grow(c->readings, &c->cap_readings, c->n_readings + 1, sizeof *c->readings);
	c->readings[c->n_readings++] = (struct pftrace_reading){c->snapshots, clock, ts};
	c->list[clock].read = true;
}

/* Returns the main clock: the primary one of the last snapshot, else the boot time, else the first one in use. */
static uint32_t main_clock(struct pftrace_clocks *c)
{
	const uint32_t primary = pftrace_clocks_at(c, 0, c->primary), boot = pftrace_clocks_at(c, 0, BOOTTIME);
	size_t i;

	if (c->primary && c->list[primary].read)
		return primary;
	if (c->primary || c->list[boot].used || c->list[boot].read)
		return boot;
	for (i = 0; i < c->keys.n; i++) {
		if (c->list[i].used)
			return (uint32_t)i;
	}
	return boot;
}

/* Adds how to convert a clock from a time on. A snapshot replaces preceding ones whose times are not earlier. */
static void add_shift(struct pftrace_clock *clock, int64_t from, int64_t to, unsigned pass)
{
	struct pftrace_shift shift = {.from = from};

	if (__builtin_sub_overflow(to, from, &shift.add))
		return;
	if (!clock->pass)
		clock->first_add = shift.add;
	clock->pass = pass;
	while (clock->n_shifts && clock->shifts[clock->n_shifts - 1].from >= from)
		clock->n_shifts--;
	clock->shifts = mem_grow(clock->shifts, &clock->cap_shifts, clock->n_shifts + 1, sizeof *clock->shifts);
	clock->shifts[clock->n_shifts++] = shift;
}

bool pftrace_clocks_convert(const struct pftrace_clocks *c, uint32_t clock, int64_t *ts)
{
	const struct pftrace_clock *from = &c->list[clock];
	struct order_range r = {0, from->n_shifts};

	if (from->main)
		return true;
	if (!from->pass)
		return false;
	while (r.low < r.high)
		order_halve(&r, from->shifts[order_middle(&r)].from <= *ts);
	return !__builtin_add_overflow(*ts, r.low ? from->shifts[r.low - 1].add : from->first_add, ts);
}

/* Adds shifts to all clocks that have none of an earlier pass, by means of `over`, which has or is the main clock. */
static void add_shifts(struct pftrace_clocks *c, uint32_t over, unsigned pass)
{
	const struct pftrace_reading *reading;
	struct pftrace_clock *clock;
	size_t i, k, end, to;
	int64_t ts;

	for (i = 0; i < c->n_readings; i = end) {
		to = c->n_readings;
		for (end = i; end < c->n_readings && c->readings[end].snapshot == c->readings[i].snapshot; end++) {
			if (c->readings[end].clock == over && to == c->n_readings)
				to = end;
		}
		if (to >= end)
			continue;
		ts = c->readings[to].ts;
		if (!pftrace_clocks_convert(c, over, &ts))
			continue;
		for (k = i; k < end; k++) {
			reading = &c->readings[k];
			clock = &c->list[reading->clock];
			if (!clock->main && (!clock->pass || clock->pass == pass))
				add_shift(clock, reading->ts, ts, pass);
		}
	}
}

void pftrace_clocks_end(struct pftrace_clocks *c)
{
	static const uint64_t middles[] = {BOOTTIME, MONOTONIC, REALTIME};
	const uint32_t main = main_clock(c);
	uint32_t over;
	unsigned i;

	c->list[main].main = true;
	add_shifts(c, main, 1);
	for (i = 0; i < sizeof middles / sizeof *middles; i++) {
		over = pftrace_clocks_at(c, 0, middles[i]);
		if (over != main && c->list[over].pass)
			add_shifts(c, over, i + 2);
	}
}

void pftrace_clocks_put(const struct pftrace_clocks *c, uint32_t clock, struct buf *b)
{
	const char *key = map_key(&c->keys, clock).p;
	uint64_t id;
	uint32_t sequence;

	memcpy(&id, key, sizeof id);
	memcpy(&sequence, key + sizeof id, sizeof sequence);
	buf_lit(b, "\"clock ");
	num_add_u64(b, id);
	if (sequence) {
		buf_lit(b, " of sequence ");
		num_add_u64(b, sequence);
	}
	buf_char(b, '"');
}

void pftrace_clocks_free(struct pftrace_clocks *c)
{
	size_t i;

	for (i = 0; i < c->keys.n; i++)
		free(c->list[i].shifts);
	map_free(&c->keys);
	mem_free(c->list, c->readings);
}

/* --- tracks, which form a tree: below a process are its threads and its other tracks --- */

/* The parents of tracks in a damaged trace can form a circle. */
enum { DEPTH_MAX = 64 };

uint32_t pftrace_tracks_at(struct pftrace_tracks *t, uint64_t uuid)
{
	const size_t known = t->uuids.n;
	size_t i = map_put(&t->uuids, (struct str){(const char *)&uuid, sizeof uuid});

	if (t->uuids.n > known) {
		t->list = mem_grow(t->list, &t->cap, t->uuids.n, sizeof *t->list);
		t->list[i] = (struct pftrace_track){.parent = PFTRACE_NONE, .sequence = PFTRACE_NONE, .multiplier = 1};
	}
	return (uint32_t)i;
}

uint64_t pftrace_tracks_uuid(const struct pftrace_tracks *t, uint32_t track)
{
	uint64_t uuid;

	memcpy(&uuid, map_key(&t->uuids, track).p, sizeof uuid);
	return uuid;
}

static struct str text_add(struct pftrace_tracks *t, struct str text)
{
	return text.n ? map_key(&t->texts, map_put(&t->texts, text)) : text;
}

bool pftrace_tracks_describe(struct pftrace_tracks *t, struct str descriptor, struct wire *w)
{
	enum { UUID, PARENT, PROCESS, THREAD, COUNTER, NAMES, FIELDS = NAMES + 3 };
	static const struct wire_want wants[] = {{1, WIRE_VARINT}, {5, WIRE_VARINT}, {3, WIRE_LEN}, {4, WIRE_LEN},
	    {8, WIRE_LEN}, {2, WIRE_LEN}, {10, WIRE_LEN}, {13, WIRE_LEN}, {0}};
	struct wire_field f[FIELDS];
	struct pftrace_track *track;
	uint32_t self, above;
	int64_t multiplier;
	bool named;
	size_t i;

	if (!wire_read(descriptor, wants, f, w))
		return false;
	self = pftrace_tracks_at(t, f[UUID].v);
	above = f[PARENT].no ? pftrace_tracks_at(t, f[PARENT].v) : t->list[self].parent; /* may move the list */
	track = &t->list[self];
	named = track->process_name.n || track->thread_name.n;
	track->parent = above;
	for (i = NAMES; i < FIELDS; i++) {
		if (f[i].bytes.n)
			track->name = text_add(t, f[i].bytes);
	}
	for (i = PROCESS; i <= COUNTER; i++) {
		if (f[i].no && !wire_sound(f[i].bytes, w))
			return false;
	}
	if (f[PROCESS].no) { /* {1 pid, 6 name} */
		track->has_process = true;
		track->process = (int32_t)(uint32_t)wire_find_number(f[PROCESS].bytes, 1);
		if (!track->process_name.n)
			track->process_name = text_add(t, wire_find_bytes(f[PROCESS].bytes, 6));
	}
	if (f[THREAD].no) { /* {1 pid, 2 tid, 5 name} */
		track->has_thread = true;
		track->thread_pid = (int32_t)(uint32_t)wire_find_number(f[THREAD].bytes, 1);
		track->thread = (int64_t)wire_find_number(f[THREAD].bytes, 2);
		if (!track->thread_name.n)
			track->thread_name = text_add(t, wire_find_bytes(f[THREAD].bytes, 5));
	}
	if (f[COUNTER].no) { /* {4 multiplier, 5 the values are increases} */
		multiplier = (int64_t)wire_find_number(f[COUNTER].bytes, 4);
		track->multiplier = multiplier ? multiplier : 1;
		track->adds_up = wire_find_number(f[COUNTER].bytes, 5);
	}
	if (!named && (track->process_name.n || track->thread_name.n)) {
		t->named = mem_grow(t->named, &t->cap_named, t->n_named + 1, sizeof *t->named);
		t->named[t->n_named++] = self;
	}
	return true;
}

static struct str json_int(struct pftrace_tracks *t, int64_t v)
{
	char room[NUM_ROOM];

	return text_add(t, num_str_i64(room, v));
}

static struct str json_text(struct pftrace_tracks *t, struct str text)
{
	struct buf b = {0};

	if (!text.n)
		return (struct str){NULL, 0};
	json_quote(&b, text);
	text = text_add(t, buf_str(&b));
	buf_free(&b);
	return text;
}

/*
 * The place is the nearest thread above, with the name of the track as `sub` if it is below the thread, or the nearest
 * process, with the name of the track that is directly or indirectly below it as tid.
 */
static void set_track_place(struct pftrace_tracks *t, struct pftrace_track *track)
{
	const struct pftrace_track *up = track;
	struct str own = track->name, above = {NULL, 0};
	size_t depth;

	for (depth = 0; depth < DEPTH_MAX; depth++) {
		if (up->has_thread) {
			track->pid = json_int(t, up->thread_pid);
			track->tid = json_int(t, up->thread);
			if (depth)
				track->sub = json_text(t, own);
			return;
		}
		if (up->has_process) {
			track->pid = json_int(t, up->process);
			track->tid = json_text(t, depth && !own.n ? above : own);
			return;
		}
		if (!above.n)
			above = up->name;
		if (up->parent == PFTRACE_NONE)
			break;
		up = &t->list[up->parent];
	}
	track->tid = json_text(t, own.n ? own : above);
}

struct pftrace_track *pftrace_tracks_place(struct pftrace_tracks *t, uint32_t track)
{
	if (!t->list[track].placed)
		set_track_place(t, &t->list[track]);
	t->list[track].placed = true;
	return &t->list[track];
}

bool pftrace_tracks_on_gpu(const struct pftrace_tracks *t, uint32_t track)
{
	const uint32_t parent = t->list[track].parent;
	const struct str name = parent == PFTRACE_NONE ? STR("") : t->list[parent].process_name;

	return str_starts(name, STR("GPU ")) && str_all(str_from(name, 4), is_digit);
}

void pftrace_tracks_free(struct pftrace_tracks *t)
{
	maps_free(&t->uuids, &t->texts);
	mem_free(t->list, t->named);
}
