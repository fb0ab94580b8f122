/* pftrace_tracks: the tracks of events, which form a tree: below a process are its threads and its other tracks. */
#include "pftrace.h"

#include "base/char_class.h"
#include "json/string.h"

#include <stdlib.h>

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

static struct pftrace_text text_add(struct pftrace_tracks *t, struct str text)
{
	struct pftrace_text at = {t->bytes.n, text.n};

	buf_add(&t->bytes, text.p, text.n);
	return at;
}

static bool fault_of(const struct wire *inner, struct wire *w)
{
	w->fault = inner->fault;
	return !w->fault;
}

static bool read_process(struct pftrace_tracks *t, struct pftrace_track *track, struct str message, struct wire *w)
{
	struct wire inner = wire_of(message);
	struct wire_field f;

	track->has_process = true;
	track->process = 0;
	while (wire_next(&inner, &f) > 0) {
		if (f.no == 1 && f.type == WIRE_VARINT)
			track->process = (int32_t)(uint32_t)f.v;
		if (f.no == 6 && f.type == WIRE_LEN && !track->process_name.n)
			track->process_name = text_add(t, f.bytes);
	}
	return fault_of(&inner, w);
}

static bool read_thread(struct pftrace_tracks *t, struct pftrace_track *track, struct str message, struct wire *w)
{
	struct wire inner = wire_of(message);
	struct wire_field f;

	track->has_thread = true;
	track->thread_pid = track->thread = 0;
	while (wire_next(&inner, &f) > 0) {
		if (f.no == 1 && f.type == WIRE_VARINT)
			track->thread_pid = (int32_t)(uint32_t)f.v;
		if (f.no == 2 && f.type == WIRE_VARINT)
			track->thread = (int64_t)f.v;
		if (f.no == 5 && f.type == WIRE_LEN && !track->thread_name.n)
			track->thread_name = text_add(t, f.bytes);
	}
	return fault_of(&inner, w);
}

static bool read_counter(struct pftrace_track *track, struct str message, struct wire *w)
{
	struct wire inner = wire_of(message);
	struct wire_field f;

	track->has_counter = true;
	track->multiplier = 1;
	track->adds_up = false;
	while (wire_next(&inner, &f) > 0) {
		if (f.no == 4 && f.type == WIRE_VARINT && f.v)
			track->multiplier = (int64_t)f.v;
		if (f.no == 5 && f.type == WIRE_VARINT)
			track->adds_up = f.v != 0;
	}
	return fault_of(&inner, w);
}

static bool read_field(
    struct pftrace_tracks *t, struct pftrace_track *track, const struct wire_field *f, struct wire *w)
{
	switch (f->no) {
	case 2:
	case 10:
	case 13:
		/* Programs send the same descriptor again and again. */
		if (f->type == WIRE_LEN && f->bytes.n && !str_eq(pftrace_tracks_text(t, track->name), f->bytes))
			track->name = text_add(t, f->bytes);
		return true;
	case 3:
		return f->type != WIRE_LEN || read_process(t, track, f->bytes, w);
	case 4:
		return f->type != WIRE_LEN || read_thread(t, track, f->bytes, w);
	case 8:
		return f->type != WIRE_LEN || read_counter(track, f->bytes, w);
	}
	return true;
}

bool pftrace_tracks_describe(struct pftrace_tracks *t, struct str descriptor, struct wire *w)
{
	struct wire inner = wire_of(descriptor);
	struct wire_field f;
	uint64_t uuid = 0, parent = 0;
	bool has_parent = false;
	uint32_t self, above;

	while (wire_next(&inner, &f) > 0) {
		if (f.no == 1 && f.type == WIRE_VARINT)
			uuid = f.v;
		if (f.no == 5 && f.type == WIRE_VARINT) {
			parent = f.v;
			has_parent = true;
		}
	}
	if (!fault_of(&inner, w))
		return false;
	self = pftrace_tracks_at(t, uuid);
	if (has_parent) {
		above = pftrace_tracks_at(t, parent); /* may move the list */
		t->list[self].parent = above;
	}
	inner = wire_of(descriptor);
	while (wire_next(&inner, &f) > 0) {
		if (!read_field(t, &t->list[self], &f, w))
			return false;
	}
	if (!t->list[self].told && (t->list[self].process_name.n || t->list[self].thread_name.n)) {
		t->list[self].told = true;
		t->named = mem_grow(t->named, &t->cap_named, t->n_named + 1, sizeof *t->named);
		t->named[t->n_named++] = self;
	}
	return true;
}

static struct pftrace_text json_int(struct pftrace_tracks *t, int64_t v)
{
	char room[NUM_ROOM];

	return text_add(t, (struct str){room, (size_t)(num_put_i64(room, v) - room)});
}

static struct pftrace_text json_text(struct pftrace_tracks *t, struct pftrace_text text)
{
	struct buf b = {0};
	struct pftrace_text at;

	if (!text.n)
		return text;
	json_quote(&b, pftrace_tracks_text(t, text));
	at = text_add(t, (struct str){b.p, b.n});
	buf_free(&b);
	return at;
}

/*
 * The place is the nearest thread above, with the name of the track as `sub` if it is below the thread, or the nearest
 * process, with the name of the track that is directly or indirectly below it as tid.
 */
static void place(struct pftrace_tracks *t, struct pftrace_track *track)
{
	const struct pftrace_track *up = track;
	struct pftrace_text own = track->name, above = {0};
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
		place(t, &t->list[track]);
	t->list[track].placed = true;
	return &t->list[track];
}

bool pftrace_tracks_on_gpu(const struct pftrace_tracks *t, uint32_t track)
{
	const uint32_t parent = t->list[track].parent;
	const struct str name = parent == PFTRACE_NONE ? STR("") : pftrace_tracks_text(t, t->list[parent].process_name);

	return str_starts(name, STR("GPU ")) && str_all(str_from(name, 4), is_digit);
}

void pftrace_tracks_free(struct pftrace_tracks *t)
{
	map_free(&t->uuids);
	free(t->list);
	free(t->named);
	buf_free(&t->bytes);
}
