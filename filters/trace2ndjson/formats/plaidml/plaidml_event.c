#include "plaidml.h"

#include "base/num_format.h"

enum { UUID = 16, INDEX = 8 };

static bool broken(struct wire *w, const char *why, const char *at)
{
	w->fault = why;
	w->p = at;
	return false;
}

/* If the inner message has a fault, copies the fault to the outer message and returns false. */
static bool inner_fault(struct wire *w, const struct wire *inner)
{
	return !inner->fault || broken(w, inner->fault, inner->p);
}

static bool is_nil(struct str uuid)
{
	static const char nil[UUID];

	return memcmp(uuid.p, nil, UUID) == 0;
}

/* Reads an id of schema v2: an ActivityID or ClockID {1 index, 2 stream_uuid}. */
static bool read_index(
    struct plaidml_ref *ref, struct str bytes, struct plaidml_stream *own, bool first, struct wire *w)
{
	struct wire inner = wire_of(bytes);
	struct wire_field f;
	struct str stream = {NULL, 0};
	uint64_t index = 0;

	while (wire_next(&inner, &f) > 0) {
		if (f.no == 1 && f.type == WIRE_VARINT)
			index = f.v;
		if (f.no == 2 && f.type == WIRE_LEN) {
			if (f.bytes.n != UUID)
				return broken(w, "stream uuid is not 16 bytes long", inner.p);
			stream = f.bytes;
		}
	}
	if (!inner_fault(w, &inner))
		return false;
	ref->index = true;
	if (!index)
		return true;
	if (stream.p && first && !own->known) {
		memcpy(own->uuid, stream.p, UUID);
		own->known = true;
	}
	memcpy(ref->key, &index, INDEX);
	ref->n = INDEX;
	if (stream.p && !(own->known && memcmp(own->uuid, stream.p, UUID) == 0)) {
		memcpy(ref->key + INDEX, stream.p, UUID);
		ref->n = INDEX + UUID;
	}
	return true;
}

bool plaidml_ref_read(struct plaidml_ref *ref, struct str bytes, struct plaidml_stream *own, bool first, struct wire *w)
{
	ref->n = 0;
	ref->index = false;
	/* A uuid has 16 bytes. An ActivityID never has 16: it has 0, 2 to 11, or 20 to 29 bytes. */
	if (bytes.n != UUID)
		return read_index(ref, bytes, own, first, w);
	if (!is_nil(bytes)) {
		memcpy(ref->key, bytes.p, UUID);
		ref->n = UUID;
	}
	return true;
}

/* Reads google.protobuf.Duration {1 seconds, 2 nanos}. */
static bool read_time(int64_t *t, struct str bytes, struct wire *w)
{
	struct wire inner = wire_of(bytes);
	struct wire_field f;
	int64_t seconds = 0, nanos = 0;

	while (wire_next(&inner, &f) > 0) {
		if (f.no == 1 && f.type == WIRE_VARINT)
			seconds = (int64_t)f.v;
		if (f.no == 2 && f.type == WIRE_VARINT)
			nanos = (int32_t)(uint32_t)f.v;
	}
	if (!inner_fault(w, &inner))
		return false;
	if (__builtin_mul_overflow(seconds, (int64_t)1000000000, t) || __builtin_add_overflow(*t, nanos, t))
		return broken(w, "time does not fit in 64 bits of nanoseconds", bytes.p);
	return true;
}

/* Checks only that a google.protobuf.Any can be read. */
static bool check_any(struct str bytes, struct wire *w)
{
	struct wire inner = wire_of(bytes);
	struct wire_field f;

	while (wire_next(&inner, &f) > 0)
		;
	return inner_fault(w, &inner);
}

static bool take(struct plaidml_event *ev, const struct wire_field *f, struct plaidml_stream *own, struct wire *w)
{
	switch (f->no) {
	case 1:
		return plaidml_ref_read(&ev->parent, f->bytes, own, false, w);
	case 2:
		return plaidml_ref_read(&ev->id, f->bytes, own, true, w);
	case 3:
		ev->verb = f->bytes;
		return true;
	case 4:
		/* In a clock's id, index 0 is clock 0, not an absent id. */
		if (!plaidml_ref_read(&ev->clock, f->bytes, own, false, w))
			return false;
		if (ev->clock.index && !ev->clock.n) {
			memset(ev->clock.key, 0, INDEX);
			ev->clock.n = INDEX;
		}
		return true;
	case 5:
		ev->has_start = true;
		return read_time(&ev->start, f->bytes, w);
	case 6:
		if (!read_time(&ev->end, f->bytes, w))
			return false;
		ev->has_end = ev->end != 0;
		return true;
	case 7:
		ev->has_metadata = true;
		return check_any(f->bytes, w);
	case 8:
		return plaidml_ref_read(&ev->domain, f->bytes, own, false, w);
	}
	return true;
}

bool plaidml_event_read(struct plaidml_event *ev, struct str bytes, struct plaidml_stream *own, struct wire *w)
{
	struct wire inner = wire_of(bytes);
	struct wire_field f;

	ev->id.n = ev->parent.n = ev->clock.n = ev->domain.n = 0;
	ev->id.index = false;
	ev->verb = (struct str){NULL, 0};
	ev->whole = bytes;
	ev->has_start = ev->has_end = ev->has_metadata = false;
	while (wire_next(&inner, &f) > 0) {
		if (f.type == WIRE_LEN && !take(ev, &f, own, w))
			return false;
	}
	if (!inner_fault(w, &inner))
		return false;
	if (!ev->id.n)
		return broken(w, "event without an id", bytes.p);
	/* In v2, an event on clock 0 has no field for the clock. */
	if (ev->id.index && ev->has_start && !ev->clock.n) {
		memset(ev->clock.key, 0, INDEX);
		ev->clock.n = INDEX;
	}
	return true;
}

static void put_index(struct buf *b, const char *bytes)
{
	uint64_t index;
	char *p = buf_room(b, NUM_ROOM);

	memcpy(&index, bytes, INDEX);
	b->n += (size_t)(num_put_u64(p, index) - p);
}

void plaidml_put_id(struct buf *b, struct str key)
{
	uint64_t index;

	if (key.n == INDEX) {
		memcpy(&index, key.p, INDEX);
		if (index <= INT64_MAX) {
			put_index(b, key.p);
			return;
		}
	}
	buf_char(b, '"');
	if (key.n == UUID)
		buf_hex(b, key.p, UUID);
	if (key.n == INDEX + UUID) {
		buf_hex(b, key.p + INDEX, UUID);
		buf_char(b, ':');
	}
	if (key.n != UUID)
		put_index(b, key.p);
	buf_char(b, '"');
}
