/* Members that the reader knows become views of the text; all others are collected as text for src. */
#include "chrome_event.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "json/check.h"
#include "json/iter.h"
#include "json/iter_inline.h"
#include "json/string.h"
#include "json/write.h"
#include "record/category.h"
#include "trace2ndjson/formats/copy_direction.h"

/* --- the kind of the record --- */

/* Returns the kind that ndjson2trace wrote into "record", or else the kind that follows from other members. */
static enum event_kind chrome_kind(const struct chrome_raw *raw)
{
	enum event_kind k = KIND_N;
	struct str kind;

	if (raw->record.p && raw->record.p[0] == '{') {
		kind = iter_find(raw->record, STR("kind"));
		k = json_is_string(kind) ? event_kind(json_inner(kind)) : KIND_N;
	}
	return k != KIND_N ? k : category_event_kind(chrome_phase(raw), raw->cat, raw->pid);
}

/*
 * Whether the event cannot become a selected record. Returns false for every half of a pair, because an end event does
 * not show its kind. Also returns false if kind other is selected, because an event without a ts may become a record of
 * that kind.
 */
static inline bool chrome_is_unwanted(const struct chrome_raw *raw, const struct reader *r)
{
	return !reader_wants(r, chrome_kind(raw)) && !reader_wants(r, KIND_OTHER) && !chrome_is_half(raw);
}

/* --- the members of an event --- */

/* Whether a value may be copied to a record unchanged, which is true if it is absent, a string or a number. */
static bool is_sound_scalar(struct str s)
{
	double d;
	int64_t v;

	return !s.p || json_is_string(s) || num_int(s, &v) == NUM_OK || num_double(s, &d);
}

/* Adds a member that has no field in the record to c->others. The members in c->others become src. */
static void keep_in_src(struct chrome_event *c, struct str key, struct str value)
{
	struct buf *b = &c->others;

	if (value.p[0] != '{' && value.p[0] != '[') {
		json_write_member(b, key, value);
		c->doubt |= !is_sound_scalar(value);
		return;
	}
	json_write_member(b, key, STR(""));
	b->n += scan_squeeze(buf_room(b, value.n + 64), value).n;
	c->doubt = true;
}

/* Sets a member if its value is valid; any other value stays in src. */
static void set_or_keep(struct chrome_event *c, struct event *e, enum event_member m, struct str value, bool valid)
{
	if (valid)
		event_set(e, m, value);
	else if (value.p)
		keep_in_src(c, str_of(event_member_name(m)), value);
}

/* Whether the kind is known after the member at `place`: some phases determine it, others need the category. */
static bool says_kind(const struct chrome_raw *raw, const struct str *place)
{
	return place == &raw->ph ? category_of_phase(chrome_phase(raw)) != KIND_N : place == &raw->cat && raw->ph.p;
}

/* Removes the white space from the value of args, which begins at w->p, and moves w->p to the end of the value. */
static void squeeze_args(struct chrome_event *c, struct iter *w)
{
	struct str rest = {w->p, (size_t)(w->end - w->p)};

	c->draft.args.n = 0;
	c->squeezed = scan_squeeze(buf_room(&c->draft.args, rest.n + 64), rest);
	c->draft.args.n = c->squeezed.n;
	c->raw.args = str_head(rest, c->squeezed.used);
	w->p += c->squeezed.used;
}

/* Returns the member of *raw that stores the value of this key; NULL when *raw has no such member. */
static struct str *member_place(struct chrome_raw *raw, struct str key)
{
	switch (key.n) {
	case 2:
		return memcmp(key.p, "ts", 2) == 0   ? &raw->ts
		       : memcmp(key.p, "ph", 2) == 0 ? &raw->ph
		       : memcmp(key.p, "id", 2) == 0 ? &raw->id
						     : NULL;
	case 3:
		return memcmp(key.p, "cat", 3) == 0   ? &raw->cat
		       : memcmp(key.p, "pid", 3) == 0 ? &raw->pid
		       : memcmp(key.p, "tid", 3) == 0 ? &raw->tid
		       : memcmp(key.p, "dur", 3) == 0 ? &raw->dur
		       : memcmp(key.p, "id2", 3) == 0 ? &raw->id2
						      : NULL;
	case 4:
		return memcmp(key.p, "name", 4) == 0 ? &raw->name : memcmp(key.p, "args", 4) == 0 ? &raw->args : NULL;
	case 6:
		return memcmp(key.p, "record", 6) == 0 ? &raw->record : NULL;
	default:
		return NULL;
	}
}

/*
 * Sets c->raw and c->others from the members of an event; for `sound` see chrome_convert(). Returns CHROME_RECORD when
 * the event can become a record. If `whole` is not set and the members read so far show that the event's kind is not
 * selected, sets c->unwanted, and adds nothing more to args and src.
 */
static enum chrome_result take_apart(
    struct chrome_event *c, const struct reader *r, struct str text, bool sound, bool whole)
{
	struct chrome_raw *raw = &c->raw;
	struct iter w;
	struct fault fault;
	struct str key, value, *place;
	int more;

	*raw = (struct chrome_raw){.text = text};
	c->others.n = 0;
	c->unwanted = 0;
	c->doubt = c->twice = false;
	iter_init(&w, text);
	while ((more = iter_key(&w, &key)) > 0) {
		place = member_place(raw, key);
		c->twice |= place && place->p;
		if (place == &raw->args && *w.p == '{' && !c->unwanted) {
			squeeze_args(c, &w);
			continue;
		}
		if (!iter_value(&w, &value))
			return CHROME_DOUBT;
		if (place)
			*place = value;
		if ((!place || place == &raw->id2) && !c->unwanted)
			keep_in_src(c, key, value);
		/* ndjson2trace added this event only for viewers: it is not a record */
		if (place == &raw->record && str_eq(value, STR("null")))
			return sound || json_check(text, &fault) ? CHROME_DROPPED : CHROME_DOUBT;
		if (!whole && !c->unwanted && says_kind(raw, place) && chrome_is_unwanted(raw, r)) {
			c->unwanted = (size_t)(w.p - text.p);
			if (!sound && !json_check(text, &fault))
				return CHROME_DOUBT;
		}
	}
	return more < 0 ? CHROME_DOUBT : CHROME_RECORD;
}

/* --- records --- */

/* Reads a whole number, which may be in quotes and then hexadecimal: "0x0", as ROCm writes streams. */
static bool read_whole(struct str s, int64_t *v)
{
	size_t i;

	if (!s.p)
		return false;
	if (!json_is_string(s))
		return num_int(s, v) == NUM_OK;
	s = json_inner(s);
	if (!str_starts(s, STR("0x")) || s.n < 3 || s.n > 17)
		return num_int(s, v) == NUM_OK;
	for (*v = 0, i = 2; i < s.n; i++) {
		if (!is_hex_digit(s.p[i]))
			return false;
		*v = (int64_t)((uint64_t)*v << 4 | (unsigned)hex_value(s.p[i]));
	}
	return true;
}

/* Whether v is the profiler's value for "none": -1, or -1 as an unsigned 32-bit number. */
static bool is_none(int64_t v)
{
	return v == -1 || v == 4294967295;
}

/* Sets an id, which is a whole number or a text. */
static void set_id(struct chrome_event *c, struct event *e, enum event_member m, struct str s)
{
	int64_t v;

	set_or_keep(c, e, m, s, json_is_string(s) || (s.p && num_int(s, &v) != NUM_BAD));
}

/* Sets a process or thread id. "2021" becomes a number, so that all records of a thread have the same id. */
static void set_thread(struct chrome_event *c, struct event *e, enum event_member m, struct str s)
{
	int64_t v;

	if (json_is_string(s) && num_int(json_inner(s), &v) == NUM_OK)
		draft_int(&c->draft, e, m, v);
	else
		set_id(c, e, m, s);
}

/* Values in args that have their own field in the record. */
struct from_args {
	struct str correlation, stream, bytes, python_id, python_parent;
};

/* Reads *a from args, and sets c->unkept. Returns true when args is certainly JSON: see struct scan_squeezed. */
static bool read_args(struct chrome_event *c, const struct kept_args *kept, struct from_args *a)
{
	bool keeps = false;
	struct iter w;
	struct str key, value;
	unsigned members = 0;
	int r;

	*a = (struct from_args){0};
	iter_init(&w, buf_str(&c->draft.args));
	while ((r = iter_quick(&w, &key, &value)) > 0) {
		members++;
		keeps |= kept_args_has(kept, key);
		switch (key.n) {
		case 5:
			if (str_eq(key, STR("bytes")))
				a->bytes = value;
			break;
		case 6:
			if (str_eq(key, STR("stream")))
				a->stream = value;
			break;
		case 9:
			if (str_eq(key, STR("Python id")))
				a->python_id = value;
			break;
		case 11:
			if (str_eq(key, STR("correlation")))
				a->correlation = value;
			break;
		case 16:
			if (str_eq(key, STR("Python parent id")))
				a->python_parent = value;
			break;
		}
	}
	/* A key with escapes may be one of the names, too. */
	c->unkept = kept->n && !keeps && !memchr(c->draft.args.p, '\\', c->draft.args.n);
	return r == 0 && c->squeezed.clean && c->squeezed.braces == 1 && c->squeezed.colons == members;
}

/*
 * Sets device and stream: the device is the pid; the stream is args.stream or, if that is missing, the tid ("stream 7"
 * is 7). ONNX Runtime does not know the device of a kernel, and writes the pid -1.
 */
static void set_device(struct chrome_event *c, struct event *e, const struct from_args *a)
{
	const struct chrome_raw *raw = &c->raw;
	struct str tid;
	int64_t v;
	bool legacy = false;

	if (read_whole(raw->pid, &v)) {
		if (!is_none(v))
			draft_int(&c->draft, e, EVENT_DEV, v);
	} else if (raw->pid.p) {
		/* The old autograd profiler writes the pid "CUDA functions"; the tid is then the device. */
		legacy = true;
		keep_in_src(c, STR("pid"), raw->pid);
		if (read_whole(raw->tid, &v))
			draft_int(&c->draft, e, EVENT_DEV, v);
	}
	if (read_whole(a->stream, &v)) {
		if (!is_none(v))
			draft_int(&c->draft, e, EVENT_STREAM, v);
		return;
	}
	if (legacy || !raw->tid.p)
		return;
	tid = json_is_string(raw->tid) ? json_inner(raw->tid) : raw->tid;
	if (!read_whole(raw->tid, &v) && (!str_starts(tid, STR("stream ")) || num_int(str_from(tid, 7), &v) != NUM_OK))
		keep_in_src(c, STR("tid"), raw->tid);
	else if (!is_none(v))
		draft_int(&c->draft, e, EVENT_STREAM, v);
}

/* Reads ts or dur, a number of microseconds that may be in quotes. */
static enum num_result read_time(struct str text, int64_t *v)
{
	return num_fixed(json_is_string(text) ? json_inner(text) : text, 3, v);
}

/* Sets ts or dur; a value that is not a time stays in src. False when the time does not fit in 64 bits. */
static bool set_time(struct chrome_event *c, struct event *e, enum event_member m, struct str text)
{
	int64_t *v = m == EVENT_TS ? &e->ts : &e->dur;
	enum num_result r;

	if (!text.p)
		return true;
	r = read_time(text, v);
	if (r == NUM_BAD)
		keep_in_src(c, str_of(event_member_name(m)), text);
	else if (r == NUM_OK)
		e->has |= 1u << m;
	return r != NUM_RANGE;
}

static void set_ids(struct chrome_event *c, struct event *e, const struct from_args *a)
{
	int64_t v;

	if (read_whole(a->correlation, &v) && v != 0 && !is_none(v))
		draft_int(&c->draft, e, EVENT_CORR, v);
	if (c->raw.id.p)
		set_id(c, e, EVENT_ID, c->raw.id);
	else if (read_whole(a->python_id, &v))
		draft_int(&c->draft, e, EVENT_ID, v);
	if (read_whole(a->python_parent, &v))
		draft_int(&c->draft, e, EVENT_PARENT, v);
	if (read_whole(a->bytes, &v) && v >= 0)
		draft_int(&c->draft, e, EVENT_BYTES, v);
}

/* Sets src, for example {"ph":"i","s":"t"}: the phase unless it is X, followed by the other members in their order. */
static void set_src(struct chrome_event *c, struct event *e)
{
	const struct str ph = c->raw.ph;
	const bool phase = json_is_string(ph) && chrome_phase(&c->raw) != 'X';

	if (ph.p && !json_is_string(ph))
		keep_in_src(c, STR("ph"), ph);
	if (!phase && !c->others.n)
		return;
	c->src.n = 0;
	buf_char(&c->src, '{');
	if (phase) {
		buf_lit(&c->src, "\"ph\":");
		buf_add(&c->src, ph.p, ph.n);
	}
	if (c->others.n)
		buf_add(&c->src, c->others.p + !phase, c->others.n - !phase);
	buf_char(&c->src, '}');
	buf_room(&c->src, SCAN_PAD); /* chrome_pair() may load bytes after the end of src */
	event_set(e, EVENT_SRC, buf_str(&c->src));
}

/* Makes the record from the members that take_apart() found. False when a time does not fit in 64 bits. */
static bool make_record(struct chrome_event *c, const struct reader *r, struct event *e)
{
	const struct chrome_raw *raw = &c->raw;
	enum event_kind k = chrome_kind(raw);
	struct from_args a = {0};
	struct str copy;
	bool fits;

	c->unkept = false;
	fits = set_time(c, e, EVENT_TS, raw->ts);
	fits &= set_time(c, e, EVENT_DUR, raw->dur);
	/* An event without a time becomes kind other, unless it is metadata or has a "record": see set_record(). */
	if (!event_has(e, EVENT_TS) && k != KIND_META && !raw->record.p)
		k = KIND_OTHER;
	event_set_kind(e, k);
	set_or_keep(c, e, EVENT_NAME, raw->name, json_is_string(raw->name));
	set_or_keep(c, e, EVENT_CAT, raw->cat, json_is_string(raw->cat));
	if (raw->args.p && raw->args.p[0] != '{') {
		keep_in_src(c, STR("args"), raw->args);
	} else if (raw->args.p) {
		event_set(e, EVENT_ARGS, buf_str(&c->draft.args));
		c->doubt |= !read_args(c, r->kept, &a);
	}
	if (!category_has_args(k))
		a = (struct from_args){0};
	set_ids(c, e, &a);
	if (event_kind_is_device(k) || k == KIND_GPU_RANGE) {
		set_device(c, e, &a);
	} else {
		set_thread(c, e, EVENT_PID, raw->pid);
		set_thread(c, e, EVENT_TID, raw->tid);
	}
	/* "Memcpy HtoD (Pageable -> Device)", or "Memcpy M2D(...)" */
	if (k == KIND_MEMCPY && str_starts(raw->name, STR("\"Memcpy ")) && (copy = copy_direction(raw->name)).p)
		event_set(e, EVENT_COPY, copy);
	set_src(c, e);
	if (!r->args)
		e->has &= ~(1u << EVENT_ARGS | 1u << EVENT_SRC);
	return fits;
}

/*
 * Sets fields from the member "record", in which ndjson2trace stores the fields that no other member of an event can
 * hold. A null in "record" removes the field.
 */
static void set_record(struct chrome_event *c, const struct reader *r, struct event *e)
{
	enum event_member m = EVENT_N;
	struct str key, value;
	struct iter w;
	int64_t dur;

	iter_init(&w, c->raw.record);
	while (event_next(&w, &m, &key, &value) > 0) {
		if (m == EVENT_N || m == EVENT_TS)
			continue;
		if (str_eq(value, STR("null")))
			e->has &= ~(1u << m);
		else if ((m == EVENT_ARGS || m == EVENT_SRC) && (!r->args || value.p[0] != '{'))
			continue;
		else if (m != EVENT_DUR)
			event_set(e, m, value);
		else if (num_int(value, &dur) == NUM_OK)
			event_set_dur(e, dur);
		c->unkept &= m != EVENT_ARGS;
		c->doubt |= !is_sound_scalar(value);
	}
}

/* Returns the result for an event whose kind is not selected, and stores its layout. */
static enum chrome_result drop_event(struct chrome_event *c, bool sound)
{
	const struct chrome_raw *raw = &c->raw;
	int64_t v;

	if ((raw->ts.p && read_time(raw->ts, &v) == NUM_RANGE) || (raw->dur.p && read_time(raw->dur, &v) == NUM_RANGE))
		return CHROME_RANGE;
	/* A shape has no contents of strings, so it does not show whether a time in quotes fits in 64 bits. */
	if (!sound && c->unwanted && !c->twice && !raw->record.p && !json_is_string(raw->ts) &&
	    !json_is_string(raw->dur))
		chrome_seen_add(&c->seen, raw->text, c->unwanted);
	return CHROME_DROPPED;
}

enum chrome_result chrome_convert(
    struct chrome_event *c, const struct reader *r, struct str text, bool sound, struct event *e)
{
	bool all = r->kinds == (1u << KIND_N) - 1, fits;
	enum chrome_result result;
	struct fault fault;

	if (!all && !sound && chrome_seen(&c->seen, text)) {
		c->twice = false;
		return CHROME_DROPPED;
	}
	result = take_apart(c, r, text, sound, all);
	if (result != CHROME_RECORD)
		return result;
	if (!all && chrome_is_unwanted(&c->raw, r)) {
		/* If c->unwanted is 0, the kind became known only at the end, and the text was not checked. */
		return sound || c->unwanted || json_check(text, &fault) ? drop_event(c, sound) : CHROME_DOUBT;
	}
	/* A duplicate member changed the kind to a selected one: read the whole event again. */
	if (c->unwanted)
		take_apart(c, r, text, true, true);
	event_clear(e);
	fits = make_record(c, r, e);
	if (c->raw.record.p && c->raw.record.p[0] == '{')
		set_record(c, r, e);
	if (c->doubt && !sound)
		return CHROME_DOUBT;
	return fits ? CHROME_RECORD : CHROME_RANGE;
}
