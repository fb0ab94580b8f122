/*
 * ndjson: reads event records (events.5) in any form: checks them, and puts them into canonical order. The records are
 * lines, the elements of arrays, or objects of several lines.
 */
#include "trace2ndjson/formats/document.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "json/check.h"
#include "json/scan.h"
#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"

struct ndjson {
	bool values; /* the records are not lines */
	bool in_array, after_record;
	bool cut; /* the last record is cut short */
	struct buf line, attachments;
};

/* Adds the nonstandard members to the record as attachments; also ts and dur, if they are not whole numbers. */
static void take_others(struct ndjson *n, struct event *e)
{
	struct iter w;
	struct str key, value;
	enum event_member m = EVENT_N;

	n->attachments.n = 0;
	e->attachments = (struct str){NULL, 0};
	if (e->reading == EVENT_PLAIN)
		return;
	iter_init(&w, e->raw);
	while (event_next(&w, &m, &key, &value) > 0) {
		if (m < EVENT_N && (event_has(e, m) || str_eq(value, STR("null"))))
			continue;
		json_write_member(&n->attachments, key, value);
	}
	e->attachments = (struct str){n->attachments.p, n->attachments.n};
}

/* --- records that are not lines --- */

/* Returns whether the object at the beginning of the text, which may be incomplete, is a record. */
static bool is_record(struct str text)
{
	const size_t n = text.n && text.p[0] == '{' ? scan_skip(text) : 0;
	bool timed = false, named = false, known = false;
	struct str key, value;
	struct iter w;
	int64_t ts;
	int got;

	iter_init(&w, n ? str_head(text, n) : text);
	while (!(timed && named) && (got = iter_next(&w, &key, &value)) > 0) {
		if (str_eq(key, STR("ph")))
			return false;
		if (str_eq(key, STR("ts")) && !str_eq(value, STR("null"))) {
			if (num_whole(value, &ts) == NUM_BAD)
				return false;
			timed = true;
		}
		if (str_eq(key, STR("kind")) && json_is_string(value)) {
			named = true;
			known = event_kind(json_inner(value)) < KIND_N;
		}
	}
	return (timed && named) || (got == 0 && known);
}

/* Returns whether the first line begins an array, or an object of several lines. */
static bool has_values(struct str head)
{
	struct str line;

	if (!head_line(&head, &line))
		return false;
	line = str_trim(line);
	return line.p[0] == '[' || (line.p[0] == '{' && (str_ends(line, STR("{")) || str_ends(line, STR(","))));
}

/* Continues at `offset`, which is in no array. */
static void begin_values(struct ndjson *n, struct reader *r, uint64_t offset)
{
	lines_restart(&r->lines, offset);
	n->in_array = document_take(r, '[');
	n->after_record = false;
	lines_restart(&r->lines, r->src->offset);
}

/* The search for the next record in a text whose JSON is valid up to the offset `valid`. */
struct record_search {
	size_t valid, left; /* left: number of bytes that may still be read */
	bool open;          /* the record need not end in the text */
};

/* An object that ends in the valid part is not the next record, but a part of the first one. */
static int record_at(void *arg, struct str text, size_t at)
{
	struct record_search *search = arg;
	const struct str rest = str_from(text, at);
	const size_t n = scan_skip(rest);
	const struct str object = str_head(rest, n ? n : rest.n);

	if (search->left < rest.n)
		return -1;
	search->left -= object.n;
	return at + object.n > search->valid && is_record(object) && (n ? json_check(object, NULL) : search->open);
}

static size_t find_next(struct str text, size_t valid, bool open)
{
	struct record_search search = {valid, 64 * text.n, open};

	return document_find_object(text, 1, record_at, &search);
}

/* Removes the text between two records from the beginning of the line, and reports needless and missing commas. */
static void skip_separator(struct ndjson *n, struct reader *r, struct line *line)
{
	struct str text = line->text;
	size_t commas = 0;

	for (; text.n && (is_json_space(text.p[0]) || text.p[0] == ','); text = str_from(text, 1))
		commas += text.p[0] == ',';
	line->offset += line->text.n - text.n;
	line->text = text;
	if (line->partial || !text.n)
		return;
	if (text.p[0] == ']' && commas)
		reader_repaired(r, 1u << REPAIR_COMMA, 0, line->offset);
	if (text.p[0] == '{' && commas != (n->in_array && n->after_record))
		reader_repaired_as(r,
		    commas ? "extra comma between records; removed" : "missing comma between records; added", 0,
		    line->offset);
}

/* Reduces the line to the text of a record, which may be damaged. Returns false when it contains no record. */
static bool take_value(struct ndjson *n, struct reader *r, struct line *line)
{
	struct fault fault;
	size_t next;

	skip_separator(n, r, line);
	if (!line->text.n)
		return false;
	if (line->text.p[0] == (n->in_array ? ']' : '[')) {
		begin_values(n, r, line->offset + n->in_array);
		return false;
	}
	if (line->text.p[0] == ']' || line->text.p[0] == '}') { /* no value follows it: see scan_run() */
		reader_lost(r, "not a JSON record; skipped", 0, line->offset);
		lines_restart(&r->lines, line->offset + 1);
		return false;
	}
	n->after_record |= !line->partial;
	if (json_check(line->text, &fault))
		return true;
	next = find_next(line->text, fault.at.byte, !line->partial && !line->cut);
	if (next < line->text.n) {
		lines_restart(&r->lines, line->offset + next);
		n->after_record = line->cut = line->partial = false;
		line->text = str_head(line->text, next);
		while (str_ends(line->text, STR(",")) || is_json_space(line->text.p[line->text.n - 1]))
			line->text.n--;
	}
	n->cut = line->cut;
	return !line->partial;
}

/* --- the format --- */

static void open_ndjson(void *state, struct reader *r)
{
	struct ndjson *n = state;

	n->values = has_values((struct str){r->src->p, r->src->n});
	lines_begin(&r->lines, r->src, n->values ? SCAN_VALUES : SCAN_LINES, r->max_record);
	if (n->values)
		begin_values(n, r, r->src->offset);
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct ndjson *n = state;
	struct line line;
	struct str text;
	const char *why;

	while (lines_next(&r->lines, &line) > 0) {
		if (n->values && !take_value(n, r, &line))
			continue;
		text = reader_sound(r, &line, line.text);
		if (!text.p)
			continue;
		n->line.n = 0;
		scan_append(&n->line, text);
		why = event_parse(e, buf_str(&n->line));
		if (why) {
			reader_lost(r, why, line.line, line.offset);
			continue;
		}
		if (e->reading == EVENT_TWICE)
			reader_repaired(r, 1u << REPAIR_DUPLICATE, line.line, line.offset);
		take_others(n, e);
		r->line = line.line;
		return 1;
	}
	if (n->in_array && !n->cut && !r->src->fault.what)
		reader_cut(r, "file is cut short: the array of records is not closed", 0, r->src->offset + r->src->n);
	return 0;
}

static void close_ndjson(void *state, struct reader *r)
{
	struct ndjson *n = state;

	(void)r;
	bufs_free(&n->line, &n->attachments);
}

/*
 * Whether the first line is one object with at least one member of event records, and without the members that only
 * Chrome's events or PyTorch's execution traces have; or the first object in an array or of several lines is a record.
 */
static bool is_record_stream(struct str head)
{
	struct str line, key, value;
	struct fault fault = {0};
	struct iter w;
	bool ours = false;

	if (has_values(head)) {
		head = str_trim(head);
		head = head.p[0] == '[' ? str_trim(str_from(head, 1)) : head;
		if (is_record(head))
			return true;
		/* the first record may be damaged */
		return !json_check(head, &fault) && find_next(head, fault.at.byte, false) < head.n;
	}
	if (!head_line(&head, &line))
		return false;
	line = str_trim(line);
	if (line.p[0] != '{')
		return false;
	iter_init(&w, line);
	while (iter_next(&w, &key, &value) > 0) {
		if (str_eq(key, STR("ph")) || str_eq(key, STR("traceEvents")) || str_eq(key, STR("schema")))
			return false;
		ours |= event_member(key) < EVENT_N;
	}
	return ours;
}

const struct format format_ndjson = {
    .name = "ndjson",
    .help = "event records, one JSON object per line, as all filters read and write; also arrays of records",
    .example = "jq -s . records.ndjson | trace2ndjson",
    .probe = is_record_stream,
    .state_size = sizeof(struct ndjson),
    .open = open_ndjson,
    .next = next,
    .close = close_ndjson,
};
