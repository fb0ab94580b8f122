/*
 * perf: reads the output of perf: perf script, perf data convert --to-json, perf stat -x and -j, perf report and perf
 * top --stdio. This file recognises the layout, reads the lines, and converts the comments between them to records.
 */
#include "perf.h"

#include "json/string.h"
#include "base/num_parse.h"
#include "json/write.h"

#include <stdlib.h>

/* --- records --- */

void perf_begin(struct perf *p, struct event *e)
{
	event_clear(e);
	p->more.n = p->args.n = p->name.n = 0;
	json_write_begin(&p->args, NULL, '{');
}

void perf_name(struct perf *p, struct event *e, struct str name)
{
	p->name.n = 0;
	json_quote(&p->name, name);
	event_set(e, EVENT_NAME, json_write_str(&p->name));
}

void perf_end(struct perf *p, struct event *e)
{
	if (p->more.n)
		e->more = json_write_str(&p->more);
	if (p->args.n > 1) {
		json_write_end(&p->args, '}');
		event_set(e, EVENT_ARGS, json_write_str(&p->args));
	}
}

void perf_integer(struct event *e, enum event_member m, struct str text)
{
	int64_t v;

	if (text.n && num_int(text, &v) == NUM_OK)
		event_set(e, m, text);
}

void perf_value(struct buf *b, const char *key, struct str text)
{
	if (text.n)
		json_write_number(b, key, text);
}

struct str perf_plain(struct buf *b, struct str json)
{
	if (json.n < 2 || json.p[0] != '"')
		return json;
	b->n = 0;
	json_unescape(b, json_inner(json));
	return json_write_str(b);
}

struct str perf_digits(struct str text)
{
	while (text.n > 1 && text.p[0] == '0' && text.p[1] != '.')
		text = str_from(text, 1);
	return text;
}

bool perf_seconds(struct str text, int64_t *ns)
{
	return num_fixed(perf_digits(text), 9, ns) == NUM_OK;
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
	if (!text.n || str_starts(text, STR("========")) || perf_report_comment(p, text) || !reader_wants(r, KIND_META))
		return false;
	if (str_starts(text, STR("started on "))) {
		value = str_from(text, 11);
		text = str_head(text, 10);
	} else if (colon < text.n && str_find(text, STR(" info available")) == text.n) {
		value = str_trim(str_from(text, colon + 1));
		text = str_trim(str_head(text, colon));
	}
	perf_begin(p, e);
	event_set_kind(e, KIND_META);
	perf_name(p, e, text);
	if (value.p)
		json_write_text(&p->args, "value", value);
	perf_end(p, e);
	return true;
}

/* --- recognition --- */

/* Whether the text after the "# " of a comment begins like one of perf's comments. */
static bool is_our_comment(struct str line)
{
	static const char *const ours[] = {"captured on", "perf version", "os release", "started on ", "cmdline : ",
	    "Samples: ", "Total Lost Samples: ", "Event count (approx.): ", "To display the perf.data header info"};
	size_t i;

	line = str_trim(str_from(line, 1));
	for (i = 0; i < sizeof ours / sizeof *ours; i++) {
		if (str_starts(line, str_of(ours[i])))
			return true;
	}
	return perf_report_heads(line);
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

/* Returns the next line that is not blank; "" when there are no more. */
static struct str full_line(struct str *rest)
{
	struct str line;

	return head_line(rest, &line) ? line : STR("");
}

static bool probe(struct str head)
{
	struct str line, rest = head;

	if (perf_convert_is(rest))
		return true;
	while ((line = full_line(&rest)).n && line.p[0] == '#') {
		if (is_our_comment(line))
			return true;
	}
	return line.n && layout_of(line, full_line(&rest)) != PERF_NONE;
}

/* --- lines --- */

/*
 * Reads the next line into p->line. Returns 1, or 0 at the end. Invalid UTF-8 and NUL bytes are repaired later, when
 * texts are quoted.
 */
static int next_line(struct perf *p)
{
	if (p->again) {
		p->again = false;
		return 1;
	}
	p->last_line = p->line.line;
	if (lines_next(&p->lines, &p->line) <= 0)
		return 0;
	return 1;
}

/* Returns the part of the next line that is already in the window. */
static struct str after_line(const struct perf *p)
{
	struct str rest = {p->lines.src->p + p->lines.start, p->lines.src->n - p->lines.start};

	return full_line(&rest);
}

static int by_layout(struct perf *p, struct reader *r, struct str line, struct event *e)
{
	switch (p->layout) {
	case PERF_CSV:
		return perf_csv_line(p, r, line, e);
	case PERF_JSONL:
		return perf_jsonl_line(p, r, line, e);
	case PERF_REPORT:
		return perf_report_line(p, r, line, e);
	default:
		return perf_script_line(p, r, line, e);
	}
}

/*
 * Whether the window begins with a document of perf data convert. The first bracket alone does not show that, so more
 * bytes are read.
 */
static bool is_convert(struct reader *r)
{
	while (r->src->n < 4096 && !str_trim((struct str){r->src->p, r->src->n}).n && source_more(r->src) > 0)
		;
	return perf_convert_is((struct str){r->src->p, r->src->n});
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct perf *p = state;
	struct str line;
	int made;

	if (!p->opened) {
		p->opened = true;
		if (is_convert(r))
			p->layout = PERF_CONVERT;
		else
			lines_begin(&p->lines, r->src, SCAN_LINES, r->max_record);
	}
	if (p->layout == PERF_CONVERT)
		return perf_convert_next(p, r, e);
	while (next_line(p)) {
		line = p->line.text;
		if (line.p[0] == '#' && (line.n == 1 || !perf_script_is(line, STR("")))) {
			if (p->sample.open) {
				p->again = true;
				return perf_script_end(p, r, e);
			}
			if (comment(p, r, line, e))
				return 1;
			continue;
		}
		if (p->layout == PERF_NONE)
			p->layout = p->report.n ? PERF_REPORT : layout_of(line, after_line(p));
		made = by_layout(p, r, line, e);
		if (made)
			return 1;
	}
	return p->sample.open && perf_script_end(p, r, e);
}

static void close_perf(void *state, struct reader *r)
{
	struct perf *p = state;

	reader_over(r, &p->lines, "record larger than --max-record; skipped");
	perf_sample_free(&p->sample);
	buf_free(&p->more);
	buf_free(&p->args);
	buf_free(&p->name);
	buf_free(&p->comm);
	buf_free(&p->numbers);
	buf_free(&p->repaired);
	buf_free(&p->scratch);
	buf_free(&p->other);
	free(p->report.columns);
	buf_free(&p->report.header);
	buf_free(&p->report.event);
	json_tree_free(&p->convert.headers);
}

const struct format format_perf = {
    .name = "perf",
    .help = "perf script, perf data convert --to-json, perf stat -x or -j, perf report or top --stdio",
    .example = "perf script | trace2ndjson",
    .probe = probe,
    .state_size = sizeof(struct perf),
    .next = next,
    .close = close_perf,
};
