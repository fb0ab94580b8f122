/*
 * Chrome Trace Event files: Kineto of every vintage, ROCm, XPU, the autograd profiler's bare arrays, and
 * what other tools write. This file reads the document round the events: an object with "traceEvents"
 * anywhere in it, or an array.
 */
#include "chrome.h"

#include "trace2ndjson/formats/document.h"
#include "json/json.h"
#include "json/scan.h"
#include "json/iter.h"

static const char BETWEEN[] = "closing bracket between events";

struct chrome {
	enum {
		START,  /* before a document */
		MEMBER, /* in the top-level object, before a member or its end */
		EVENTS, /* in the array of events */
		OPEN,   /* at the end: begins without their ends */
		DONE,
	} where;
	bool document;   /* one began */
	bool bare;       /* the document is an array */
	bool any_events; /* an array of events was opened */
	bool member_read; /* of the top-level object: a comma is due before the next one */
	bool first;
	bool after_comma; /* and where that was */
	uint64_t comma_at;
	bool cut;        /* the input is cut short, and that was told */
	struct lines units;
	struct chrome_event event;
	struct chrome_pairs *pairs;
	struct buf key, value, mend; /* of metadata; a mended text */
	struct buf rank;
};

/* --- the document --- */

/* The text of a top-level member's value as args: an object as it is, all else as {"value":...}. */
static bool make_args(struct chrome *c, struct reader *r, struct str text, uint64_t offset)
{
	struct str wrapped;
	struct fault fault;
	uint32_t mended;

	text = str_trim(text);
	c->mend.n = 0;
	if (text.n && text.p[0] != '{') {
		buf_lit(&c->mend, "{\"value\":");
		buf_add(&c->mend, text.p, text.n);
		buf_char(&c->mend, '}');
	} else {
		buf_add(&c->mend, text.p, text.n);
	}
	memset(buf_room(&c->mend, SCAN_PAD), 0, SCAN_PAD);
	wrapped = (struct str){c->mend.p, c->mend.n};
	if (!json_check(wrapped, &fault)) {
		struct buf whole = {0};

		if (!repair_object(wrapped, &whole, &mended)) {
			buf_free(&whole);
			/* libkineto prints some values without quotes: their text is what was meant. */
			if (!text.n || text.p[0] == '{' || text.p[0] == '[' || text.p[0] == '"')
				return false;
			buf_lit(&whole, "{\"value\":");
			json_quote(&whole, text);
			buf_char(&whole, '}');
			mended = 0;
			reader_repaired_as(r, "metadata value without quotes, taken as text", 0, offset);
		}
		reader_repaired(r, mended, 0, offset);
		buf_free(&c->mend);
		c->mend = whole;
		memset(buf_room(&c->mend, SCAN_PAD), 0, SCAN_PAD);
		wrapped = (struct str){c->mend.p, c->mend.n};
	}
	wrapped = reader_names(r, wrapped);
	c->value.n = 0;
	buf_room(&c->value, wrapped.n + 64);
	c->value.n = scan_squeeze(c->value.p, wrapped).n;
	return true;
}

/* The key of a top-level member, with its quotes, as c->key. */
static void take_key(struct chrome *c, struct reader *r, struct str key)
{
	struct fault fault;

	c->key.n = 0;
	if (json_check(key, &fault)) {
		c->value.n = 0;
		json_unescape(&c->value, json_inner(key));
		json_quote(&c->key, (struct str){c->value.p, c->value.n});
	} else {
		json_quote(&c->key, str_head(str_from(key, 1), key.n - 2));
		reader_repaired_as(r, "metadata key that is not JSON, repaired", 0, r->src->offset);
	}
}

/* distributedInfo says which process of a job this is. */
static void take_rank(struct chrome *c, struct reader *r)
{
	struct str rank = iter_find((struct str){c->value.p, c->value.n}, STR("rank"));
	int64_t v;

	if (!rank.p || num_int(rank, &v) != NUM_OK)
		return;
	c->rank.n = 0;
	buf_add(&c->rank, rank.p, rank.n);
	r->rank = (struct str){c->rank.p, c->rank.n};
}

/* The input ended where it should not. Of compressed data that is cut there is a message already. */
static void tell_cut(struct chrome *c, struct reader *r, const char *what, uint64_t offset)
{
	c->cut = true;
	if (!r->src->fault.what)
		reader_lost(r, what, 0, offset);
}

static void open_events(struct chrome *c, struct reader *r)
{
	lines_open(&c->units, r->src, SCAN_VALUES, r->max_record);
	c->first = true;
	c->after_comma = false;
	c->any_events = c->member_read = true;
	c->where = EVENTS;
}

static void lost_in_object(struct chrome *c, struct reader *r, bool cut)
{
	uint64_t offset = r->src->offset;
	bool again = c->any_events && chrome_find_event(r), found = again || (!c->any_events && chrome_find_array(r));

	if (cut && !found)
		tell_cut(c, r, "file is cut short here: the top-level object is not closed", offset);
	else
		reader_lost(r, "metadata that is not JSON, or over --max-record, skipped", 0, offset);
	c->member_read = false; /* whether a comma is due is not known */
	if (again)
		open_events(c, r);
	else if (!found)
		c->where = OPEN;
}

/* Behind the array's bracket: another event shows that it was none, and the array goes on. */
static bool goes_on(struct chrome *c, struct reader *r)
{
	enum { ENOUGH = 64 };

	if (document_peek(r) != '{' || !c->any_events)
		return false;
	while (r->src->n < ENOUGH && source_more(r->src) > 0)
		;
	if (!chrome_event_begins((struct str){r->src->p, r->src->n}))
		return false;
	diagnostics_add(r->tally, DIAGNOSTICS_REPAIRED, BETWEEN, (struct place){r->file, 0, r->src->offset});
	open_events(c, r);
	return true;
}

static void tell_repaired(struct reader *r, const char *what)
{
	diagnostics_add(r->tally, DIAGNOSTICS_REPAIRED, what, (struct place){r->file, 0, r->src->offset});
}

/* What is before a member of the top-level object or its end: one comma between members. */
static void take_commas(struct chrome *c, struct reader *r)
{
	size_t commas = 0;

	for (;;) {
		if (document_take(r, ',')) {
			commas++;
		} else if (document_take(r, ']')) {
			tell_repaired(r, "closing bracket too many");
		} else {
			break;
		}
	}
	if (document_peek(r) == '}' && commas)
		reader_repaired(r, 1u << REPAIR_COMMA, 0, r->src->offset);
	else if (commas > c->member_read)
		tell_repaired(r, "comma too many between members");
	else if (commas < c->member_read && document_peek(r) == '"')
		tell_repaired(r, "no comma between members");
	c->member_read = false;
}

/* One member of the top-level object: 1 when *e is its meta record, 0 to go on. */
static int read_member(struct chrome *c, struct reader *r, struct event *e)
{
	uint64_t offset;
	struct str value;
	size_t n;
	bool cut;
	int next;

	take_commas(c, r);
	if (document_take(r, '}')) {
		c->where = START;
		return 0;
	}
	if (goes_on(c, r))
		return 0;
	n = document_value(r, &cut);
	if (!n || r->src->p[0] != '"') {
		/* A key over the limit: the search that follows must not find it again. */
		if (!n && !cut && document_peek(r) == '"')
			source_skip(r->src, 1);
		lost_in_object(c, r, cut);
		return 0;
	}
	take_key(c, r, (struct str){r->src->p, n});
	source_skip(r->src, n);
	if (!document_take(r, ':')) {
		lost_in_object(c, r, document_peek(r) < 0);
		return 0;
	}
	next = document_peek(r);
	c->member_read = true;
	if (str_eq((struct str){c->key.p, c->key.n}, STR("\"traceEvents\"")) && document_take(r, '[')) {
		open_events(c, r);
		return 0;
	}
	offset = r->src->offset;
	if (next == ',' || next == '}') {
		reader_repaired(r, 1u << REPAIR_EMPTY, 0, offset);
		value = STR("null");
		n = 0;
		cut = false;
	} else {
		n = document_value(r, &cut);
		value = (struct str){r->src->p, n};
	}
	if (!value.n || !make_args(c, r, value, offset)) {
		if (n)
			source_skip(r->src, 1);
		lost_in_object(c, r, cut);
		return 0;
	}
	source_skip(r->src, n);
	if (str_eq((struct str){c->key.p, c->key.n}, STR("\"distributedInfo\"")))
		take_rank(c, r);
	event_clear(e);
	event_set_kind(e, KIND_META);
	event_set(e, EVENT_NAME, (struct str){c->key.p, c->key.n});
	if (r->args)
		event_set(e, EVENT_ARGS, (struct str){c->value.p, c->value.n});
	return reader_wants(r, KIND_META);
}

/* Between documents: the next one (files are sometimes concatenated), or the end. */
static void start(struct chrome *c, struct reader *r)
{
	int next = document_peek(r);

	if (c->bare && next == ',') {
		source_skip(r->src, 1);
		next = document_peek(r);
	}
	if (c->bare && goes_on(c, r)) {
		/* nothing more to do */
	} else if (c->any_events && (document_take(r, '}') || document_take(r, ']'))) {
		tell_repaired(r, "closing bracket too many");
	} else if (document_take(r, '{')) {
		c->where = MEMBER;
		c->document = true;
		c->bare = c->member_read = false;
	} else if (document_take(r, '[')) {
		c->document = c->bare = true;
		open_events(c, r);
	} else {
		if (next < 0 && !c->document)
			reader_lost(r, "nothing but NUL bytes", 0, r->src->offset);
		if (next >= 0)
			reader_lost(r, "text behind the end of the trace, skipped", 0, r->src->offset);
		c->where = OPEN;
		c->bare = true;
		if (next >= 0 && c->any_events && chrome_find_event(r))
			open_events(c, r);
	}
}

/* --- the array of events --- */

/* The event as valid JSON: as it is or mended; false when it cannot be. */
static bool make_sound(struct chrome *c, struct reader *r, struct str *text, uint64_t offset)
{
	struct fault fault;
	uint32_t mended;

	if (json_check(*text, &fault))
		return true;
	if (!repair_object(*text, &c->mend, &mended))
		return false;
	memset(buf_room(&c->mend, SCAN_PAD), 0, SCAN_PAD);
	*text = (struct str){c->mend.p, c->mend.n};
	reader_repaired(r, mended, 0, offset);
	return true;
}

/* Goes on at an offset; `event` says that an event begins there, and its comma lies before it. */
static void restart(struct chrome *c, uint64_t offset, bool event)
{
	lines_restart(&c->units, offset);
	c->first = event;
}

/*
 * A text that begins with an event and is not sound as it is. Mends it, or finds where the event ends
 * and the next one begins, and goes on there. 1 when *text is a sound event; 0 when it was lost, and
 * counted, or must wait for more.
 */
static int settle(struct chrome *c, struct reader *r, const struct line *unit, struct str *text)
{
	uint64_t offset = unit->offset + (uint64_t)(text->p - unit->text.p);
	struct fault fault;
	size_t n, second;
	bool two;

	if (!unit->partial && (json_check(*text, &fault) ||
				  (chrome_second_event(*text) == text->n && make_sound(c, r, text, offset))))
		return 1;
	n = chrome_event_boundary(*text);
	second = chrome_second_event(str_head(*text, n));
	two = second < n;
	n = two ? second : n;
	if (n == text->n) {
		/* A partial one may still end well. */
		if (unit->cut)
			tell_cut(c, r, "file is cut short here, inside an event", offset);
		else if (!unit->partial)
			reader_lost(r, "not an event, skipped", 0, offset);
		return 0;
	}
	*text = str_head(*text, n);
	if (make_sound(c, r, text, offset)) {
		restart(c, offset + n, two);
		return 1;
	}
	if (unit->partial) {
		/* Only when the next one is sound was this the end of an event and not the inside of one. */
		struct str rest = str_from(unit->text, (size_t)(offset - unit->offset) + n), next;

		next = str_from(rest, str_find(rest, STR("{")));
		next = str_head(next, chrome_event_boundary(next));
		if (!json_check(next, &fault))
			return 0;
	}
	reader_lost(r, "not an event, skipped", 0, offset);
	restart(c, offset + n, two);
	return 0;
}

/* A sound or clean event's text as a record: 1 when *e is one that is wanted. */
static int convert(struct chrome *c, struct reader *r, struct str text, bool sound, uint64_t offset, struct event *e)
{
	enum chrome_result result = chrome_convert(&c->event, r, text, sound, e);

	switch (result) {
	case CHROME_RECORD:
	case CHROME_DROPPED:
		if (c->event.twice)
			reader_repaired(r, 1u << REPAIR_DUPLICATE, 0, offset);
		break;
	case CHROME_RANGE:
		reader_lost(r, "ts or dur is beyond 64 bits, event skipped", 0, offset);
		return 0;
	case CHROME_DOUBT:
	case CHROME_BROKEN:
		return -1;
	}
	if (result == CHROME_DROPPED)
		return 0;
	if (!chrome_is_half(&c->event.raw))
		return 1;
	switch (chrome_pair(&c->pairs, &c->event.raw, offset, e)) {
	case 0:
		return 0;
	case 1:
		return 1;
	default:
		reader_note(r, "end of a range that never began", 0, offset);
		event_set_kind(e, KIND_OTHER);
		return 1;
	}
}

/* What stands before an event or the end of the array: white space and one comma. */
static struct str trim_separator(struct chrome *c, struct reader *r, const struct line *unit)
{
	struct str s = unit->text;
	unsigned commas = 0;

	for (; s.n && (s.p[0] == ',' || document_is_space(s.p[0]) || !s.p[0]); s = str_from(s, 1)) {
		if (s.p[0] == ',' && !commas++)
			c->comma_at = unit->offset + (uint64_t)(s.p - unit->text.p);
		if (!s.p[0])
			reader_repaired(r, 1u << REPAIR_NUL, 0, unit->offset);
	}
	if (s.n && s.p[0] == '{' && commas != !c->first)
		diagnostics_add(r->tally, DIAGNOSTICS_REPAIRED,
		    commas ? "comma too many between events" : "no comma between events",
		    (struct place){r->file, 0, unit->offset});
	c->after_comma = commas > 0;
	return s;
}

/* The last unit: the array's end, or that of the input. */
static void end_events(struct chrome *c, struct reader *r, bool closed)
{
	if (c->after_comma && (closed || c->bare) && !c->cut)
		reader_repaired(r, 1u << REPAIR_COMMA, 0, c->comma_at);
	if (!closed && !c->bare && !c->cut)
		tell_cut(c, r, "file is cut short here: the array of events is not closed", r->src->offset + r->src->n);
	lines_close(&c->units);
	c->where = !closed ? OPEN : c->bare ? START : MEMBER;
}

static int read_event(struct chrome *c, struct reader *r, struct event *e)
{
	struct line unit;
	struct str text;
	uint64_t offset;
	int made;

	if (lines_next(&c->units, &unit) <= 0) {
		end_events(c, r, false);
		return 0;
	}
	text = trim_separator(c, r, &unit);
	offset = unit.offset + (uint64_t)(text.p - unit.text.p);
	if (text.n && text.p[0] == ']') {
		end_events(c, r, true);
		return 0;
	}
	if (!text.n) /* the input ended behind an event or a comma */
		return 0;
	if (text.p[0] == '}') {
		diagnostics_add(r->tally, DIAGNOSTICS_REPAIRED, BETWEEN, (struct place){r->file, 0, offset});
		restart(c, offset + 1, c->first || c->after_comma);
		return 0;
	}
	if (text.p[0] != '{') {
		size_t begin = chrome_next_event(text, 0);

		if (begin < text.n || !unit.partial)
			reader_lost(r, "not an event, skipped", 0, offset);
		if (begin < text.n)
			restart(c, offset + begin, true);
		return 0;
	}
	if (!unit.partial)
		c->first = false;
	if (unit.clean) {
		made = convert(c, r, text, false, offset, e);
		if (made >= 0)
			return made;
	}
	if (!settle(c, r, &unit, &text))
		return 0;
	text = reader_names(r, text);
	made = convert(c, r, text, true, offset, e);
	if (made < 0)
		reader_lost(r, "not an event, skipped", 0, offset);
	return made > 0;
}

/* --- the format --- */

/* Whether text in quotes occurs as a key; as a value it may be the name of one in a record. */
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

/* Only keys that stand before the events of files in the wild, or an event's own. */
static bool probe(struct str head)
{
	static const char *const keys[] = {"\"traceEvents\"", "\"schemaVersion\"", "\"deviceProperties\"",
	    "\"displayTimeUnit\"", "\"distributedInfo\"", "\"otherData\"", "\"baseTimeNanoseconds\""};
	struct str s;
	size_t i;

	s = str_trim(head);
	if (s.n && s.p[0] == '[') {
		s = str_trim(str_from(s, 1));
		return s.n && (s.p[0] == ']' ||
		    (s.p[0] == '{' && (str_find(s, STR("\"ph\"")) < s.n || chrome_event_begins(s))));
	}
	if (!s.n || s.p[0] != '{')
		return false;
	for (i = 0; i < sizeof keys / sizeof *keys; i++) {
		if (has_key(s, str_of(keys[i])))
			return true;
	}
	return false;
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct chrome *c = state;
	uint64_t offset;
	int made = 0;

	while (!made) {
		switch (c->where) {
		case START:
			start(c, r);
			break;
		case MEMBER:
			made = read_member(c, r, e);
			break;
		case EVENTS:
			made = read_event(c, r, e);
			break;
		case OPEN:
			made = chrome_unpaired(c->pairs, e, &offset);
			if (made)
				reader_note(r, "begin of a range that never ended", 0, offset);
			else
				c->where = DONE;
			break;
		case DONE:
			return 0;
		}
	}
	return 1;
}

static void close_chrome(void *state, struct reader *r)
{
	struct chrome *c = state;

	reader_over(r, &c->units, "event over --max-record, skipped");
	chrome_pairs_free(c->pairs);
	chrome_seen_free(&c->event.seen);
	buf_free(&c->event.args);
	buf_free(&c->event.others);
	buf_free(&c->event.src);
	buf_free(&c->key);
	buf_free(&c->value);
	buf_free(&c->mend);
	buf_free(&c->rank);
}

const struct format format_chrome = {
    .name = "chrome",
    .help = "Chrome Trace Event JSON: PyTorch Kineto, ROCm, XPU, autograd, any other",
    .probe = probe,
    .state_size = sizeof(struct chrome),
    .next = next,
    .close = close_chrome,
};
