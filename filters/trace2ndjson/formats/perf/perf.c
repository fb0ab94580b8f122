/*
 * perf: reads the output of perf: perf script, perf data convert --to-json, perf stat -x and -j, perf report and perf
 * top --stdio. This file recognises the layout, reads the lines, and converts the comments between them to records.
 */
#include "perf_script.h"
#include "perf_table.h"

#include "base/num_parse.h"
#include "json/check.h"
#include "json/iter.h"
#include "json/string.h"
#include "json/tree.h"
#include "json/write.h"
#include "trace2ndjson/formats/document.h"

struct perf {
	enum perf_layout {
		PERF_NONE, /* only comments have been read so far */
		PERF_SCRIPT,
		PERF_CSV,
		PERF_JSONL,
		PERF_REPORT,
		PERF_CONVERT,
	} layout;
	bool opened;
	struct line line; /* the current line */
	struct perf_script script;
	struct perf_report report;
	struct buf comm, event, parts[3], scratch, others; /* parts: the texts of a frame */
	/* convert: the document has begun; its array of samples is being read */
	bool samples;
	struct json_tree headers; /* convert: the headers of the file, until they are converted to records */
	size_t next_header;       /* the position for json_tree_next() */
};

/*
 * --- perf data convert --to-json ---
 *
 * One object with the file's headers and an array of samples. json/lines returns each sample as one line. A damaged
 * sample is repaired or skipped; input that is cut short is reported.
 */

static bool convert_is(struct str head)
{
	head = str_trim(head);
	return head.n && head.p[0] == '{' && str_find(head, STR("\"linux-perf-json-version\"")) < head.n;
}

/* --- the headers --- */

/* Reads the members before "samples", and the "[" that opens the array of samples. */
static bool open_samples(struct perf *p, struct reader *r)
{
	struct fault fault;
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
		if (r->src->p[0] == '{' && !json_tree_read(&p->headers, (struct str){r->src->p, n}, &fault))
			reader_lost(r, "headers are not valid JSON or are too large; skipped", 0, r->src->offset);
		source_skip(r->src, n);
		document_take(r, ',');
	}
	reader_cut(r, "array of samples not found; the file may be cut short", 0, r->src->offset);
	source_skip(r->src, r->src->n);
	return false;
}

/* Converts the next header to a record: 1, or 0 when no more are left. */
static int next_header(struct perf *p, struct reader *r, struct event *e)
{
	struct str key, value;

	if (!reader_wants(r, KIND_META) || !json_tree_next(&p->headers, &p->next_header, &key, &value))
		return 0;
	draft_begin(r, e, KIND_META);
	p->scratch.n = 0;
	json_unescape(&p->scratch, key);
	draft_name(r->draft, buf_str(&p->scratch));
	json_write_json(&r->draft->args, "value", value);
	return draft_end(r, e);
}

/* --- samples --- */

/* Adds the frames of an array of objects. */
static void add_chain(struct perf *p, struct str chain)
{
	static const struct str keys[] = {{"ip", 2}, {"symbol", 6}, {"dso", 3}};
	struct str frame, key, value, part[3];
	struct iter w, members;
	size_t i;

	iter_array(&w, chain);
	while (iter_element(&w, &frame)) {
		if (!frame.n || frame.p[0] != '{')
			continue;
		part[0] = part[1] = part[2] = STR("");
		iter_init(&members, frame);
		while (iter_next(&members, &key, &value) > 0) {
			for (i = 0; i < 3 && !str_eq(key, keys[i]); i++)
				;
			if (i < 3 && json_is_string(value))
				part[i] = perf_plain(&p->parts[i], value);
		}
		if (str_starts(part[0], STR("0x")))
			part[0] = str_from(part[0], 2);
		perf_frame_add(&p->script.sample, part[0], part[1], STR(""), part[2]);
	}
}

/* Converts a sample. Returns whether *e is a record; its time may not fit in 64 bits, which is reported. */
static bool make_sample(struct perf *p, struct reader *r, struct str text, uint64_t offset, struct event *e)
{
	struct perf_sample *s = &p->script.sample;
	struct perf_header *h = &s->at;
	static const char *const names[] = {"pid", "tid", "cpu", "period", "comm", "event"};
	struct str *const members[] = {&h->pid, &h->tid, &h->cpu, &h->period, &h->comm, &h->event};
	enum { COMM = 4, N = sizeof names / sizeof *names };
	struct str key, value;
	struct iter w;
	size_t i;

	perf_sample_begin(s, 0, offset);
	p->others.n = 0;
	iter_init(&w, text);
	while (iter_next(&w, &key, &value) > 0) {
		for (i = 0; i < N && !str_eq(key, str_of(names[i])); i++)
			;
		if (i < N) {
			*members[i] = i < COMM ? value : perf_plain(i == COMM ? &p->comm : &p->event, value);
		} else if (str_eq(key, STR("timestamp"))) {
			h->has_ts = num_whole(value, &h->ts) == NUM_OK;
			if (!h->has_ts) {
				reader_lost(r, "ts does not fit in 64 bits; sample skipped", 0, offset);
				return false;
			}
		} else if (str_eq(key, STR("callchain")) && value.p[0] == '[') {
			add_chain(p, value);
		} else {
			json_write_squeezed(&p->others, key, value); /* perf prints such values on several lines */
		}
	}
	return perf_sample_end(s, r, str_from(buf_str(&p->others), 1), e); /* without the first comma */
}

/* Reads the text after the array: it should be only the closing brace of the document. */
static void end_samples(struct perf *p, struct reader *r)
{
	p->samples = false;
	lines_end(&r->lines);
	if (document_peek(r) < 0)
		reader_cut(r, "file is cut short: the object is not closed", 0, r->src->offset);
	else if (!document_take(r, '}') || document_peek(r) >= 0)
		reader_lost(r, "text after the samples; skipped", 0, r->src->offset);
	source_skip(r->src, r->src->n);
}

/* --- comments --- */

/*
 * Converts a comment to a record of kind meta. The comment is "# key : value", which is a line of the header, or a text
 * such as "# started on Sat Nov 21". False when the comment is empty, or when it has the column names of a report.
 */
static bool comment(struct perf *p, struct reader *r, struct str line, struct event *e)
{
	struct str text = str_trim(str_from(line, 1)), value = {NULL, 0};
	size_t colon = str_find(text, STR(":"));

	while (str_starts(text, STR("#")))
		text = str_trim(str_from(text, 1));
	if (!text.n || str_starts(text, STR("========")) || perf_report_comment(&p->report, text) ||
	    !reader_wants(r, KIND_META))
		return false;
	if (str_starts(text, STR("started on "))) {
		value = str_from(text, 11);
		text = str_head(text, 10);
	} else if (colon < text.n && str_find(text, STR(" info available")) == text.n) {
		value = str_trim(str_from(text, colon + 1));
		text = str_trim(str_head(text, colon));
	}
	draft_begin(r, e, KIND_META);
	draft_name(r->draft, text);
	if (value.p)
		json_write_text(&r->draft->args, "value", value);
	return draft_end(r, e);
}

/* Returns the layout of the file from its first line that is not a comment; `after` is the next line. */
static enum perf_layout layout_of(struct str line, struct str after)
{
	if (perf_jsonl_is(line))
		return PERF_JSONL;
	if (perf_csv_is(line))
		return PERF_CSV;
	if (perf_report_is(line, after))
		return PERF_REPORT;
	return perf_script_is(line, after) ? PERF_SCRIPT : PERF_NONE;
}

/* --- lines --- */

/* Returns the next line that is not blank; "" when there are no more. */
static struct str full_line(struct str *rest)
{
	struct str line;

	return head_line(rest, &line) ? line : STR("");
}

/* Returns the part of the text after the current line that is already in the window. */
static struct str text_after(const struct reader *r)
{
	return (struct str){r->lines.src->p + r->lines.start, r->lines.src->n - r->lines.start};
}

static int by_layout(struct perf *p, struct reader *r, struct event *e)
{
	const struct str next = text_after(r);
	struct str text, rest = next;

	if (p->layout == PERF_NONE)
		p->layout = p->report.n ? PERF_REPORT : layout_of(p->line.text, full_line(&rest));
	switch (p->layout) {
	case PERF_CSV:
		return perf_csv_line(r, &p->line, e);
	case PERF_JSONL:
		text = reader_sound(r, &p->line, p->line.text);
		return text.p && perf_jsonl_line(r, &p->scratch, text, e);
	case PERF_REPORT:
		return perf_report_line(&p->report, r, &p->line, e);
	default:
		if (perf_script_line(&p->script, r, &p->line, e))
			return 1;
		if (p->script.any_header)
			p->layout = PERF_SCRIPT;
		/* If a blank line follows, the sample ends, and its record can be made at once. */
		return !p->script.again && (str_starts(next, STR("\n")) || str_starts(next, STR("\r\n"))) &&
		       perf_script_end(&p->script, r, e);
	}
}

/*
 * Handles an invalid sample, whose text may include other samples because a quote or bracket is wrong. Continues at the
 * next line that is indented like the beginning of a sample. False when there is no such line.
 */
static bool restart_lines(struct reader *r, struct str text, uint64_t offset)
{
	const size_t next = str_find(text, STR("\n\t\t{"));

	if (next == text.n)
		return false;
	reader_lost(r, "not a valid sample; skipped", 0, offset);
	lines_restart(&r->lines, offset + next);
	return true;
}

/* Reads an element of the array, or the "]" that ends it. Returns 1 when the element became a record. */
static int read_element(struct perf *p, struct reader *r, const struct line *line, struct event *e)
{
	struct str text = line->text;
	uint64_t offset;

	while (text.n && (is_json_space(text.p[0]) || text.p[0] == ',' || !text.p[0]))
		text = str_from(text, 1);
	offset = line->offset + (uint64_t)(text.p - line->text.p);
	if (!text.n)
		return 0;
	if (text.p[0] == ']') {
		end_samples(p, r);
		return 0;
	}
	if ((line->partial || line->cut) && restart_lines(r, text, offset))
		return 0;
	if (line->partial)
		return 0; /* lines_next() will return the element again, complete or cut short */
	if (line->cut) {
		reader_cut(r, "file is cut short: the last sample is incomplete", 0, offset);
		p->samples = false;
		return 0;
	}
	if (text.p[0] != '{') {
		reader_lost(r, "not a valid sample; skipped", 0, offset);
		if (text.p[0] == '}') /* the scan mistook an extra brace for the end of an element */
			lines_restart(&r->lines, offset + 1);
		return 0;
	}
	if (!json_check(text, NULL)) {
		if (restart_lines(r, text, offset))
			return 0;
		text = reader_sound(r, &(struct line){.text = text, .offset = offset}, text);
		if (!text.p)
			return 0;
	} else {
		text = reader_names(r, text);
	}
	return make_sample(p, r, text, offset, e);
}

static int convert_next(struct perf *p, struct reader *r, struct event *e)
{
	struct line line;

	if (next_header(p, r, e))
		return 1;
	while (p->samples) {
		if (lines_next(&r->lines, &line) <= 0) {
			reader_cut(
			    r, "file is cut short: the array of samples is not closed", 0, r->src->offset + r->src->n);
			p->samples = false;
			return 0;
		}
		if (read_element(p, r, &line, e))
			return 1;
	}
	return 0;
}

static void open_layout(struct perf *p, struct reader *r)
{
	p->opened = true;
	while (r->src->n < 4096 && !str_trim((struct str){r->src->p, r->src->n}).n && source_more(r->src) > 0)
		;
	if (convert_is((struct str){r->src->p, r->src->n})) {
		p->layout = PERF_CONVERT;
		p->samples = open_samples(p, r);
	}
	lines_begin(&r->lines, r->src, p->layout == PERF_CONVERT ? SCAN_VALUES : SCAN_LINES, r->max_record);
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct perf *p = state;
	struct str line;

	if (!p->opened)
		open_layout(p, r);
	if (p->layout == PERF_CONVERT)
		return convert_next(p, r, e);
	while (p->script.again || lines_next(&r->lines, &p->line) > 0) {
		line = p->line.text;
		p->script.again = false;
		if (line.p[0] == '#' && (line.n == 1 || !perf_script_is(line, STR("")))) {
			p->script.again = p->script.sample.open;
			if (p->script.again ? perf_script_end(&p->script, r, e) : comment(p, r, line, e))
				return 1;
		} else if (by_layout(p, r, e)) {
			return 1;
		}
	}
	return perf_script_end(&p->script, r, e);
}

/* --- recognition --- */

/* Whether the text after the "# " of a comment begins like one of perf's comments. */
static bool is_our_comment(struct str line)
{
	static const char *const ours[] = {"captured on", "perf version", "os release", "started on ", "cmdline : ",
	    "Samples: ", "Total Lost Samples: ", "Event count (approx.): ", "To display the perf.data header info",
	    NULL};

	line = str_trim(str_from(line, 1));
	return str_starts_in(line, ours) || perf_report_heads(line);
}

static bool is_perf_output(struct str head)
{
	struct str line, rest = head;

	if (convert_is(rest))
		return true;
	while ((line = full_line(&rest)).n && line.p[0] == '#') {
		if (is_our_comment(line))
			return true;
	}
	return line.n && layout_of(line, full_line(&rest)) != PERF_NONE;
}

static void close_perf(void *state, struct reader *r)
{
	struct perf *p = state;

	(void)r;
	perf_sample_free(&p->script.sample);
	perf_report_free(&p->report);
	bufs_free(&p->comm, &p->event, &p->parts[0], &p->parts[1], &p->parts[2], &p->scratch, &p->others);
	json_tree_free(&p->headers);
}

const struct format format_perf = {
    .name = "perf",
    .help = "perf script, perf data convert --to-json, perf stat -x or -j, perf report or top --stdio",
    .example = "perf script | trace2ndjson",
    .probe = is_perf_output,
    .state_size = sizeof(struct perf),
    .next = next,
    .close = close_perf,
};
