/* Members that the reader knows become views of the text; all others are collected as text for src. */
#include "chrome_event.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "chrome_seen.h"
#include "json/check.h"
#include "json/iter.h"
#include "json/iter_inline.h"
#include "json/string.h"
#include "json/write.h"
#include "key_gaps.h"
#include "record/category.h"
#include "trace2ndjson/formats/copy_direction.h"
#include "trace2ndjson/formats/xla_details.h"

/* --- the kind of the record --- */

/* Returns the kind that ndjson2trace wrote into "record", or else the kind that follows from other members. */
static enum event_kind chrome_kind(const struct chrome_raw *raw)
{
	enum event_kind k = KIND_N;
	struct str kind;

	if (raw->m[RAW_RECORD].p && raw->m[RAW_RECORD].p[0] == '{') {
		kind = iter_find(raw->m[RAW_RECORD], STR("kind"));
		k = json_is_string(kind) ? event_kind(json_inner(kind)) : KIND_N;
	}
	return k != KIND_N ? k : category_event_kind(chrome_phase(raw), raw->m[RAW_CAT], raw->m[RAW_PID]);
}

/*
 * Returns the kind of an event whose args were read. XLA writes no categories; its args show which events are calls and
 * device work.
 */
static enum event_kind chrome_kind_by_args(const struct chrome_event *c)
{
	const enum event_kind kind = chrome_kind(&c->raw);
	const struct str *args = c->args.m;

	if (kind != KIND_RANGE || c->raw.m[RAW_CAT].p || !c->raw.m[RAW_ARGS].p || c->raw.m[RAW_ARGS].p[0] != '{')
		return kind;
	return json_is_string(args[ARG_XLA_KERNEL])        ? KIND_KERNEL
	       : json_is_string(args[ARG_XLA_COPY])        ? KIND_MEMCPY
	       : json_is_string(args[ARG_XLA_SET])         ? KIND_MEMSET
	       : json_is_string(args[ARG_XLA_CORRELATION]) ? KIND_API
							   : kind;
}

/* Whether the name, if it was read, shows that the event cannot become a selected record. */
static bool is_unwanted_name(const struct chrome_raw *raw, enum event_kind kind, const struct reader *r)
{
	const struct str name = raw->m[RAW_NAME];

	return r->begins && name_begins_decide(r->begins, kind) && json_is_string(name) && !raw->m[RAW_RECORD].p &&
	       raw->m[RAW_CAT].p && !name_begins_may_have(r->begins, kind, name);
}

/*
 * Whether the event cannot become a selected record. Returns false for every half of a pair, because an end event does
 * not show its kind. Also returns false if kind other is selected, because an event without a ts may become a record of
 * that kind.
 */
static inline bool chrome_is_unwanted(const struct chrome_raw *raw, enum event_kind kind, const struct reader *r)
{
	return (!reader_wants(r, kind) || is_unwanted_name(raw, kind, r)) && !reader_wants(r, KIND_OTHER) &&
	       !chrome_is_half(raw);
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
	json_write_squeezed(&c->others, key, value);
	c->doubt |= !is_sound_scalar(value);
}

/* Sets a member if its value is valid; any other value stays in src. */
static void set_or_keep(struct chrome_event *c, struct event *e, enum event_member m, struct str value, bool valid)
{
	if (valid)
		event_set(e, m, value);
	else if (value.p)
		keep_in_src(c, str_of(event_member_name(m)), value);
}

/* Whether the kind is known after this member: some phases determine it, others need the category. */
static bool says_kind(const struct chrome_raw *raw, enum raw_member m)
{
	return m == RAW_PH ? category_of_phase(chrome_phase(raw)) != KIND_N
			   : (m == RAW_CAT || (m == RAW_NAME && raw->m[RAW_CAT].p)) && raw->m[RAW_PH].p;
}

/* Notes where a member ends that shows that the event is not selected. */
static void set_unwanted(struct chrome_event *c, const struct reader *r, enum raw_member m, size_t end)
{
	const struct chrome_raw *raw = &c->raw;
	const enum event_kind kind = chrome_kind(raw);

	if (!chrome_is_unwanted(raw, kind, r))
		return;
	if (reader_wants(r, kind)) {
		c->named = m == RAW_NAME ? kind : KIND_N;
		end = (size_t)(raw->m[RAW_NAME].p - raw->text.p);
	}
	c->unwanted = end;
}

/* Copies args, which begins at w->p, and moves w->p to its end. */
static void copy_args(struct chrome_event *c, const struct reader *r, struct iter *w, bool sound)
{
	struct str rest = {w->p, (size_t)(w->end - w->p)};
	const bool cut = r->bare && !c->full && c->raw.m[RAW_CAT].p && !chrome_is_half(&c->raw) &&
			 r->bare >> chrome_kind(&c->raw) & 1;
	size_t n = chrome_args_copy(&c->args, &r->draft->args, rest, !sound, r->kept, cut);

	c->raw.m[RAW_ARGS] = str_head(rest, n);
	w->p += n;
}

#define MEMBER_NAME(id, name) {name, sizeof(name) - 1},
/* Returns RAW_N for a key that struct chrome_raw has no place for. */
static enum raw_member raw_member(struct str key)
{
	static const struct str keys[] = {CHROME_MEMBERS(MEMBER_NAME)};
	enum raw_member m;

	for (m = 0; m < RAW_N && !str_eq(key, keys[m]); m++)
		;
	return m;
}

/*
 * Gets the next member like iter_key(), and sets *m to it. *gap is the gap before the preceding value, or NULL if that
 * gap was not stored; the gap before the next value replaces it.
 */
static inline int next_member(
    struct chrome_event *c, struct iter *w, struct key_gap **gap, struct str *key, enum raw_member *m)
{
	struct key_gap *last = *gap;
	const char *from = w->p;
	int more;

	*gap = last ? key_gaps_find(&c->gaps, last, w->p, w->end) : NULL;
	if (*gap && (*gap)->member != KEY_GAP_END) {
		*key = (struct str){w->p + (*gap)->key, (*gap)->key_n};
		*m = (*gap)->member;
		w->p += (*gap)->n;
		w->first = false;
		return 1;
	}
	if (*gap && w->p + (*gap)->n == w->end)
		return 0;
	*gap = NULL;
	more = iter_key(w, key);
	if (more > 0)
		*m = raw_member(*key);
	if (more > 0 && last)
		*gap = key_gaps_learn(&c->gaps, last, (struct str){from, (size_t)(w->p - from)}, *key, *m);
	else if (more == 0 && last)
		key_gaps_learn(
		    &c->gaps, last, (struct str){from, (size_t)(w->p + 1 - from)}, (struct str){NULL, 0}, KEY_GAP_END);
	return more;
}

/* iter_value(), but faster for short strings and for numbers. */
static inline bool next_value(struct iter *w, struct str *value)
{
	const char *p = w->p, *q;

	if (*p == '"') {
		q = iter_string_end(p + 1, w->end);
		if (!q)
			return false;
		q++;
	} else {
		q = iter_digits_end(p);
		if (q == p || (*p == '0' && q - p > 1) || q - p > 20)
			return iter_value(w, value);
		if (*q == '.') {
			p = q + 1;
			q = iter_digits_end(p);
			if (q == p || q - p > 20)
				return iter_value(w, value);
		}
		if (q >= w->end || *q == 'e' || *q == 'E')
			return iter_value(w, value);
	}
	*value = (struct str){w->p, (size_t)(q - w->p)};
	w->p = q;
	return true;
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
	struct key_gap *gap = key_gaps_begin(&c->gaps);
	enum raw_member m;
	struct str key = {NULL, 0}, value;
	int more;

	*raw = (struct chrome_raw){.text = text};
	c->others.n = 0;
	c->unwanted = 0;
	c->named = KIND_N;
	c->doubt = c->twice = c->args.cut = false;
	iter_init(&w, text);
	while ((more = next_member(c, &w, &gap, &key, &m)) > 0) {
		c->twice |= m < RAW_N && raw->m[m].p;
		if (m == RAW_ARGS && *w.p == '{' && !c->unwanted) {
			copy_args(c, r, &w, sound);
			continue;
		}
		if (!next_value(&w, &value))
			return CHROME_DOUBT;
		if (m < RAW_N)
			raw->m[m] = value;
		if ((m == RAW_N || m == RAW_ID2) && !c->unwanted)
			keep_in_src(c, key, value);
		/* ndjson2trace added this event only for viewers: it is not a record */
		if (m == RAW_RECORD && str_eq(value, STR("null")))
			return sound || json_check(text, NULL) ? CHROME_DROPPED : CHROME_DOUBT;
		if (!whole && !c->unwanted && says_kind(raw, m)) {
			set_unwanted(c, r, m, (size_t)(w.p - text.p));
			if (c->unwanted && !sound && !json_check(text, NULL))
				return CHROME_DOUBT;
		}
	}
	/* XLA writes a comma after each event, and an empty object after the last one. */
	return more < 0 ? CHROME_DOUBT : key.p ? CHROME_RECORD : CHROME_DROPPED;
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

	set_or_keep(
	    c, e, m, s, json_is_string(s) || (s.p && (iter_digits_end(s.p) == s.p + s.n || num_int(s, &v) != NUM_BAD)));
}

/* Sets a process or thread id. "2021" becomes a number, so that all records of a thread have the same id. */
static void set_thread(
    struct chrome_event *c, const struct reader *r, struct event *e, enum event_member m, struct str s)
{
	int64_t v;

	if (json_is_string(s) && num_int(json_inner(s), &v) == NUM_OK)
		draft_int(r->draft, e, m, v);
	else
		set_id(c, e, m, s);
}

/*
 * Sets device and stream: the device is the pid; the stream is args.stream or, if that is missing, the tid ("stream 7"
 * is 7). ONNX Runtime does not know the device of a kernel, and writes the pid -1.
 */
static void set_device(struct chrome_event *c, const struct reader *r, struct event *e, const struct str *args)
{
	const struct chrome_raw *raw = &c->raw;
	struct str tid;
	int64_t v;
	bool legacy = false;

	if (read_whole(raw->m[RAW_PID], &v)) {
		if (!is_none(v))
			draft_int(r->draft, e, EVENT_DEV, v);
	} else if (raw->m[RAW_PID].p) {
		/* The old autograd profiler writes the pid "CUDA functions"; the tid is then the device. */
		legacy = true;
		keep_in_src(c, STR("pid"), raw->m[RAW_PID]);
		if (read_whole(raw->m[RAW_TID], &v))
			draft_int(r->draft, e, EVENT_DEV, v);
	}
	if (read_whole(args[ARG_STREAM], &v)) {
		if (!is_none(v))
			draft_int(r->draft, e, EVENT_STREAM, v);
		return;
	}
	if (legacy || !raw->m[RAW_TID].p)
		return;
	tid = json_is_string(raw->m[RAW_TID]) ? json_inner(raw->m[RAW_TID]) : raw->m[RAW_TID];
	if (!read_whole(raw->m[RAW_TID], &v) &&
	    (!str_starts(tid, STR("stream ")) || num_int(str_from(tid, 7), &v) != NUM_OK))
		keep_in_src(c, STR("tid"), raw->m[RAW_TID]);
	else if (!is_none(v))
		draft_int(r->draft, e, EVENT_STREAM, v);
}

/*
 * Sets the members of XLA's device work. Its processes are numbered from 1: the device is the pid - 1. The stream is
 * the tid.
 */
static void set_xla_device(struct chrome_event *c, const struct reader *r, struct event *e)
{
	const struct str *args = c->args.m, copy = copy_direction(c->raw.m[RAW_NAME]);
	struct buf *to = &r->draft->args;
	struct str details = args[ARG_XLA_KERNEL];
	size_t at;
	int64_t v;

	if (read_whole(c->raw.m[RAW_PID], &v) && v > 0)
		draft_int(r->draft, e, EVENT_DEV, v - 1);
	else if (c->raw.m[RAW_PID].p)
		keep_in_src(c, STR("pid"), c->raw.m[RAW_PID]);
	if (read_whole(c->raw.m[RAW_TID], &v))
		draft_int(r->draft, e, EVENT_STREAM, v);
	else if (c->raw.m[RAW_TID].p)
		keep_in_src(c, STR("tid"), c->raw.m[RAW_TID]);
	if (event_get_kind(e) == KIND_KERNEL) {
		at = (size_t)(details.p - to->p);
		buf_room(to, details.n + 64); /* so that the text in it does not move */
		to->n--;                      /* the closing brace */
		xla_details_grid((struct str){to->p + at, details.n}, to);
		json_write_end(to, '}');
		scan_pad(to);
		event_set(e, EVENT_ARGS, buf_str(to));
		return;
	}
	xla_details_size(args[event_get_kind(e) == KIND_MEMCPY ? ARG_XLA_COPY : ARG_XLA_SET], r->draft, e);
	if (event_get_kind(e) == KIND_MEMCPY)
		event_set(e, EVENT_COPY, copy);
}

/*
 * Reads a time of up to 15 digits, or 16 that do not begin with a 9, and up to three digits after the point; returns
 * false for any other text. The bytes after the text must be readable.
 */
static inline bool quick_time(struct str text, int64_t *v)
{
	static const int16_t ten[] = {1000, 100, 10, 1};
	const char *p = text.p, *end = p + text.n, *q = iter_digits_end(p);
	size_t decimals = 0;

	if (q == p || q - p > 15 + (*p != '9') || (*p == '0' && q - p > 1))
		return false;
	*v = iter_whole(p, q) * 1000;
	if (q < end && *q == '.') {
		p = q + 1;
		q = iter_digits_end(p);
		decimals = (size_t)(q - p);
		if (!decimals || decimals > 3)
			return false;
		*v += (int64_t)num_digits(p, decimals) * ten[decimals];
	}
	return q == end;
}

/* Reads ts or dur, a number of microseconds that may be in quotes. */
static enum num_result read_time(struct str text, int64_t *v)
{
	if (quick_time(text, v))
		return NUM_OK;
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

static void set_ids(struct chrome_event *c, const struct reader *r, struct event *e, const struct str *args)
{
	const bool xla = !c->raw.m[RAW_CAT].p && json_is_string(args[ARG_XLA_CORRELATION]);
	int64_t v;

	if (read_whole(args[xla ? ARG_XLA_CORRELATION : ARG_CORRELATION], &v) && v != 0 && !is_none(v))
		draft_int(r->draft, e, EVENT_CORR, v);
	if (c->raw.m[RAW_ID].p)
		set_id(c, e, EVENT_ID, c->raw.m[RAW_ID]);
	else if (read_whole(args[ARG_PYTHON_ID], &v))
		draft_int(r->draft, e, EVENT_ID, v);
	if (read_whole(args[ARG_PYTHON_PARENT], &v))
		draft_int(r->draft, e, EVENT_PARENT, v);
	if (read_whole(args[ARG_BYTES], &v) && v >= 0)
		draft_int(r->draft, e, EVENT_BYTES, v);
}

/* Sets src, for example {"ph":"i","s":"t"}: the phase unless it is X, followed by the other members in their order. */
static void set_src(struct chrome_event *c, struct event *e)
{
	const struct str ph = c->raw.m[RAW_PH];
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
	enum event_kind k = chrome_kind_by_args(c);
	static const struct str no_args[ARG_N];
	const struct str *args = no_args;
	bool fits;

	c->cut = false;
	fits = set_time(c, e, EVENT_TS, raw->m[RAW_TS]);
	fits &= set_time(c, e, EVENT_DUR, raw->m[RAW_DUR]);
	/* An event without a time becomes kind other, unless it is metadata or has a "record": see set_record(). */
	if (!event_has(e, EVENT_TS) && k != KIND_META && !raw->m[RAW_RECORD].p)
		k = KIND_OTHER;
	event_set_kind(e, k);
	set_or_keep(c, e, EVENT_NAME, raw->m[RAW_NAME], json_is_string(raw->m[RAW_NAME]));
	set_or_keep(c, e, EVENT_CAT, raw->m[RAW_CAT], json_is_string(raw->m[RAW_CAT]));
	if (raw->m[RAW_ARGS].p && raw->m[RAW_ARGS].p[0] != '{') {
		keep_in_src(c, STR("args"), raw->m[RAW_ARGS]);
	} else if (raw->m[RAW_ARGS].p) {
		if (!c->args.cut || r->draft->args.n > strlen("{}"))
			event_set(e, EVENT_ARGS, buf_str(&r->draft->args));
		c->doubt |= !c->args.sound;
		c->cut = c->args.cut;
		if (category_has_args(k))
			args = c->args.m;
	}
	set_ids(c, r, e, args);
	if (event_kind_is_device(k) && k != chrome_kind(raw)) {
		set_xla_device(c, r, e);
	} else if (event_kind_is_device(k) || k == KIND_GPU_RANGE) {
		set_device(c, r, e, args);
	} else {
		set_thread(c, r, e, EVENT_PID, raw->m[RAW_PID]);
		set_thread(c, r, e, EVENT_TID, raw->m[RAW_TID]);
	}
	/* "Memcpy HtoD (Pageable -> Device)", or "Memcpy M2D(...)" */
	if (k == KIND_MEMCPY && str_starts(raw->m[RAW_NAME], STR("\"Memcpy ")))
		event_set(e, EVENT_COPY, copy_direction(raw->m[RAW_NAME]));
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

	iter_init(&w, c->raw.m[RAW_RECORD]);
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
		c->cut &= m != EVENT_ARGS;
		c->doubt |= !is_sound_scalar(value);
	}
}

/* Returns the result for an event whose kind is not selected, and stores its layout. */
static enum chrome_result drop_event(struct chrome_event *c, bool sound)
{
	const struct chrome_raw *raw = &c->raw;
	int64_t v;

	if ((raw->m[RAW_TS].p && read_time(raw->m[RAW_TS], &v) == NUM_RANGE) ||
	    (raw->m[RAW_DUR].p && read_time(raw->m[RAW_DUR], &v) == NUM_RANGE))
		return CHROME_RANGE;
	/* A shape has no contents of strings, so it does not show whether a time in quotes fits in 64 bits. */
	if (!sound && c->unwanted && !c->twice && !raw->m[RAW_RECORD].p && !json_is_string(raw->m[RAW_TS]) &&
	    !json_is_string(raw->m[RAW_DUR]))
		chrome_seen_add(&c->seen, raw->text, c->unwanted, c->named);
	return CHROME_DROPPED;
}

/* Whether args was cut, although members that follow it changed the kind to one whose records have all args. */
static bool is_cut_too_much(const struct chrome_event *c, const struct reader *r)
{
	const struct str ts = c->raw.m[RAW_TS];
	int64_t v;

	if (!c->args.cut)
		return false;
	return c->raw.m[RAW_RECORD].p || !(r->bare >> chrome_kind_by_args(c) & 1) ||
	       (reader_wants(r, KIND_OTHER) && !(ts.p && read_time(ts, &v) == NUM_OK));
}

enum chrome_result chrome_convert(
    struct chrome_event *c, const struct reader *r, struct str text, bool sound, struct event *e)
{
	bool all = r->kinds == (1u << KIND_N) - 1, fits;
	enum chrome_result result;

	if (!all && !sound && chrome_seen(&c->seen, text, r->begins)) {
		c->twice = false;
		return CHROME_DROPPED;
	}
	result = take_apart(c, r, text, sound, all);
	if (result != CHROME_RECORD)
		return result;
	if (!all && chrome_is_unwanted(&c->raw, chrome_kind_by_args(c), r)) {
		/* If c->unwanted is 0, the kind became known only at the end, and the text was not checked. */
		return sound || c->unwanted || json_check(text, NULL) ? drop_event(c, sound) : CHROME_DOUBT;
	}
	/* A duplicate member changed the kind to a selected one: read the whole event again. */
	c->full = is_cut_too_much(c, r);
	if (c->unwanted || c->full)
		take_apart(c, r, text, true, true);
	c->full = false;
	event_clear(e);
	fits = make_record(c, r, e);
	if (c->raw.m[RAW_RECORD].p && c->raw.m[RAW_RECORD].p[0] == '{')
		set_record(c, r, e);
	if (c->doubt && !sound)
		return CHROME_DOUBT;
	return fits ? CHROME_RECORD : CHROME_RANGE;
}
