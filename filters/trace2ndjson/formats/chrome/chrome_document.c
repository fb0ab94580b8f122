/*
 * chrome_document: reads the text around the array of events. It finds where documents and their arrays of events
 * begin, and converts each member of the top-level object to a meta record.
 */
#include "chrome_private.h"

#include "trace2ndjson/formats/document.h"
#include "json/check.h"
#include "json/string.h"
#include "json/scan.h"
#include "base/num_parse.h"

/* Converts a top-level member's value to args: an object unchanged, any other value as {"value":...}. */
static bool make_args(struct chrome *c, struct reader *r, struct str text, uint64_t offset)
{
	struct str wrapped;
	struct fault fault;
	uint32_t repairs;

	text = str_trim(text);
	c->repaired.n = 0;
	if (text.n && text.p[0] != '{') {
		buf_lit(&c->repaired, "{\"value\":");
		buf_add(&c->repaired, text.p, text.n);
		buf_char(&c->repaired, '}');
	} else {
		buf_add(&c->repaired, text.p, text.n);
	}
	memset(buf_room(&c->repaired, SCAN_PAD), 0, SCAN_PAD);
	wrapped = (struct str){c->repaired.p, c->repaired.n};
	if (!json_check(wrapped, &fault)) {
		struct buf whole = {0};

		if (!repair_object(wrapped, &whole, &repairs)) {
			buf_free(&whole);
			/* libkineto prints some values without quotes: their text is the value. */
			if (!text.n || text.p[0] == '{' || text.p[0] == '[' || text.p[0] == '"')
				return false;
			buf_lit(&whole, "{\"value\":");
			json_quote(&whole, text);
			buf_char(&whole, '}');
			repairs = 0;
			reader_repaired_as(r, "metadata value without quotes; read as text", 0, offset);
		}
		reader_repaired(r, repairs, 0, offset);
		buf_free(&c->repaired);
		c->repaired = whole;
		memset(buf_room(&c->repaired, SCAN_PAD), 0, SCAN_PAD);
		wrapped = (struct str){c->repaired.p, c->repaired.n};
	}
	wrapped = reader_names(r, wrapped);
	c->value.n = 0;
	buf_room(&c->value, wrapped.n + 64);
	c->value.n = scan_squeeze(c->value.p, wrapped).n;
	return true;
}

/* Sets c->key to the key of a top-level member, with its quotes. */
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
		reader_repaired_as(r, "metadata key is not valid JSON; repaired", 0, r->src->offset);
	}
}

/* Sets the rank, which is the number of this process in the job, from distributedInfo. */
static void take_rank(struct chrome *c, struct reader *r)
{
	struct fault ignored;
	struct str rank;
	int64_t v;

	json_tree_read(&c->job, (struct str){c->value.p, c->value.n}, &ignored);
	rank = json_tree_get(&c->job, "rank");
	r->rank = num_int(rank, &v) == NUM_OK ? rank : (struct str){NULL, 0};
}

void chrome_tell_cut(struct chrome *c, struct reader *r, const char *what, uint64_t offset)
{
	c->cut = true;
	if (!r->src->fault.what)
		reader_lost(r, what, 0, offset);
}

static void open_events(struct chrome *c, struct reader *r)
{
	lines_begin(&c->lines, r->src, SCAN_VALUES, r->max_record);
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
		chrome_tell_cut(c, r, "file is cut short: the top-level object is not closed", offset);
	else
		reader_lost(r, "metadata is not valid JSON or is larger than --max-record; skipped", 0, offset);
	c->member_read = false; /* it is not known whether a comma must come next */
	if (again)
		open_events(c, r);
	else if (!found)
		c->where = OPEN;
}

/*
 * Called after the array's closing bracket: if another event follows, the bracket was an error, and the array
 * continues.
 */
static bool goes_on(struct chrome *c, struct reader *r)
{
	enum { ENOUGH = 64 };

	if (document_peek(r) != '{' || !c->any_events)
		return false;
	while (r->src->n < ENOUGH && source_more(r->src) > 0)
		;
	if (!chrome_event_begins((struct str){r->src->p, r->src->n}))
		return false;
	diagnostics_add(
	    r->diagnostics, DIAGNOSTICS_REPAIRED, CHROME_BETWEEN, (struct fault_place){r->file, 0, r->src->offset});
	open_events(c, r);
	return true;
}

static void tell_repaired(struct reader *r, const char *what)
{
	diagnostics_add(r->diagnostics, DIAGNOSTICS_REPAIRED, what, (struct fault_place){r->file, 0, r->src->offset});
}

/*
 * Reads the comma before the next member of the top-level object, or before its end. Repairs missing and extra commas,
 * and removes extra closing brackets.
 */
static void take_commas(struct chrome *c, struct reader *r)
{
	const size_t expected = c->member_read ? 1 : 0;
	size_t commas = 0;

	for (;;) {
		if (document_take(r, ',')) {
			commas++;
		} else if (document_take(r, ']')) {
			tell_repaired(r, "extra closing bracket; removed");
		} else {
			break;
		}
	}
	if (document_peek(r) == '}' && commas)
		reader_repaired(r, 1u << REPAIR_COMMA, 0, r->src->offset);
	else if (commas > expected)
		tell_repaired(r, "extra comma between members; removed");
	else if (commas < expected && document_peek(r) == '"')
		tell_repaired(r, "missing comma between members; added");
	c->member_read = false;
}

int chrome_read_member(struct chrome *c, struct reader *r, struct event *e)
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
		/*
		 * The key is larger than --max-record: skip its opening quote, so that the following search does not
		 * find it again.
		 */
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

void chrome_start_document(struct chrome *c, struct reader *r)
{
	int next = document_peek(r);

	if (c->bare && next == ',') {
		source_skip(r->src, 1);
		next = document_peek(r);
	}
	if (c->bare && goes_on(c, r)) {
		/* the array continues: nothing to do */
	} else if (c->any_events && (document_take(r, '}') || document_take(r, ']'))) {
		tell_repaired(r, "extra closing bracket; removed");
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
		if (next >= 0 && c->any_events && chrome_find_event(r))
			open_events(c, r);
	}
}
