/*
 * perf_convert: reads the output of perf data convert --to-json: one object with the file's headers and an array of
 * samples. json/lines returns each sample as one line. A damaged sample is repaired or skipped; input that is cut short
 * is reported.
 */
#include "perf.h"

#include "base/char_class.h"
#include "trace2ndjson/formats/document.h"
#include "json/check.h"
#include "json/string.h"
#include "base/num_parse.h"
#include "json/write.h"
#include "json/iter.h"

bool perf_convert_is(struct str head)
{
	head = str_trim(head);
	return head.n && head.p[0] == '{' && str_find(head, STR("\"linux-perf-json-version\"")) < head.n;
}

static bool is_separator(char c)
{
	return is_json_space(c) || c == ',' || !c;
}

static struct str trim_left(struct str s)
{
	while (s.n && is_separator(s.p[0]))
		s = str_from(s, 1);
	return s;
}

/* --- the headers --- */

/* Stores the headers, an object of n bytes at the window's start. Its members are converted to records later. */
static void take_headers(struct perf *p, struct reader *r, size_t n)
{
	struct fault fault;

	if (!json_tree_read(&p->convert.headers, (struct str){r->src->p, n}, &fault))
		reader_lost(r, "headers are not valid JSON or are too large; skipped", 0, r->src->offset);
}

/* Reads the members before "samples", and the "[" that opens the array of samples. */
static bool open_samples(struct perf *p, struct reader *r)
{
	bool cut, samples;
	size_t n;

	document_take(r, '{');
	while ((n = document_value(r, &cut))) {
		samples = str_eq((struct str){r->src->p, n}, STR("\"samples\""));
		source_skip(r->src, n);
		if (!document_take(r, ':'))
			break;
		if (samples && document_take(r, '['))
			return true;
		n = document_value(r, &cut);
		if (!n)
			break;
		if (r->src->p[0] == '{')
			take_headers(p, r, n);
		source_skip(r->src, n);
		document_take(r, ',');
	}
	reader_lost(r, "array of samples not found; the file may be cut short", 0, r->src->offset);
	source_skip(r->src, r->src->n);
	return false;
}

/* Converts the next header to a record: 1, or 0 when no more are left. */
static int next_header(struct perf *p, struct reader *r, struct event *e)
{
	struct str key, value;

	if (!reader_wants(r, KIND_META) || !json_tree_next(&p->convert.headers, &p->convert.at, &key, &value))
		return 0;
	perf_begin(p, e);
	event_set_kind(e, KIND_META);
	p->scratch.n = 0;
	json_unescape(&p->scratch, key);
	perf_name(p, e, json_write_str(&p->scratch));
	json_write_json(&p->args, "value", value);
	perf_end(p, e);
	return 1;
}

/* --- samples --- */

static void take_frame(struct perf *p, struct str frame)
{
	struct str key, value, ip = {NULL, 0}, symbol = {NULL, 0}, dso = {NULL, 0};
	struct buf *b = &p->numbers;
	size_t at[3] = {0}, end[3] = {0}, i;
	struct iter w;

	b->n = 0;
	iter_init(&w, frame);
	while (iter_next(&w, &key, &value) > 0) {
		i = str_eq(key, STR("ip")) ? 0 : str_eq(key, STR("symbol")) ? 1 : str_eq(key, STR("dso")) ? 2 : 3;
		if (i == 3 || value.n < 2 || value.p[0] != '"')
			continue;
		at[i] = b->n;
		json_unescape(b, json_inner(value));
		end[i] = b->n;
	}
	ip = str_from(str_head(json_write_str(b), end[0]), at[0]);
	symbol = str_from(str_head(json_write_str(b), end[1]), at[1]);
	dso = str_from(str_head(json_write_str(b), end[2]), at[2]);
	perf_frame_add(&p->sample, str_starts(ip, STR("0x")) ? str_from(ip, 2) : ip, symbol, STR(""), dso);
}

static void take_chain(struct perf *p, struct str chain)
{
	struct str key, frame;
	struct iter w;

	iter_init(&w, chain);
	while (iter_next(&w, &key, &frame) > 0) {
		if (frame.n && frame.p[0] == '{')
			take_frame(p, frame);
	}
}

/*
 * Adds a member that is not a field of a record. Removes its white space, because perf prints such values on several
 * lines.
 */
static void keep_other(struct perf *p, struct str key, struct str value)
{
	if (value.p[0] == '{' || value.p[0] == '[') {
		p->scratch.n = 0;
		p->scratch.n = scan_squeeze(buf_room(&p->scratch, value.n + 64), value).n;
		value = json_write_str(&p->scratch);
	}
	json_write_member(&p->other, key, value);
}

/* Converts a sample. False when its time does not fit in 64 bits. */
static bool make_sample(struct perf *p, struct reader *r, struct str text, struct event *e)
{
	struct perf_sample *s = &p->sample;
	struct str key, value;
	struct iter w;

	perf_sample_clear(s);
	p->other.n = 0;
	iter_init(&w, text);
	while (iter_next(&w, &key, &value) > 0) {
		if (str_eq(key, STR("timestamp"))) {
			s->has_ts = num_whole(value, &s->ts) == NUM_OK;
			if (!s->has_ts)
				return false;
		} else if (str_eq(key, STR("pid"))) {
			s->pid = value;
		} else if (str_eq(key, STR("tid"))) {
			s->tid = value;
		} else if (str_eq(key, STR("cpu"))) {
			s->cpu = value;
		} else if (str_eq(key, STR("period"))) {
			s->period = value;
		} else if (str_eq(key, STR("comm"))) {
			s->comm = perf_plain(&p->comm, value);
		} else if (str_eq(key, STR("event"))) {
			s->event = perf_plain(&s->head, value);
		} else if (str_eq(key, STR("callchain")) && value.p[0] == '[') {
			take_chain(p, value);
		} else {
			keep_other(p, key, value);
		}
	}
	/* json_write_member() has written a comma before the first member; perf_sample_end() expects none there. */
	perf_sample_end(p, s, r->args, str_from(json_write_str(&p->other), p->other.n > 0), e);
	return true;
}

/* Reads the text after the array: it should be only the closing brace of the document. */
static void end_samples(struct perf *p, struct reader *r)
{
	p->convert.samples = false;
	lines_end(&p->lines);
	if (document_peek(r) < 0)
		reader_lost(r, "file is cut short: the object is not closed", 0, r->src->offset);
	else if (!document_take(r, '}') || document_peek(r) >= 0)
		reader_lost(r, "text after the samples; skipped", 0, r->src->offset);
	source_skip(r->src, r->src->n);
}

/*
 * Handles an invalid sample, whose text may include other samples because a quote or bracket is wrong. Continues at the
 * next line that is indented like the beginning of a sample. False when there is no such line.
 */
static bool restart(struct perf *p, struct reader *r, struct str text, uint64_t offset)
{
	const size_t next = str_find(text, STR("\n\t\t{"));

	if (next == text.n)
		return false;
	reader_lost(r, "not a valid sample; skipped", 0, offset);
	lines_restart(&p->lines, offset + next);
	return true;
}

/* Reads an element of the array, or the "]" that ends it. Returns 1 when the element became a record. */
static int take_element(struct perf *p, struct reader *r, const struct line *line, struct event *e)
{
	struct str text = trim_left(line->text);
	uint64_t offset = line->offset + (uint64_t)(text.p - line->text.p);
	struct fault fault;

	if (!text.n)
		return 0;
	if (text.p[0] == ']') {
		end_samples(p, r);
		return 0;
	}
	if ((line->partial || line->cut) && restart(p, r, text, offset))
		return 0;
	if (line->partial)
		return 0; /* lines_next() will return the element again, complete or cut short */
	if (line->cut) {
		reader_lost(r, "file is cut short: the last sample is incomplete", 0, offset);
		p->convert.samples = false;
		return 0;
	}
	if (text.p[0] != '{') {
		reader_lost(r, "not a valid sample; skipped", 0, offset);
		if (text.p[0] == '}') /* the scan mistook an extra brace for the end of an element */
			lines_restart(&p->lines, offset + 1);
		return 0;
	}
	if (!json_check(text, &fault)) {
		if (restart(p, r, text, offset))
			return 0;
		text = reader_sound(r, &(struct line){.text = text, .offset = offset}, text, &p->repaired);
		if (!text.p)
			return 0;
	} else {
		text = reader_names(r, text);
	}
	if (make_sample(p, r, text, e))
		return reader_wants(r, KIND_SAMPLE);
	reader_lost(r, "ts does not fit in 64 bits; sample skipped", 0, offset);
	return 0;
}

int perf_convert_next(struct perf *p, struct reader *r, struct event *e)
{
	struct line line;

	if (!p->convert.opened) {
		p->convert.opened = true;
		p->convert.samples = open_samples(p, r);
		lines_begin(&p->lines, r->src, SCAN_VALUES, r->max_record);
	}
	if (next_header(p, r, e))
		return 1;
	while (p->convert.samples) {
		if (lines_next(&p->lines, &line) <= 0) {
			reader_lost(
			    r, "file is cut short: the array of samples is not closed", 0, r->src->offset + r->src->n);
			p->convert.samples = false;
			return 0;
		}
		if (take_element(p, r, &line, e))
			return 1;
	}
	return 0;
}
