/* One Chrome Trace Event, in the vintages that Kineto and its kin write, as a record. */
#include "chrome.h"

#include "record/category.h"
#include "json/json.h"
#include "json/scan.h"
#include "json/iter.h"

/* The one character of "ph", which is X where it is missing; 0 when it is no phase. */
static char phase(struct str ph)
{
	return !ph.p ? 'X' : ph.n == 3 && ph.p[0] == '"' ? ph.p[1] : 0;
}

/* What ndjson2trace says of the kind where nothing else does. */
static enum event_kind record_kind(struct str record)
{
	struct str kind = record.p[0] == '{' ? iter_find(record, STR("kind")) : (struct str){0};

	return json_is_string(kind) ? event_kind(json_inner(kind)) : KIND_N;
}

static enum event_kind kind_of(const struct chrome_raw *raw)
{
	enum event_kind k = raw->record.p ? record_kind(raw->record) : KIND_N;

	if (k == KIND_N)
		k = category_of_phase(phase(raw->ph));
	if (k == KIND_N && raw->cat.p)
		k = category_kind(raw->cat);
	if (k != KIND_N)
		return k;
	/* The autograd profiler before Kineto wrote no categories. */
	if (raw->pid.p && str_eq(raw->pid, STR("\"CPU functions\"")))
		return KIND_OP;
	if (raw->pid.p && str_eq(raw->pid, STR("\"CUDA functions\"")))
		return KIND_KERNEL;
	return KIND_RANGE;
}

static void set_number(struct chrome_event *c, struct event *e, enum event_member m, int64_t v)
{
	char *text = c->numbers[m].text;

	event_set(e, m, (struct str){text, (size_t)(num_put_i64(text, v) - text)});
}

/* A whole number, also one in quotes, also one in hexadecimal there ("0x0", as ROCm writes streams). */
static bool whole(struct str s, int64_t *v)
{
	size_t i;
	unsigned digit;

	if (!s.p)
		return false;
	if (!json_is_string(s))
		return num_int(s, v) == NUM_OK;
	s = json_inner(s);
	if (!str_starts(s, STR("0x")) || s.n < 3 || s.n > 17)
		return num_int(s, v) == NUM_OK;
	for (*v = 0, i = 2; i < s.n; i++) {
		digit = (unsigned char)s.p[i];
		digit = digit - '0' < 10 ? digit - '0' : (digit | 32) - 'a' < 6 ? (digit | 32) - 'a' + 10 : 16;
		if (digit > 15)
			return false;
		*v = (int64_t)((uint64_t)*v << 4 | digit);
	}
	return true;
}

/* -1, in 32 bits too, is how the profiler says "none". */
static bool is_none(int64_t v)
{
	return v == -1 || v == 4294967295;
}

/* A number is copied as it stands, so it must be one. */
static bool is_sound_scalar(struct str s)
{
	double d;
	int64_t v;

	return !s.p || json_is_string(s) || num_int(s, &v) == NUM_OK || num_double(s, &d);
}

/* A member that has no place of its own goes to src. */
static void keep_in_src(struct chrome_event *c, struct str key, struct str value)
{
	struct buf *b = &c->others;

	buf_lit(b, ",\"");
	buf_add(b, key.p, key.n);
	buf_lit(b, "\":");
	if (value.p[0] != '{' && value.p[0] != '[') {
		buf_add(b, value.p, value.n);
		c->doubt |= !is_sound_scalar(value);
		return;
	}
	b->n += scan_squeeze(buf_room(b, value.n + 64), value).n;
	c->doubt = true;
}

/* Ids are whole numbers or texts; all else stays in src. */
static void set_id(struct chrome_event *c, struct event *e, enum event_member m, struct str key, struct str s)
{
	int64_t v;

	if (json_is_string(s) || (s.p && num_int(s, &v) == NUM_OK))
		event_set(e, m, s);
	else if (s.p)
		keep_in_src(c, key, s);
}

/* A process or thread: digits in quotes (2021) are a number, so that all records of a thread agree. */
static void set_thread(struct chrome_event *c, struct event *e, enum event_member m, struct str key, struct str s)
{
	int64_t v;

	if (json_is_string(s) && num_int(json_inner(s), &v) == NUM_OK)
		set_number(c, e, m, v);
	else
		set_id(c, e, m, key, s);
}

/* What args say that has a member of its own. */
struct from_args {
	struct str correlation, stream, bytes, python_id, python_parent;
};

/* True when the squeezed args are JSON for certain: see struct scan_squeezed. */
static bool read_args(const struct chrome_event *c, struct from_args *a)
{
	struct iter w;
	struct str key, value;
	unsigned members = 0;
	int r;

	*a = (struct from_args){0};
	iter_open(&w, (struct str){c->args.p, c->args.n});
	while ((r = iter_next(&w, &key, &value)) > 0) {
		members++;
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
		default:
			break;
		}
	}
	return r == 0 && c->squeezed.clean && c->squeezed.braces == 1 && c->squeezed.colons == members;
}

/* Device and stream: dev is the pid, stream is args.stream, else the tid ("stream 7" is 7). */
static void set_device(struct chrome_event *c, struct event *e, const struct from_args *a)
{
	const struct chrome_raw *raw = &c->raw;
	int64_t v;
	bool legacy = false;

	if (whole(raw->pid, &v)) {
		set_number(c, e, EVENT_DEV, v);
	} else if (raw->pid.p) {
		/* "CUDA functions" of the old autograd profiler: the tid is the device there. */
		legacy = true;
		keep_in_src(c, STR("pid"), raw->pid);
		if (whole(raw->tid, &v))
			set_number(c, e, EVENT_DEV, v);
	}
	if (whole(a->stream, &v)) {
		if (!is_none(v))
			set_number(c, e, EVENT_STREAM, v);
		return;
	}
	if (legacy || !raw->tid.p)
		return;
	if (whole(raw->tid, &v) || (json_is_string(raw->tid) && str_starts(json_inner(raw->tid), STR("stream ")) &&
				       num_int(str_from(json_inner(raw->tid), 7), &v) == NUM_OK)) {
		if (!is_none(v))
			set_number(c, e, EVENT_STREAM, v);
	} else {
		keep_in_src(c, STR("tid"), raw->tid);
	}
}

/* "Memcpy HtoD (Pageable -> Device)" and "Memcpy M2D(...)": the two ends; memory (M) is the host's. */
static void set_copy(struct event *e, struct str name)
{
	static const struct {
		char ends[2];
		struct str copy;
	} ways[] = {
#define WAY(from, to, copy) {{from, to}, {"\"" copy "\"", sizeof(copy) + 1}},
	    WAY('H', 'D', "h2d") WAY('D', 'H', "d2h") WAY('D', 'D', "d2d") WAY('H', 'H', "h2h")
	    WAY('P', 'P', "p2p") WAY('M', 'D', "h2d") WAY('D', 'M', "d2h") WAY('M', 'M', "h2h")
#undef WAY
	};
	size_t i, to;

	if (!json_is_string(name) || !str_starts(json_inner(name), STR("Memcpy ")))
		return;
	name = str_from(json_inner(name), 7);
	to = name.n > 3 && memcmp(name.p + 1, "to", 2) == 0 ? 3 : name.n > 2 && name.p[1] == '2' ? 2 : 0;
	for (i = 0; to && i < sizeof ways / sizeof *ways; i++) {
		if (name.p[0] == ways[i].ends[0] && name.p[to] == ways[i].ends[1])
			event_set(e, EVENT_COPY, ways[i].copy);
	}
}

/*
 * Of a kind that nobody wants. The end of a pair does not know its kind, and make_record() makes an event without a ts
 * one of kind other.
 */
static bool is_unwanted(const struct chrome_raw *raw, const struct reader *r)
{
	return !reader_wants(r, kind_of(raw)) && !reader_wants(r, KIND_OTHER) && !chrome_is_half(raw);
}

/* Whether the kind is known once this member was read: some phases say it, else phase and category. */
static bool says_kind(const struct chrome_raw *raw, const struct str *place)
{
	return place == &raw->ph ? category_of_phase(phase(raw->ph)) != KIND_N : place == &raw->cat && raw->ph.p;
}

/* args are squeezed where they are met, which also finds their end. */
static void take_args(struct chrome_event *c, struct iter *w)
{
	struct str rest = {w->p, (size_t)(w->end - w->p)};

	c->args.n = 0;
	c->squeezed = scan_squeeze(buf_room(&c->args, rest.n + 64), rest);
	c->args.n = c->squeezed.n;
	c->raw.args = str_head(rest, c->squeezed.used);
	w->p += c->squeezed.used;
}

/* Where a member of the event is stored, NULL for one that has no place. */
static struct str *place_of(struct chrome_raw *raw, struct str key)
{
	switch (key.n) {
	case 2:
		return memcmp(key.p, "ts", 2) == 0 ? &raw->ts
		    : memcmp(key.p, "ph", 2) == 0  ? &raw->ph
		    : memcmp(key.p, "id", 2) == 0  ? &raw->id
						   : NULL;
	case 3:
		return memcmp(key.p, "cat", 3) == 0 ? &raw->cat
		    : memcmp(key.p, "pid", 3) == 0  ? &raw->pid
		    : memcmp(key.p, "tid", 3) == 0  ? &raw->tid
		    : memcmp(key.p, "dur", 3) == 0  ? &raw->dur
		    : memcmp(key.p, "id2", 3) == 0  ? &raw->id2
						    : NULL;
	case 4:
		return memcmp(key.p, "name", 4) == 0 ? &raw->name
		    : memcmp(key.p, "args", 4) == 0  ? &raw->args
						     : NULL;
	case 6:
		return memcmp(key.p, "record", 6) == 0 ? &raw->record : NULL;
	default:
		return NULL;
	}
}

/*
 * Sorts the event's members: CHROME_RECORD when all is well so far. `sound` as in chrome_convert(). Unless `whole`,
 * args and src are not made once it is known that nobody wants the event, and c->unwanted is set.
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
	iter_open(&w, text);
	while ((more = iter_key(&w, &key)) > 0) {
		place = place_of(raw, key);
		c->twice |= place && place->p;
		if (place == &raw->args && *w.p == '{' && !c->unwanted) {
			take_args(c, &w);
			continue;
		}
		if (!iter_value(&w, &value))
			return CHROME_BROKEN;
		if (place)
			*place = value;
		if ((!place || place == &raw->id2) && !c->unwanted)
			keep_in_src(c, key, value);
		if (place == &raw->record && str_eq(value, STR("null"))) /* made for viewers */
			return sound || json_check(text, &fault) ? CHROME_DROPPED : CHROME_DOUBT;
		if (!whole && !c->unwanted && says_kind(raw, place) && is_unwanted(raw, r)) {
			c->unwanted = (size_t)(w.p - text.p);
			if (!sound && !json_check(text, &fault))
				return CHROME_DOUBT;
		}
	}
	return more < 0 ? CHROME_BROKEN : CHROME_RECORD;
}

/* ts or dur: microseconds in the source, also in quotes. */
static enum num_result read_time(struct str text, int64_t *v)
{
	return num_fixed(json_is_string(text) ? json_inner(text) : text, 3, v);
}

/* A time that is none stays in src. False: beyond 64 bits. */
static bool set_time(struct chrome_event *c, struct event *e, enum event_member m, struct str text)
{
	int64_t v;
	enum num_result r;

	if (!text.p)
		return true;
	r = read_time(text, &v);
	if (r == NUM_BAD)
		keep_in_src(c, m == EVENT_TS ? STR("ts") : STR("dur"), text);
	else if (r == NUM_OK && m == EVENT_TS)
		event_set_ts(e, v);
	else if (r == NUM_OK)
		event_set_dur(e, v);
	return r != NUM_RANGE;
}

/* name and cat are texts; what is not stays in src. */
static void set_name(struct chrome_event *c, struct event *e, enum event_member m, struct str s)
{
	if (json_is_string(s))
		event_set(e, m, s);
	else if (s.p)
		keep_in_src(c, m == EVENT_NAME ? STR("name") : STR("cat"), s);
}

static void set_ids(struct chrome_event *c, struct event *e, const struct from_args *a)
{
	int64_t v;

	if (whole(a->correlation, &v) && v != 0 && !is_none(v))
		set_number(c, e, EVENT_CORR, v);
	if (c->raw.id.p)
		set_id(c, e, EVENT_ID, STR("id"), c->raw.id);
	else if (whole(a->python_id, &v))
		set_number(c, e, EVENT_ID, v);
	if (whole(a->python_parent, &v))
		set_number(c, e, EVENT_PARENT, v);
	if (whole(a->bytes, &v) && v >= 0)
		set_number(c, e, EVENT_BYTES, v);
}

/* {"ph":"i","s":"t"}: the phase when it is not X, then the others in their order. */
static void set_src(struct chrome_event *c, struct event *e)
{
	const struct chrome_raw *raw = &c->raw;
	struct str others;

	if (raw->ph.p && !json_is_string(raw->ph))
		keep_in_src(c, STR("ph"), raw->ph);
	others = (struct str){c->others.p, c->others.n};
	c->src.n = 0;
	if (json_is_string(raw->ph) && phase(raw->ph) != 'X') {
		buf_lit(&c->src, "{\"ph\":");
		buf_add(&c->src, raw->ph.p, raw->ph.n);
	} else if (others.n) {
		buf_char(&c->src, '{');
		others = str_from(others, 1);
	} else {
		return;
	}
	buf_add(&c->src, others.p, others.n);
	buf_char(&c->src, '}');
	buf_room(&c->src, SCAN_PAD); /* chrome_pair() walks it */
	event_set(e, EVENT_SRC, (struct str){c->src.p, c->src.n});
}

/* Whether args have members of the record in them. */
static bool reads_args(enum event_kind k)
{
	return event_kind_is_device(k) || k == KIND_API || k == KIND_PYTHON;
}

/* The record of the members that take_apart() found. False: a time is beyond 64 bits. */
static bool make_record(struct chrome_event *c, const struct reader *r, struct event *e)
{
	const struct chrome_raw *raw = &c->raw;
	enum event_kind k = kind_of(raw);
	struct from_args a = {0};
	bool fits;

	fits = set_time(c, e, EVENT_TS, raw->ts);
	fits &= set_time(c, e, EVENT_DUR, raw->dur);
	/* An event without a time is nothing that happened; only metadata may do without. */
	if (!event_has(e, EVENT_TS) && k != KIND_META && !raw->record.p)
		k = KIND_OTHER;
	event_set_kind(e, k);
	set_name(c, e, EVENT_NAME, raw->name);
	set_name(c, e, EVENT_CAT, raw->cat);
	if (raw->args.p && raw->args.p[0] != '{') {
		keep_in_src(c, STR("args"), raw->args);
	} else if (raw->args.p) {
		event_set(e, EVENT_ARGS, (struct str){c->args.p, c->args.n});
		c->doubt |= !read_args(c, &a);
	}
	if (!reads_args(k))
		a = (struct from_args){0};
	set_ids(c, e, &a);
	if (event_kind_is_device(k) || k == KIND_GPU_RANGE) {
		set_device(c, e, &a);
	} else {
		set_thread(c, e, EVENT_PID, STR("pid"), raw->pid);
		set_thread(c, e, EVENT_TID, STR("tid"), raw->tid);
	}
	if (k == KIND_MEMCPY)
		set_copy(e, raw->name);
	set_src(c, e);
	if (!r->args)
		e->has &= ~(1u << EVENT_ARGS | 1u << EVENT_SRC);
	return fits;
}

/* The members that ndjson2trace says beside the event, which has no place for them; null is for none. */
static void set_record(struct chrome_event *c, struct event *e)
{
	enum event_member m = EVENT_N;
	struct str key, value;
	struct iter w;

	iter_open(&w, c->raw.record);
	while (event_next(&w, &m, &key, &value) > 0) {
		if (m == EVENT_N || m == EVENT_TS || m == EVENT_DUR || m >= EVENT_ARGS)
			continue;
		if (str_eq(value, STR("null")))
			e->has &= ~(1u << m);
		else if (m != EVENT_KIND)
			event_set(e, m, value);
		c->doubt |= !is_sound_scalar(value);
	}
}

/* What becomes of an event that nobody wants. */
static enum chrome_result drop(struct chrome_event *c, bool sound)
{
	const struct chrome_raw *raw = &c->raw;
	int64_t v;

	if ((raw->ts.p && read_time(raw->ts, &v) == NUM_RANGE) || (raw->dur.p && read_time(raw->dur, &v) == NUM_RANGE))
		return CHROME_RANGE;
	/* A shape does not say how large a number in a string is. */
	if (!sound && c->unwanted && !c->twice && !raw->record.p && !json_is_string(raw->ts) && !json_is_string(raw->dur))
		chrome_seen_add(&c->seen, raw->text, c->unwanted);
	return CHROME_DROPPED;
}

enum chrome_result chrome_convert(struct chrome_event *c, const struct reader *r, struct str text, bool sound,
    struct event *e)
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
	if (!all && is_unwanted(&c->raw, r)) {
		/* Its kind may have been known at its end only. */
		return sound || c->unwanted || json_check(text, &fault) ? drop(c, sound) : CHROME_DOUBT;
	}
	/* A member that was given twice has made it wanted. */
	if (c->unwanted)
		take_apart(c, r, text, true, true);
	event_clear(e);
	fits = make_record(c, r, e);
	if (c->raw.record.p && c->raw.record.p[0] == '{')
		set_record(c, e);
	if (c->doubt && !sound)
		return CHROME_DOUBT;
	return fits ? CHROME_RECORD : CHROME_RANGE;
}
