#include "rocprof_json.h"

#include "json/check.h"
#include "json/scan.h"
#include "trace2ndjson/formats/document.h"

/* --- finds the elements of arrays in damaged text --- */

/* Returns the section of an array from its name, without quotes. */
static enum rocprof_section section_of(struct str key)
{
	static const struct {
		struct str key;
		enum rocprof_section section;
	} arrays[] = {
	    {ROCPROF_TEXT("rocprofiler-sdk-tool"), ROCPROF_SECTION_PROCESSES},
	    {ROCPROF_TEXT("agents"), ROCPROF_SECTION_AGENTS},
	    {ROCPROF_TEXT("counters"), ROCPROF_SECTION_COUNTERS},
	    {ROCPROF_TEXT("buffer_records"), ROCPROF_SECTION_KINDS},
	    {ROCPROF_TEXT("marker_api"), ROCPROF_SECTION_MESSAGES},
	    {ROCPROF_TEXT("pc_sample_instructions"), ROCPROF_SECTION_INSTRUCTIONS},
	    {ROCPROF_TEXT("pc_sample_comments"), ROCPROF_SECTION_COMMENTS},
	    {ROCPROF_TEXT("kernel_symbols"), ROCPROF_SECTION_KERNELS},
	};
	size_t i;

	for (i = 0; i < sizeof arrays / sizeof *arrays; i++) {
		if (str_eq(arrays[i].key, key))
			return arrays[i].section;
	}
	return ROCPROF_SECTION_EVENTS;
}

static bool is_element(struct str s)
{
	static const struct str firsts[] = {ROCPROF_TEXT("\"size\""), ROCPROF_TEXT("\"kind\""), ROCPROF_TEXT("\"key\""),
	    ROCPROF_TEXT("\"thread_id\""), ROCPROF_TEXT("\"record\""), ROCPROF_TEXT("\"agent_id\"")};
	size_t i;

	s = str_trim(str_from(s, 1));
	for (i = 0; i < sizeof firsts / sizeof *firsts; i++) {
		if (str_starts(s, firsts[i]))
			return true;
	}
	return false;
}

/* Returns the name of the array whose bracket ends the text; p is NULL when it has none. */
static struct str name_of_array(struct str s)
{
	const struct str none = {NULL, 0};
	size_t begin;

	s = document_before(s, s.n - 1);
	if (!str_ends(s, STR(":")))
		return none;
	s = document_before(s, s.n - 1);
	if (!str_ends(s, STR("\"")))
		return none;
	for (begin = s.n - 1; begin && s.p[begin - 1] != '"'; begin--)
		;
	return begin ? (struct str){s.p + begin, s.n - 1 - begin} : none;
}

/*
 * Whether an element of an array begins at the brace at `at`: after a comma or bracket, and with a key that the first
 * member of an element has. If the element is the first of an array that has a name, sets *section to the section of
 * this array.
 */
static int element_at(void *section, struct str s, size_t at)
{
	const struct str earlier = document_before(s, at);
	struct str name;

	if (!(str_ends(earlier, STR(",")) || str_ends(earlier, STR("["))) || !is_element(str_from(s, at)))
		return 0;
	name = str_ends(earlier, STR("[")) ? name_of_array(earlier) : (struct str){NULL, 0};
	if (name.p)
		*(enum rocprof_section *)section = section_of(name);
	return 1;
}

/* --- reading --- */

static void report_cut(struct rocprof_json *j, struct reader *r, const char *what)
{
	if (!r->src->fault.what && !j->damaged)
		reader_lost(r, what, 0, r->src->offset + r->src->n);
	j->ended = true;
}

/* --- damage --- */

/*
 * Reports damaged text, which begins at the window, and skips it up to the next element of an array. Reading continues
 * with this element.
 */
static void skip_damage(struct rocprof_json *j, struct reader *r, const char *what)
{
	enum { LOOK_BACK = 256 }; /* more than the name of an array and the first key of an element need */
	struct source *s = r->src;
	size_t from = 1, found;

	const enum rocprof_section section = j->section;

	reader_lost(r, what, 0, s->offset);
	j->number += j->inside;
	j->damaged = j->inside = true;
	j->comma = false;
	j->used = 0;
	for (;;) {
		found = document_find_object((struct str){s->p, s->n}, from, element_at, &j->section);
		if (found < s->n)
			break;
		if (s->n > 2 * LOOK_BACK)
			source_skip(s, s->n - 2 * LOOK_BACK);
		from = s->n > LOOK_BACK ? s->n - LOOK_BACK : 1;
		if (source_more(s) <= 0) {
			source_skip(s, s->n);
			j->ended = true;
			return;
		}
	}
	if (j->section != section)
		j->number = 0;
	source_skip(s, found);
}

/*
 * Loads the object at the beginning of the window. Returns its length. Returns 0 when it is larger than --max-record,
 * when another element begins before its end, or when the input ends before its end; *cut is true only in the last
 * case. A large object is scanned again only when the window has doubled, so that the time is linear.
 */
static size_t load_object(struct rocprof_json *j, struct reader *r, bool *cut)
{
	enum { LARGE = 64 * 1024 };
	struct source *s = r->src;
	enum rocprof_section ignored;
	size_t n = 0, enough;

	*cut = false;
	while (!(n = scan_skip((struct str){s->p, s->n})) && !*cut) {
		if (s->n > r->max_record)
			return 0;
		if (s->n > LARGE && j->section >= ROCPROF_SECTION_EVENTS &&
		    document_find_object((struct str){s->p, s->n}, 1, element_at, &ignored) < s->n)
			return 0;
		enough = s->n > LARGE ? 2 * s->n : s->n + 1;
		while (s->n < enough && !*cut)
			*cut = source_more(s) <= 0;
	}
	*cut = !n && document_find_object((struct str){s->p, s->n}, 1, element_at, &ignored) == s->n;
	return n <= r->max_record ? n : 0;
}

/*
 * Makes *text, an element that is not valid JSON, valid. Returns false when it cannot be repaired, or when it contains
 * the beginning of another element, so that its end is missing.
 */
static bool repair_element(struct rocprof_json *j, struct reader *r, struct str *text)
{
	enum rocprof_section ignored;

	return text->p[0] == '{' && document_find_object(*text, 1, element_at, &ignored) == text->n &&
	       reader_repair(r, text, &j->repaired, 0, r->src->offset);
}

/* --- elements of arrays --- */

/* Sets *text to the element at the beginning of the window; false when it is damaged. */
static bool load_element(struct rocprof_json *j, struct reader *r, struct str *text)
{
	struct fault f;
	bool cut = false;
	const int first = document_peek(r);

	j->used = first == '{' ? load_object(j, r, &cut) : document_value(r, &cut);
	if (cut) {
		j->used = 0;
		report_cut(j, r, "file is cut short: the last record is incomplete");
		return false;
	}
	if (!j->used) {
		skip_damage(j, r, "record damaged or larger than --max-record; skipped");
		return false;
	}
	*text = (struct str){r->src->p, j->used};
	if (!json_check(*text, &f) && !repair_element(j, r, text)) {
		skip_damage(j, r, "record damaged or larger than --max-record; skipped");
		return false;
	}
	*text = reader_names(r, *text);
	return true;
}

/* Gives the next record of the element. */
static int next_of_element(struct rocprof_json *j, struct reader *r, struct event *e)
{
	j->waiting--;
	if (j->event.row.table == ROCPROF_COUNTERS)
		rocprof_json_event_count(&j->event);
	return rocprof_record_make(&j->draft, r, &j->event.row, (struct rocprof_at){0, j->event.byte}, e);
}

static int read_element(struct rocprof_json *j, struct reader *r, struct event *e)
{
	const int next = document_peek(r);
	struct str text;

	if (next < 0) {
		report_cut(j, r, "file is cut short: an array is not closed");
		return 0;
	}
	if (next == ']' || next == ',') {
		source_skip(r->src, 1);
		j->inside = next != ']';
		if (next == ',' && !j->comma)
			reader_repaired_as(r, "extra comma between events; removed", 0, r->src->offset - 1);
		j->comma = false;
		return 0;
	}
	if (j->comma && next == '{')
		reader_repaired_as(r, "missing comma between events; added", 0, r->src->offset);
	if (!load_element(j, r, &text))
		return 0;
	j->comma = true;
	if (text.p[0] == '{')
		j->waiting = rocprof_json_event_read(&j->event, r, text, r->src->offset);
	if (j->waiting)
		return 0;
	return rocprof_tables_add(&j->event.tables, &j->draft, r, j->section, j->number++, text, e);
}

/* --- the text around the arrays --- */

/* Reads the value of "metadata" or a value that is neither an object nor an array, which is not used. */
static int read_value(struct rocprof_json *j, struct reader *r, bool metadata, struct event *e)
{
	struct str text;

	if (!load_element(j, r, &text))
		return 0;
	return metadata ? rocprof_tables_metadata(&j->event.tables, &j->draft, r, text, e) : 0;
}

/*
 * Reads the key at the window, which is one of the known names or a part of another name, and its colon. On damage, the
 * text of the key stays in the window, because an element may begin in it when a quote is missing.
 */
static bool read_key(struct rocprof_json *j, struct reader *r, struct buf *name)
{
	enum { WHOLE = 64, SPACE = 16 };
	bool cut;
	size_t n = document_value(r, &cut);

	while (!cut && n && r->src->n < n + SPACE && source_more(r->src) > 0)
		;
	cut |= n == r->src->n;
	if (cut) {
		report_cut(j, r, "file is cut short: the top-level object is not closed");
		return false;
	}
	if (!n || !str_starts(str_trim(str_from((struct str){r->src->p, r->src->n}, n)), STR(":"))) {
		skip_damage(j, r, "text between the records is damaged; skipped to the next record");
		return false;
	}
	name->n = 0;
	buf_add(name, r->src->p + 1, n - 2 < WHOLE ? n - 2 : WHOLE);
	source_skip(r->src, n);
	return document_take(r, ':');
}

/* Reads a key, its colon, and the bracket of its value or the whole value. */
static int read_member(struct rocprof_json *j, struct reader *r, struct event *e)
{
	struct str name;

	if (!read_key(j, r, &j->key))
		return 0;
	name = buf_str(&j->key);
	switch (document_peek(r)) {
	case '[':
		j->section = section_of(name);
		if (j->section == ROCPROF_SECTION_PROCESSES)
			return 0;
		source_skip(r->src, 1);
		j->inside = true;
		j->comma = false;
		j->number = 0;
		return 0;
	case '{':
		if (!str_eq(name, STR("metadata")))
			return 0;
		rocprof_tables_free(&j->event.tables); /* another process begins */
		return read_value(j, r, true, e);
	case -1:
		report_cut(j, r, "file is cut short: the top-level object is not closed");
		return 0;
	default:
		return read_value(j, r, false, e);
	}
}

static int read_structure(struct rocprof_json *j, struct reader *r, struct event *e)
{
	const int next = document_peek(r);

	switch (next) {
	case '"':
		return read_member(j, r, e);
	case '{':
	case '[':
		source_skip(r->src, 1);
		j->started = true;
		j->depth++;
		return 0;
	case '}':
	case ']':
		/* Outside the arrays of elements, only the array of processes, at depth 2, ends with a bracket. */
		if (!j->damaged && (!j->depth || (j->depth == 2) != (next == ']')))
			reader_repaired_as(r, "closing bracket without an opening bracket; ignored", 0, r->src->offset);
		source_skip(r->src, 1);
		j->depth -= j->depth > 0;
		return 0;
	case ',':
		source_skip(r->src, 1);
		return 0;
	case -1:
		if (j->depth || !j->started)
			report_cut(j, r, "file is cut short: the top-level object is not closed");
		j->ended = true;
		return 0;
	default:
		skip_damage(j, r, "text between the records is damaged; skipped to the next record");
		return 0;
	}
}

int rocprof_json_next(struct rocprof_json *j, struct reader *r, struct event *e)
{
	int made = 0;

	while (!made) {
		if (j->waiting) {
			made = next_of_element(j, r, e);
		} else if (j->used) {
			source_skip(r->src, j->used);
			j->used = 0;
		} else if (j->ended) {
			return 0;
		} else {
			made = j->inside ? read_element(j, r, e) : read_structure(j, r, e);
		}
	}
	return 1;
}

void rocprof_json_free(struct rocprof_json *j)
{
	rocprof_json_event_free(&j->event);
	draft_free(&j->draft);
	buf_free(&j->repaired);
	buf_free(&j->key);
}
