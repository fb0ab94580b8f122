/*
 * chrome: reads Chrome Trace Event files: those of all versions of Kineto (also for ROCm and XPU), the bare arrays of
 * the old autograd profiler, and the output of other tools. This file reads the array of events; chrome_document.c
 * reads the object around it.
 */
#include "chrome_private.h"

#include "base/char_class.h"
#include "trace2ndjson/formats/document.h"
#include "json/check.h"
#include "json/scan.h"

/* --- the array of events --- */

/*
 * Makes *text valid JSON: leaves it unchanged when it is valid, otherwise repairs it. False when it cannot be repaired.
 */
static bool make_sound(struct chrome *c, struct reader *r, struct str *text, uint64_t offset)
{
	struct fault fault;
	uint32_t repairs;

	if (json_check(*text, &fault))
		return true;
	if (!repair_object(*text, &c->repaired, &repairs))
		return false;
	memset(buf_room(&c->repaired, SCAN_PAD), 0, SCAN_PAD);
	*text = (struct str){c->repaired.p, c->repaired.n};
	reader_repaired(r, repairs, 0, offset);
	return true;
}

/*
 * Continues reading at `offset`. The caller sets `event` when an event begins at `offset` and the comma before the
 * event has been read.
 */
static void restart(struct chrome *c, uint64_t offset, bool event)
{
	lines_restart(&c->lines, offset);
	c->first = event;
}

/*
 * Handles a text that begins with an event and is not known to be valid. Repairs it, or finds where the event ends and
 * the next one begins, and continues there. Returns 1 when *text is a valid event. Returns 0 when more input is needed,
 * or when the event is lost; lost events are counted.
 */
static int settle(struct chrome *c, struct reader *r, const struct line *line, struct str *text)
{
	uint64_t offset = line->offset + (uint64_t)(text->p - line->text.p);
	struct fault fault;
	size_t n, second;
	bool two;

	if (!line->partial &&
	    (json_check(*text, &fault) || (chrome_second_event(*text) == text->n && make_sound(c, r, text, offset))))
		return 1;
	n = chrome_event_boundary(*text);
	second = chrome_second_event(str_head(*text, n));
	two = second < n;
	n = two ? second : n;
	if (n == text->n) {
		/* A partial event is not lost yet: it may be valid once all of it has been read. */
		if (line->cut)
			chrome_tell_cut(c, r, "file is cut short: the last event is incomplete", offset);
		else if (!line->partial)
			reader_lost(r, "not a valid event; skipped", 0, offset);
		return 0;
	}
	*text = str_head(*text, n);
	if (make_sound(c, r, text, offset)) {
		restart(c, offset + n, two);
		return 1;
	}
	if (line->partial) {
		/* The offset found is the real end of the event only if the next event is valid. */
		struct str rest = str_from(line->text, (size_t)(offset - line->offset) + n), next;

		next = str_from(rest, str_find(rest, STR("{")));
		next = str_head(next, chrome_event_boundary(next));
		if (!json_check(next, &fault))
			return 0;
	}
	reader_lost(r, "not a valid event; skipped", 0, offset);
	restart(c, offset + n, two);
	return 0;
}

/*
 * Converts the text of an event. If `sound` is set, the text is valid JSON; otherwise it is only clean (see struct
 * scan_unit). Returns 1 when *e is a selected record, and 0 when the event gives no record. Returns -1 when the text
 * cannot be converted as it is: a text that is only clean must then be checked and, if possible, repaired.
 */
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
		reader_lost(r, "ts or dur does not fit in 64 bits; event skipped", 0, offset);
		return 0;
	case CHROME_DOUBT:
	case CHROME_BROKEN:
		return -1;
	}
	if (result == CHROME_DROPPED)
		return 0;
	if (!chrome_is_half(&c->event.raw)) {
		r->unkept = c->event.unkept;
		return 1;
	}
	switch (chrome_pair(&c->pairs, &c->event.raw, offset, e)) {
	case 0:
		return 0;
	case 1:
		return 1;
	default:
		reader_note(r, "end of a range without a begin; written as kind other", 0, offset);
		event_set_kind(e, KIND_OTHER);
		return 1;
	}
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
		diagnostics_add(r->diagnostics, DIAGNOSTICS_REPAIRED,
		    commas ? "extra comma between events; removed" : "missing comma between events; added",
		    (struct fault_place){r->file, 0, line->offset});
	c->after_comma = commas > 0;
	return s;
}

/* Handles the end of the array. `closed` is set when its closing bracket was read; otherwise the input has ended. */
static void end_events(struct chrome *c, struct reader *r, bool closed)
{
	if (c->after_comma && (closed || c->bare) && !c->cut)
		reader_repaired(r, 1u << REPAIR_COMMA, 0, c->comma_at);
	if (!closed && !c->bare && !c->cut)
		chrome_tell_cut(
		    c, r, "file is cut short: the array of events is not closed", r->src->offset + r->src->n);
	lines_end(&c->lines);
	c->where = !closed ? OPEN : c->bare ? START : MEMBER;
}

static int read_event(struct chrome *c, struct reader *r, struct event *e)
{
	struct line line;
	struct str text;
	uint64_t offset;
	int made;

	if (lines_next(&c->lines, &line) <= 0) {
		end_events(c, r, false);
		return 0;
	}
	text = trim_separator(c, r, &line);
	offset = line.offset + (uint64_t)(text.p - line.text.p);
	if (text.n && text.p[0] == ']') {
		end_events(c, r, true);
		return 0;
	}
	if (!text.n) /* the input ended after an event or a comma */
		return 0;
	if (text.p[0] == '}') {
		diagnostics_add(
		    r->diagnostics, DIAGNOSTICS_REPAIRED, CHROME_BETWEEN, (struct fault_place){r->file, 0, offset});
		restart(c, offset + 1, c->first || c->after_comma);
		return 0;
	}
	if (text.p[0] != '{') {
		size_t begin = chrome_next_event(text, 0);

		if (begin < text.n || !line.partial)
			reader_lost(r, "not a valid event; skipped", 0, offset);
		if (begin < text.n)
			restart(c, offset + begin, true);
		return 0;
	}
	if (!line.partial)
		c->first = false;
	if (line.clean) {
		made = convert(c, r, text, false, offset, e);
		if (made >= 0)
			return made;
	}
	if (!settle(c, r, &line, &text))
		return 0;
	text = reader_names(r, text);
	made = convert(c, r, text, true, offset, e);
	if (made < 0)
		reader_lost(r, "not a valid event; skipped", 0, offset);
	return made > 0;
}

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
static bool probe(struct str head)
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
		return str_find(s, STR("\"ph\"")) < s.n || (chrome_event_begins(s) && (scan_skip(s) || s.n > ENOUGH));
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

	r->unkept = false;
	while (!made) {
		switch (c->where) {
		case START:
			chrome_start_document(c, r);
			break;
		case MEMBER:
			made = chrome_read_member(c, r, e);
			break;
		case EVENTS:
			made = read_event(c, r, e);
			break;
		case OPEN:
			made = chrome_unpaired(c->pairs, e, &offset);
			if (made)
				reader_note(r, "range without an end; written without dur", 0, offset);
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

	reader_over(r, &c->lines, "event larger than --max-record; skipped");
	chrome_pairs_free(c->pairs);
	chrome_seen_free(&c->event.seen);
	buf_free(&c->event.args);
	buf_free(&c->event.others);
	buf_free(&c->event.src);
	buf_free(&c->key);
	buf_free(&c->value);
	buf_free(&c->repaired);
	json_tree_free(&c->job);
}

const struct format format_chrome = {
    .name = "chrome",
    .help = "Chrome Trace Event JSON: PyTorch (Kineto, autograd), JAX, ONNX Runtime, Triton Proton, VizTracer, tlparse",
    .example = "trace2ndjson run.pt.trace.json.gz",
    .probe = probe,
    .state_size = sizeof(struct chrome),
    .next = next,
    .close = close_chrome,
};
