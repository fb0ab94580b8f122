/*
 * dvdt_point: reads an experiment point of CK, which has one run for each repetition:
 *
 *   {"characteristics_list":[{"run":{"dvdt_prof":[CALL,...],"per_layer_info":[LAYER,...],"time_fw_ms":78.8,...}},...],
 *    "choices":{"data_uoa":"caffe",...},"features":{...}}
 */
#include "dvdt.h"

#include "base/num_format.h"
#include "json/check.h"
#include "json/string.h"
#include "json/write.h"
#include "trace2ndjson/formats/document.h"

/* --- the elements of an array of calls or of layers --- */

void dvdt_elements_begin(struct dvdt_elements *l, struct reader *r)
{
	lines_begin(&l->lines, r->src, SCAN_VALUES, r->max_record);
	l->lost = l->over = 0;
}

/* Adds the newlines in s, which has been read, to l->line if newlines are counted. */
static void pass_text(struct dvdt_elements *l, struct str s)
{
	const char *p = s.p, *end = s.p + s.n;

	for (; l->count_lines && (p = memchr(p, '\n', (size_t)(end - p))); p++)
		l->line++;
}

static void lost_element(struct dvdt_elements *l, struct reader *r)
{
	reader_lost(r, "call is not valid JSON; skipped", l->at.line, l->at.byte);
	l->lost++;
}

/*
 * Adds the elements over the limit, which lines_next() skipped, to l->lost. If `report` is set, also reports them;
 * callers set `report` once for each array.
 */
static void count_over(struct dvdt_elements *l, struct reader *r, bool report)
{
	l->lost += l->lines.over - l->over;
	l->over = l->lines.over;
	if (report && l->over)
		diagnostics_add_many(r->diagnostics, DIAGNOSTICS_LOST, "record larger than --max-record; skipped",
		    (struct fault_place){r->file, 0, l->lines.over_at}, l->over);
}

/* Whether a key and its colon begin at s. No key can begin inside a string, because quotes are escaped there. */
static bool key_begins(struct str s)
{
	size_t n;

	s = str_trim(s);
	if (s.n < 2 || s.p[0] != '"')
		return false;
	for (n = 1; n < s.n && s.p[n] != '"' && s.p[n] != '\\' && (unsigned char)s.p[n] >= ' '; n++)
		;
	s = str_trim(str_from(s, n));
	return n > 1 && s.n > 1 && s.p[0] == '"' && str_trim(str_from(s, 1)).n && str_trim(str_from(s, 1)).p[0] == ':';
}

/* Whether an element begins at the brace at `at`: it has a key after it, but no colon before it. */
static int element_at(void *arg, struct str s, size_t at)
{
	enum { ENOUGH = 256 };

	(void)arg;
	return !str_ends(document_before(s, at), STR(":")) && key_begins(str_head(str_from(s, at + 1), ENOUGH));
}

/*
 * Returns the offset of the mark of dvdt-prof; s.n when not found. A valid element never has the mark at the beginning
 * of a line, because newlines in strings are escaped. The text may end with the mark, because the scan takes the mark's
 * closing bracket for the end of a value.
 */
static size_t next_mark(struct str s)
{
	static const struct str mark = {"[dv/dt]", 7}, line = {"\n[dv/dt]", 8}, open = {"[dv/dt] <<\n", 11};
	size_t at, other;

	if (str_starts(s, mark))
		return 0;
	at = str_find(s, line);
	at += at < s.n;
	other = str_find(s, open);
	if (at == s.n && other == s.n && str_ends(s, mark))
		return s.n - mark.n;
	return at < other ? at : other;
}

/*
 * Skips an invalid element, and continues where program output or the next element begins. If neither is found,
 * continues after the element, once its end has been read.
 */
static enum dvdt_element skip_element(
    struct dvdt_elements *l, struct reader *r, const struct line *line, struct str text)
{
	size_t mark = l->blocks ? next_mark(text) : text.n;
	size_t next = document_find_object(str_head(text, mark), text.p[0] == '{', element_at, NULL);

	if (next < mark || mark < text.n) {
		if (next < mark) {
			lost_element(l, r);
		} else {
			reader_lost(r, "block of calls ends before its array is closed", l->at.line, l->at.byte);
			count_over(l, r, true);
		}
		pass_text(l, str_head(text, next < mark ? next : mark));
		lines_restart(
		    &l->lines, line->offset + (uint64_t)(text.p - line->text.p) + (next < mark ? next : mark));
		return next < mark ? DVDT_NONE : DVDT_BROKEN;
	}
	if (line->partial)
		return DVDT_NONE;
	if (!line->cut)
		lost_element(l, r);
	pass_text(l, text);
	return DVDT_NONE;
}

/*
 * Handles a closing bracket that has no opening bracket in the text. Such a bracket closes the array, or is an extra
 * bracket.
 */
static enum dvdt_element close_array(
    struct dvdt_elements *l, struct reader *r, const struct line *line, struct str text)
{
	pass_text(l, text);
	if (text.n > 1)
		lost_element(l, r);
	if (text.p[text.n - 1] == ']') {
		count_over(l, r, true);
		lines_end(&l->lines);
		return DVDT_CLOSED;
	}
	if (text.n == 1)
		reader_lost(r, "extra closing bracket; skipped", l->at.line, l->at.byte);
	lines_restart(&l->lines, line->offset + line->text.n);
	return DVDT_NONE;
}

static enum dvdt_element end_array(struct dvdt_elements *l, struct reader *r)
{
	count_over(l, r, true);
	if (!r->src->fault.what) /* a read error has its own message */
		reader_lost(r, "file is cut short: the array of calls is not closed", 0, r->src->offset + r->src->n);
	return DVDT_ENDED;
}

/*
 * Repairs an element. Rejects a repair that escaped quotes in a string: the writers escape quotes themselves, so the
 * closing quote of the string is missing, and the repair made the next member part of the string.
 */
static bool repair_element(struct dvdt_elements *l, struct str text, uint32_t *repairs)
{
	return repair_object(text, &l->repaired, repairs) && !(*repairs >> REPAIR_QUOTE & 1);
}

enum dvdt_element dvdt_elements_next(struct dvdt_elements *l, struct reader *r, struct str *text)
{
	struct fault fault;
	struct line line;
	uint32_t repairs;
	struct str t;

	if (lines_next(&l->lines, &line) <= 0)
		return end_array(l, r);
	count_over(l, r, false);
	t = str_trim(line.text);
	if (t.n && t.p[0] == ',')
		t = str_trim(str_from(t, 1));
	if (!line.partial)
		pass_text(l, str_head(line.text, (size_t)(t.p - line.text.p)));
	l->at = (struct fault_place){
	    r->file, l->count_lines ? l->line + 1 : 0, line.offset + (uint64_t)(t.p - line.text.p)};
	if (!t.n)
		return DVDT_NONE;
	if (!line.partial && (t.p[t.n - 1] == ']' || t.p[t.n - 1] == '}') && !memchr(t.p, '{', t.n) &&
	    !memchr(t.p, '[', t.n))
		return close_array(l, r, &line, t);
	*text = t;
	if (line.partial || t.p[0] != '{')
		return skip_element(l, r, &line, t);
	if (!json_check(t, &fault)) {
		if (document_find_object(t, 1, element_at, NULL) < t.n || (l->blocks && next_mark(t) < t.n) ||
		    !repair_element(l, t, &repairs))
			return skip_element(l, r, &line, t);
		reader_repaired(r, repairs, l->at.line, l->at.byte);
		*text = json_write_str(&l->repaired);
	}
	*text = reader_names(r, *text);
	pass_text(l, t);
	return DVDT_ELEMENT;
}

/* --- the point, except the elements of its arrays --- */

void dvdt_point_begin(struct dvdt_point *p)
{
	p->level = POINT_TOP;
	p->repetition = 0;
	json_tree_free(&p->choices);
}

static enum dvdt_step report_damage(struct reader *r, const char *what)
{
	if (!r->src->fault.what || r->src->n)
		reader_lost(r, what, 0, r->src->offset);
	do
		source_skip(r->src, r->src->n);
	while (source_more(r->src) > 0);
	return DVDT_END;
}

/* Reads the text between two repetitions. */
static enum dvdt_step in_list(struct dvdt_point *p, struct reader *r)
{
	bool cut;
	size_t n;

	if (document_take(r, ',')) {
		return DVDT_ON;
	} else if (document_take(r, ']')) {
		p->level = POINT_TOP;
		return DVDT_ON;
	} else if (document_take(r, '{')) {
		p->level = POINT_REPETITION;
		p->failed = false;
		p->members.n = 0;
		return DVDT_OPENED;
	}
	n = document_value(r, &cut);
	if (!n)
		return report_damage(r, cut ? "file is cut short" : "not valid JSON; rest of the file skipped");
	reader_lost(r, "repetition is not a JSON object; skipped", 0, r->src->offset);
	source_skip(r->src, n);
	p->repetition++;
	return DVDT_ON;
}

static void close_repetition(struct dvdt_point *p, struct reader *r)
{
	char *number;

	if (p->failed) {
		reader_warning(r, "failed repetition; skipped", 0, r->src->offset);
	} else {
		number = buf_room(&p->metas, NUM_ROOM);
		p->metas.n += (size_t)(num_put_u64(number, p->repetition) - number);
		buf_char(&p->metas, ' ');
		buf_add(&p->metas, p->members.p, p->members.n);
		buf_char(&p->metas, '\n');
	}
	p->repetition++;
	p->level = POINT_LIST;
}

/*
 * Sets p->value to the next value, of n bytes in the source, without its white space. False when it is not valid JSON.
 */
static bool store_value(struct dvdt_point *p, struct reader *r, size_t n)
{
	struct str text = str_trim((struct str){r->src->p, n});
	struct fault fault;

	if (!json_check(text, &fault))
		return false;
	text = reader_names(r, text);
	p->value.n = 0;
	buf_room(&p->value, text.n + 2 * SCAN_PAD);
	if (text.p[0] == '{' || text.p[0] == '[')
		p->value.n = scan_squeeze(p->value.p, text).n;
	else
		buf_add(&p->value, text.p, text.n);
	source_skip(r->src, n);
	return true;
}

/* Makes a record of a member that is outside the list of repetitions. */
static enum dvdt_step read_about(struct dvdt_point *p, struct reader *r, struct event *e)
{
	struct str key = json_write_str(&p->key), value = json_write_str(&p->value);
	struct fault ignored;

	if (str_eq(key, STR("\"choices\"")))
		json_tree_read(&p->choices, value, &ignored);
	p->args.n = 0;
	if (value.p[0] != '{') {
		json_write_begin(&p->args, NULL, '{');
		json_write_json(&p->args, "value", value);
		json_write_end(&p->args, '}');
		value = json_write_str(&p->args);
	}
	event_clear(e);
	event_set_kind(e, KIND_META);
	event_set(e, EVENT_NAME, key);
	if (r->args)
		event_set(e, EVENT_ARGS, value);
	return DVDT_RECORD;
}

static enum dvdt_step read_member(struct dvdt_point *p, struct reader *r, struct event *e)
{
	struct str key = json_write_str(&p->key);
	bool cut;
	size_t n;

	if (p->level == POINT_TOP && str_eq(key, STR("\"characteristics_list\"")) && document_take(r, '[')) {
		p->level = POINT_LIST;
		return DVDT_ON;
	}
	if (p->level == POINT_REPETITION && str_eq(key, STR("\"run\"")) && document_take(r, '{')) {
		p->level = POINT_RUN;
		return DVDT_ON;
	}
	if (p->level == POINT_RUN && str_eq(key, STR("\"dvdt_prof\"")) && document_take(r, '[')) {
		p->any_profiling = true;
		return DVDT_CALLS;
	}
	if (p->level == POINT_RUN && str_eq(key, STR("\"per_layer_info\"")) && document_take(r, '['))
		return DVDT_LAYERS;
	n = document_value(r, &cut);
	if (!n || !store_value(p, r, n))
		return report_damage(r, cut ? "file is cut short" : "not valid JSON; rest of the file skipped");
	if (p->level == POINT_TOP)
		return read_about(p, r, e);
	p->failed |= str_eq(key, STR("\"run_success\"")) && str_eq(json_write_str(&p->value), STR("\"no\""));
	json_write_member(&p->members, json_inner(key), json_write_str(&p->value));
	return DVDT_ON;
}

enum dvdt_step dvdt_point_step(struct dvdt_point *p, struct reader *r, struct event *e)
{
	struct fault fault;
	struct str key;
	bool cut;
	size_t n;

	if (p->level == POINT_LIST)
		return in_list(p, r);
	if (document_take(r, ','))
		return DVDT_ON;
	if (document_take(r, '}')) {
		if (p->level == POINT_TOP)
			return DVDT_END;
		if (p->level == POINT_RUN) {
			p->level = POINT_REPETITION;
			return DVDT_RAN;
		}
		close_repetition(p, r);
		return DVDT_ON;
	}
	n = document_value(r, &cut);
	key = (struct str){r->src->p, n};
	if (!n || key.p[0] != '"' || !json_check(key, &fault))
		return report_damage(r, cut ? "file is cut short" : "not valid JSON; rest of the file skipped");
	p->key.n = p->value.n = 0;
	json_unescape(&p->value, json_inner(key));
	json_quote(&p->key, json_write_str(&p->value));
	source_skip(r->src, n);
	if (!document_take(r, ':'))
		return report_damage(
		    r, document_peek(r) < 0 ? "file is cut short" : "not valid JSON; rest of the file skipped");
	document_peek(r);
	return read_member(p, r, e);
}

void dvdt_point_counts(struct dvdt_point *p, uint64_t calls, uint64_t layers)
{
	json_write_int(&p->members, "calls", (int64_t)calls);
	json_write_int(&p->members, "layers", (int64_t)layers);
}

bool dvdt_point_next(struct dvdt_point *p, struct reader *r, struct event *e, uint64_t *repetition)
{
	const struct str program = json_tree_get(&p->choices, "data_uoa");
	struct str rest, line;

	if (p->at == p->metas.n) {
		p->metas.n = p->at = 0;
		return false;
	}
	rest = str_from(json_write_str(&p->metas), p->at);
	line = str_head(rest, str_find(rest, STR("\n")));
	p->at += line.n + 1;
	*repetition = 0;
	for (; line.p[0] != ' '; line = str_from(line, 1))
		*repetition = *repetition * 10 + (uint64_t)(line.p[0] - '0');
	line = str_from(line, 1);
	p->args.n = 0;
	json_write_begin(&p->args, NULL, '{');
	if (program.p)
		json_write_json(&p->args, "program", program);
	line = program.p ? line : str_from(line, 1); /* skips the first comma */
	buf_add(&p->args, line.p, line.n);
	json_write_end(&p->args, '}');
	event_clear(e);
	event_set_kind(e, KIND_META);
	event_set(e, EVENT_NAME, STR("\"ck_repetition\""));
	if (r->args)
		event_set(e, EVENT_ARGS, json_write_str(&p->args));
	return true;
}

void dvdt_point_free(struct dvdt_point *p)
{
	buf_free(&p->members);
	buf_free(&p->metas);
	json_tree_free(&p->choices);
	buf_free(&p->key);
	buf_free(&p->value);
	buf_free(&p->args);
}
