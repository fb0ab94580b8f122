/*
 * chrome: reads Chrome Trace Event files: those of all versions of Kineto (also for ROCm and XPU), the bare arrays of
 * the old autograd profiler, and the output of other tools. This file reads the array of events and the object around
 * it.
 */
#include "chrome_event.h"
#include "chrome_pairs.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "chrome_seen.h"
#include "json/check.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"
#include "trace2ndjson/formats/document.h"

/* The message for a bracket that closed the array or a document although more events follow. The bracket is removed. */
static const char CHROME_BETWEEN[] = "extra closing bracket between events; removed";

struct chrome {
	enum {
		START,  /* before a document */
		MEMBER, /* in the top-level object, before its next member or its closing brace */
		EVENTS, /* in the array of events */
		OPEN,   /* at the end of the input: the reader returns the begin events that have no end event */
		DONE,
	} where;
	bool document;    /* a document has begun */
	bool bare;        /* the document is an array */
	bool any_events;  /* an array of events has been opened */
	bool member_read; /* in the top-level object: a comma is expected before the next member */
	bool first;
	bool after_comma; /* a comma was read before the current event, at comma_at */
	uint64_t comma_at;
	bool cut;  /* the input is cut short, and this was reported */
	bool part; /* reads a part of the array, on a thread of its own: see struct format_parts */
	struct chrome_event event;
	struct chrome_pairs pairs;
	struct buf key, value, wrapped; /* the key and the args of a meta record, from `wrapped` */
	struct buf rank;                /* the value of r->rank */
};

/* --- finds where events begin and end in a text whose brackets are damaged --- */

/* Whether an event begins at s: an opening brace followed by a key that events have. */
static bool event_begins(struct str s)
{
	static const char *const keys[] = {"ph", "name", "cat", "pid", "tid", "ts", "args", "id", "record", NULL};
	struct str key;

	if (!str_starts(s, STR("{")))
		return false;
	s = str_trim(str_from(s, 1));
	if (!str_starts(s, STR("\"")))
		return false;
	s = str_from(s, 1);
	key = str_head(s, 8);
	key = str_head(key, str_find(key, STR("\"")));
	return str_in(key, keys) && str_starts(str_trim(str_from(s, key.n + 1)), STR(":"));
}

/* Returns the offset of the first brace at or after `at` that begins an event; s.n when no event begins. */
static size_t next_event(struct str s, size_t at)
{
	while ((at += str_find(str_from(s, at), STR("{"))) < s.n && !event_begins(str_from(s, at)))
		at++;
	return at;
}

enum { EVENT_BEGIN = 4096 }; /* this many bytes are enough to show whether an event begins */

static int event_at(void *arg, struct str s, size_t at)
{
	struct str event = str_head(str_from(s, at), EVENT_BEGIN);

	(void)arg;
	event = str_head(event, str_find(event, STR("}")));
	return event_begins(str_from(s, at)) && str_find(event, STR("\"ph\"")) < event.n;
}

/* Skips damaged text after the array, up to the next event that has a phase; false at the end of the file. */
static bool find_event(struct reader *r)
{
	return document_skip_to_object(r->src, 0, EVENT_BEGIN, event_at, NULL);
}

/* Repairs *text unless it is valid JSON. False when it cannot be repaired. */
static bool make_sound(struct reader *r, struct str *text, uint64_t offset)
{
	return json_check(*text, NULL) || reader_repair(r, text, 0, offset);
}

/* --- the text around the array of events --- */

/* Makes *b {"value":...}; write() appends the member. */
static struct str wrap(struct buf *b, struct str value, void (*write)(struct buf *b, const char *key, struct str value))
{
	b->n = 0;
	json_write_begin(b, NULL, '{');
	write(b, "value", value);
	json_write_end(b, '}');
	scan_pad(b);
	return buf_str(b);
}

/* Converts a top-level member's value to args: an object unchanged, any other value as {"value":...}. */
static bool make_args(struct chrome *c, struct reader *r, struct str text, uint64_t offset)
{
	struct str args;

	text = str_trim(text);
	args = text.n && text.p[0] == '{' ? text : wrap(&c->wrapped, text, json_write_json);
	if (!make_sound(r, &args, offset)) {
		/* libkineto prints some values without quotes: their text is the value. */
		if (!text.n || text.p[0] == '{' || text.p[0] == '[' || text.p[0] == '"')
			return false;
		args = wrap(&c->wrapped, text, json_write_text);
		reader_repaired_as(r, "metadata value without quotes; read as text", 0, offset);
	}
	args = reader_names(r, args);
	c->value.n = 0;
	c->value.n = scan_squeeze(buf_room(&c->value, args.n + 64), args).n;
	return true;
}

/* Sets c->key to the key of a top-level member, with its quotes. */
static void read_key(struct chrome *c, struct reader *r, struct str key)
{
	c->key.n = 0;
	if (json_check(key, NULL)) {
		c->value.n = 0;
		json_unescape(&c->value, json_inner(key));
		json_quote(&c->key, buf_str(&c->value));
	} else {
		json_quote(&c->key, str_head(str_from(key, 1), key.n - 2));
		reader_repaired_as(r, "metadata key is not valid JSON; repaired", 0, r->src->offset);
	}
}

static void open_events(struct chrome *c, struct reader *r)
{
	lines_begin(&r->lines, r->src, SCAN_VALUES, r->max_record);
	c->first = true;
	c->after_comma = false;
	c->any_events = c->member_read = true;
	c->where = EVENTS;
}

/*
 * Reports that the input ends before the trace is complete, and sets c->cut. If reading failed, for example because
 * compressed data is cut short, only that failure is reported.
 */
static void tell_cut(struct chrome *c, struct reader *r, const char *what, uint64_t offset)
{
	c->cut = true;
	if (!r->src->fault.what)
		reader_cut(r, what, 0, offset);
}

static void resume_object(struct chrome *c, struct reader *r, bool cut)
{
	uint64_t offset = r->src->offset;
	bool again = c->any_events && find_event(r),
	     found = again || (!c->any_events && document_find(r->src, STR("\"traceEvents\"")));

	if (cut && !found)
		tell_cut(c, r, "file is cut short: the top-level object is not closed", offset);
	else
		reader_lost(r, "metadata is not valid JSON or is larger than --max-record; skipped", 0, offset);
	c->member_read = false; /* it is not known whether a comma must come next */
	if (again)
		open_events(c, r);
	else if (!found)
		c->where = OPEN;
}

/* After the array: if another event follows, the closing bracket was an error, and the array continues. */
static bool array_goes_on(struct chrome *c, struct reader *r)
{
	enum { ENOUGH = 64 };

	if (document_peek(r) != '{' || !c->any_events)
		return false;
	while (r->src->n < ENOUGH && source_more(r->src) > 0)
		;
	if (!event_begins((struct str){r->src->p, r->src->n}))
		return false;
	reader_repaired_as(r, CHROME_BETWEEN, 0, r->src->offset);
	open_events(c, r);
	return true;
}

/*
 * Reads the comma before the next member of the top-level object, or before its end. Repairs missing and extra commas,
 * and removes extra closing brackets.
 */
static void read_commas(struct chrome *c, struct reader *r)
{
	const size_t expected = c->member_read ? 1 : 0;
	size_t commas = 0;

	for (;;) {
		if (document_take(r, ',')) {
			commas++;
		} else if (document_take(r, ']')) {
			reader_repaired_as(r, "extra closing bracket; removed", 0, r->src->offset);
		} else {
			break;
		}
	}
	if (document_peek(r) == '}' && commas)
		reader_repaired(r, 1u << REPAIR_COMMA, 0, r->src->offset);
	else if (commas > expected)
		reader_repaired_as(r, "extra comma between members; removed", 0, r->src->offset);
	else if (commas < expected && document_peek(r) == '"')
		reader_repaired_as(r, "missing comma between members; added", 0, r->src->offset);
	c->member_read = false;
}

/*
 * Reads the value of a top-level member, whose key and colon have been read, to c->value; returns false, and resumes
 * reading after it, when it is damaged.
 */
static bool read_value(struct chrome *c, struct reader *r)
{
	const int next = document_peek(r);
	const uint64_t offset = r->src->offset;
	struct str value = STR("null");
	bool cut = false;
	size_t n = 0;

	if (next == ',' || next == '}') {
		reader_repaired(r, 1u << REPAIR_EMPTY, 0, offset);
	} else {
		n = document_value(r, &cut);
		value = (struct str){r->src->p, n};
	}
	if (value.n && make_args(c, r, value, offset)) {
		source_skip(r->src, n);
		return true;
	}
	if (n)
		source_skip(r->src, 1);
	resume_object(c, r, cut);
	return false;
}

/* Reads one member of the top-level object. Returns 1 when *e is its meta record, 0 when the caller should continue. */
static int read_member(struct chrome *c, struct reader *r, struct event *e)
{
	struct str rank;
	int64_t v;
	size_t n;
	bool cut;

	read_commas(c, r);
	if (document_take(r, '}')) {
		c->where = START;
		return 0;
	}
	if (array_goes_on(c, r))
		return 0;
	n = document_value(r, &cut);
	if (!n || r->src->p[0] != '"') {
		/* A key larger than --max-record: its opening quote is skipped, so that a search does not find it. */
		if (!n && !cut && document_peek(r) == '"')
			source_skip(r->src, 1);
		resume_object(c, r, cut);
		return 0;
	}
	read_key(c, r, (struct str){r->src->p, n});
	source_skip(r->src, n);
	if (!document_take(r, ':')) {
		resume_object(c, r, document_peek(r) < 0);
		return 0;
	}
	c->member_read = true;
	if (str_eq(buf_str(&c->key), STR("\"traceEvents\"")) && document_take(r, '[')) {
		open_events(c, r);
		return 0;
	}
	if (!read_value(c, r))
		return 0;
	/* distributedInfo has the rank, which is the number of this process in the job. */
	if (str_eq(buf_str(&c->key), STR("\"distributedInfo\""))) {
		rank = iter_find(buf_str(&c->value), STR("rank"));
		c->rank.n = 0;
		buf_add(&c->rank, rank.p, rank.n);
		r->rank = num_int(rank, &v) == NUM_OK ? buf_str(&c->rank) : (struct str){NULL, 0};
	}
	event_clear(e);
	event_set_kind(e, KIND_META);
	event_set(e, EVENT_NAME, buf_str(&c->key));
	if (r->args)
		event_set(e, EVENT_ARGS, buf_str(&c->value));
	return reader_wants(r, KIND_META);
}

/*
 * Called between documents: begins the next one (files are sometimes concatenated), or repairs the text before it. Sets
 * c->where to the next state, which is OPEN when no document and no event follows.
 */
static void start_document(struct chrome *c, struct reader *r)
{
	int next = document_peek(r);

	if (c->bare && next == ',') {
		source_skip(r->src, 1);
		next = document_peek(r);
	}
	if (c->bare && array_goes_on(c, r)) {
		/* the array continues: nothing to do */
	} else if (c->any_events && (document_take(r, '}') || document_take(r, ']'))) {
		reader_repaired_as(r, "extra closing bracket; removed", 0, r->src->offset);
	} else if (document_take(r, '{')) {
		c->where = MEMBER;
		c->document = true;
		c->bare = c->member_read = false;
	} else if (document_take(r, '[')) {
		c->document = c->bare = true;
		open_events(c, r);
	} else {
		if (next < 0 && !c->document)
			reader_lost(r, "file contains only NUL bytes", 0, r->src->offset);
		if (next >= 0)
			reader_lost(r, "text after the end of the trace; skipped", 0, r->src->offset);
		c->where = OPEN;
		c->bare = true;
		if (next >= 0 && c->any_events && find_event(r))
			open_events(c, r);
	}
}

/*
 * Continues reading at `offset`. The caller sets `event` when an event begins at `offset` and the comma before the
 * event has been read.
 */
static void restart_lines(struct chrome *c, struct reader *r, uint64_t offset, bool event)
{
	lines_restart(&r->lines, offset);
	c->first = event;
}

/*
 * Searches a text that should be one event for a second event. Returns the offset of the second event if it is valid
 * and fills the rest of the text. In that case the end of the first event is missing, and the two must not be repaired
 * into one. Returns s.n when there is no second event, or when the search would take more than linear time because too
 * many braces look like the beginning of an event.
 */
static size_t second_event(struct str s)
{
	size_t left = 64 * s.n + 4096, at; /* left: the number of bytes that json_check() may still read */
	struct fault fault;

	for (at = next_event(s, 1); at < s.n && !json_check(str_from(s, at), &fault); at = next_event(s, at + 1)) {
		if (fault.at.byte >= left)
			return s.n;
		left -= fault.at.byte;
	}
	return at;
}

/* --- the array of events --- */

/*
 * Returns the offset at which the first event of the text s ends. The event ends after the first closing brace that is
 * followed by a comma or white space and by the beginning of another event. Returns s.n when there is no such brace.
 */
static size_t event_boundary(struct str s)
{
	size_t at, next;

	for (at = str_find(s, STR("}")); at < s.n; at += 1 + str_find(str_from(s, at + 1), STR("}"))) {
		for (next = at + 1; next < s.n && (is_json_space(s.p[next]) || s.p[next] == ','); next++)
			;
		if (next > at + 1 && event_begins(str_from(s, next)))
			return at + 1;
	}
	return s.n;
}

/*
 * Whether the first part of an event, which json_check() has refused, shows that the event is damaged. Errors at the
 * end of the text show only that the event continues. The members of an event may contain objects that look like events
 * without a phase; so if an error has to follow from the text after the first boundary, this must begin with a phase.
 */
static bool is_damaged(struct str text, const struct fault *fault)
{
	enum { LAST = 16 }; /* longer than an escape, a character or a word */
	const size_t boundary = event_boundary(text);
	struct str next;

	if (fault->at.byte + LAST < text.n)
		return true;
	next = str_from(text, boundary + str_find(str_from(text, boundary), STR("{")));
	next = str_head(next, scan_skip(next));
	return iter_find(next, STR("ph")).p;
}

/*
 * Handles a text that begins with an event and is not known to be valid. Repairs it, or finds where the event ends and
 * the next one begins, and continues there. Returns true when *text is a valid event; false when more input is needed,
 * or when the event is lost; lost events are counted.
 */
static bool separate_event(struct chrome *c, struct reader *r, const struct line *line, struct str *text)
{
	uint64_t offset = line->offset + (uint64_t)(text->p - line->text.p);
	struct fault fault;
	struct str next;
	size_t n, boundary;
	bool two, sound;

	if (json_check(*text, &fault))
		return !line->partial;
	if (!line->partial && second_event(*text) == text->n && make_sound(r, text, offset))
		return true;
	if (line->partial && !is_damaged(*text, &fault))
		return false;
	boundary = event_boundary(*text);
	n = second_event(str_head(*text, boundary));
	two = n < boundary;
	if (n == text->n) {
		/* A partial event is not lost yet: it may be valid once all of it has been read. */
		if (line->cut)
			tell_cut(c, r, "file is cut short: the last event is incomplete", offset);
		else if (!line->partial)
			reader_lost(r, "not a valid event; skipped", 0, offset);
		return false;
	}
	*text = str_head(*text, n);
	sound = make_sound(r, text, offset);
	if (!sound && line->partial) {
		/* The offset found is the real end of the event only if the next event is valid. */
		next = str_from(line->text, (size_t)(offset - line->offset) + n);
		next = str_from(next, str_find(next, STR("{")));
		next = str_head(next, event_boundary(next));
		if (!json_check(next, NULL))
			return false;
	}
	if (!sound)
		reader_lost(r, "not a valid event; skipped", 0, offset);
	restart_lines(c, r, offset + n, two);
	return sound;
}

/*
 * Converts the text of an event. If `sound` is set, the text is valid JSON; otherwise it is only clean (see struct
 * scan_unit). Returns 1 when *e is a selected record, and 0 when the event gives no record. Returns -1 when the text
 * cannot be converted as it is: a text that is only clean must then be checked and, if possible, repaired.
 */
static int convert_event(
    struct chrome *c, struct reader *r, struct str text, bool sound, uint64_t offset, struct event *e)
{
	const enum chrome_result result = chrome_convert(&c->event, r, text, sound, e);
	int pair;

	if (result == CHROME_DOUBT)
		return -1;
	if (result == CHROME_RANGE)
		reader_lost(r, "ts or dur does not fit in 64 bits; event skipped", 0, offset);
	else if (c->event.twice)
		reader_repaired(r, 1u << REPAIR_DUPLICATE, 0, offset);
	if (result != CHROME_RECORD)
		return 0;
	if (!chrome_is_half(&c->event.raw)) {
		r->cut = c->event.cut;
		return 1;
	}
	if (c->part)
		return FORMAT_ORDERED;
	pair = chrome_pair(&c->pairs, &c->event.raw, offset, e);
	if (pair < 0) {
		reader_note(r, "end of a range without a begin; written as kind other", 0, offset);
		event_set_kind(e, KIND_OTHER);
	}
	return pair != 0;
}

/* Skips white space and one comma, which precede an event or the end of the array. Returns the text after them. */
static struct str trim_separator(struct chrome *c, struct reader *r, const struct line *line)
{
	struct str s = line->text;
	unsigned commas = 0;

	for (; s.n && (s.p[0] == ',' || is_json_space(s.p[0]) || !s.p[0]); s = str_from(s, 1)) {
		if (s.p[0] == ',' && !commas++)
			c->comma_at = line->offset + (uint64_t)(s.p - line->text.p);
		if (!s.p[0])
			reader_repaired(r, 1u << REPAIR_NUL, 0, line->offset);
	}
	if (s.n && s.p[0] == '{' && commas != !c->first)
		reader_repaired_as(r,
		    commas ? "extra comma between events; removed" : "missing comma between events; added", 0,
		    line->offset);
	c->after_comma = commas > 0;
	return s;
}

/* Handles the end of the array. `closed` is set when its closing bracket was read; otherwise the input has ended. */
static void end_events(struct chrome *c, struct reader *r, bool closed)
{
	if (c->after_comma && (closed || c->bare) && !c->cut)
		reader_repaired(r, 1u << REPAIR_COMMA, 0, c->comma_at);
	if (!closed && !c->bare && !c->cut)
		tell_cut(c, r, "file is cut short: the array of events is not closed", r->src->offset + r->src->n);
	lines_end(&r->lines);
	c->where = !closed ? OPEN : c->bare ? START : MEMBER;
}

/* Whether the text has an opening bracket outside of strings. */
static bool has_opening(struct str s)
{
	size_t i;

	for (i = 0; i < s.n && s.p[i] != '{' && s.p[i] != '['; i++) {
		if (s.p[i] == '"')
			i += 1 + scan_quote(str_from(s, i + 1));
	}
	return i < s.n;
}

static int read_event(struct chrome *c, struct reader *r, struct event *e)
{
	struct line line;
	struct str text;
	uint64_t offset;
	size_t begin;
	int made;

	if (lines_next(&r->lines, &line) <= 0) {
		if (!c->part)
			end_events(c, r, false);
		return c->part ? -1 : 0;
	}
	if (c->part && (line.partial || r->lines.over))
		return -1;
	text = trim_separator(c, r, &line);
	r->offset = offset = line.offset + (uint64_t)(text.p - line.text.p);
	if (c->part && text.n && text.p[0] == ']')
		return -1;
	if (text.n && text.p[0] == ']') {
		end_events(c, r, true);
		return 0;
	}
	if (!text.n) /* the input ended after an event or a comma */
		return 0;
	if (text.p[0] == '}') {
		reader_repaired_as(r, CHROME_BETWEEN, 0, offset);
		restart_lines(c, r, offset + 1, c->first || c->after_comma);
		return 0;
	}
	if (text.p[0] != '{') {
		begin = next_event(text, 0);
		if (begin < text.n || !line.partial)
			reader_lost(r, "not a valid event; skipped", 0, offset);
		if (begin < text.n)
			restart_lines(c, r, offset + begin, true);
		else if (!line.partial && !line.cut && !has_opening(text)) /* the bracket at its end closes the array */
			restart_lines(c, r, offset + text.n - (text.p[text.n - 1] == ']'), false);
		return 0;
	}
	if (!line.partial)
		c->first = c->after_comma = false;
	if (line.clean) {
		made = convert_event(c, r, text, false, offset, e);
		if (made >= 0)
			return made;
	}
	if (!separate_event(c, r, &line, &text))
		return 0;
	text = reader_names(r, text);
	made = convert_event(c, r, text, true, offset, e);
	if (made < 0)
		reader_lost(r, "not a valid event; skipped", 0, offset);
	return made < 0 ? 0 : made;
}

/* Reads one event or member. Returns 1 when *e is its record, 0 when it has none, -1 at the end; see FORMAT_ORDERED. */
static int step(void *state, struct reader *r, struct event *e)
{
	struct chrome *c = state;
	uint64_t offset;
	int made = 0;

	r->cut = false;
	r->offset = 0;
	switch (c->where) {
	case START:
		start_document(c, r);
		return 0;
	case MEMBER:
		return read_member(c, r, e);
	case EVENTS:
		return read_event(c, r, e);
	case OPEN:
		made = chrome_unpaired(&c->pairs, e, &offset);
		if (made)
			reader_note(r, "range without an end; written without dur", 0, offset);
		else
			c->where = DONE;
		return made;
	case DONE:
		break;
	}
	return -1;
}

static int next(void *state, struct reader *r, struct event *e)
{
	int made;

	while (!(made = step(state, r, e)))
		;
	return made > 0;
}

/* --- reading the array in parts: see struct format_parts --- */

/*
 * Returns the last offset at which an event ends, and a comma and a whole event follow. In JSON, a brace in front of a
 * key of an event is not in a string. An object in the args of an event rarely has a phase.
 */
static size_t cut(struct str text)
{
	enum { ENOUGH = 16 * 1024 };
	size_t at = text.n;
	struct str next;

	for (; (at = str_after_last(str_head(text, at), '}')); at--) {
		next = str_trim(str_head(str_from(text, at), ENOUGH));
		if (!str_starts(next, STR(",")))
			continue;
		next = str_trim(str_from(next, 1));
		if (event_begins(next) && iter_find(str_head(next, scan_skip(next)), STR("ph")).p)
			break;
	}
	return at;
}

static bool find_place(const void *state, const struct reader *r, uint64_t *offset)
{
	const struct chrome *c = state;

	*offset = r->src->offset + r->lines.start;
	return c->where == EVENTS && !c->first;
}

static void open_part(void *state, struct reader *r)
{
	struct chrome *c = state;

	open_events(c, r);
	r->lines.whole = c->part = true;
	c->first = false;
}

static const struct format_parts parts = {cut, step, find_place, open_part};

/* --- the format --- */

/*
 * Whether the quoted text occurs as a key, with a colon after it. A file of another format may contain it as a value.
 */
static bool has_key(struct str s, struct str key)
{
	while (s.n) {
		s = str_from(s, str_find(s, key));
		s = str_from(s, key.n);
		if (str_starts(str_trim(s), STR(":")))
			return true;
	}
	return false;
}

/* Looks for the top-level keys that real files have before their events, and for the keys of an event. */
static bool is_chrome_trace(struct str head)
{
	static const char *const keys[] = {"\"traceEvents\"", "\"schemaVersion\"", "\"deviceProperties\"",
	    "\"displayTimeUnit\"", "\"distributedInfo\"", "\"otherData\"", "\"baseTimeNanoseconds\""};
	enum { ENOUGH = 4096 };
	struct str s;
	size_t i;

	s = str_trim(head);
	if (s.n && s.p[0] == '[') {
		s = str_trim(str_from(s, 1));
		if (!s.n || s.p[0] != '{')
			return s.n && s.p[0] == ']';
		/* If an event has no phase, its first members may also be those of a record: see ndjson.c. */
		return str_find(s, STR("\"ph\"")) < s.n || (event_begins(s) && (scan_skip(s) || s.n > ENOUGH));
	}
	if (!s.n || s.p[0] != '{')
		return false;
	for (i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (has_key(s, str_of(keys[i])))
			return true;
	}
	return false;
}

static void close_chrome(void *state, struct reader *r)
{
	struct chrome *c = state;

	(void)r;
	chrome_pairs_free(&c->pairs);
	chrome_seen_free(&c->event.seen);
	bufs_free(&c->event.others, &c->event.src, &c->key, &c->value, &c->wrapped, &c->rank);
}

const struct format format_chrome = {
    .name = "chrome",
    .help = "Chrome Trace Event JSON: PyTorch (Kineto, autograd), JAX, ONNX Runtime, Triton Proton, VizTracer, tlparse",
    .example = "trace2ndjson run.pt.trace.json.gz",
    .probe = is_chrome_trace,
    .state_size = sizeof(struct chrome),
    .next = next,
    .close = close_chrome,
    .over = "event larger than --max-record; skipped",
    .parts = &parts,
};
