/*
 * nsys: reads exports of Nsight Systems. These are the output of `nsys export -t json` of the versions from 2019 to
 * 2024, with or without separate strings:
 *
 *   {"type":"String","id":"37","value":"cudaLaunchKernel_v7000"}
 *   {"Type":48,"TraceProcessEvent":{"startNs":"100","endNs":"130","correlationId":7,"eventClass":0,"name":"37",...}}
 *   {"Type":79,"CudaEvent":{"startNs":"150","endNs":"190",...,"kernel":{"demangledName":"75","gridX":64,...}}}
 *
 * and the output of `nsys export -t jsonlines` of later versions, in which each line is a row of a table:
 *
 *   {"correlationId":7,"end":130,"eventClass":0,"globalTid":282054495340270,"nameId":37,"returnValue":0,"start":100,
 *    "table":"CUPTI_ACTIVITY_KIND_RUNTIME"}
 *
 * The strings form a table of names, and become records only with --strings. Every other line becomes one record. `cat`
 * is the name of the event object or of the table. args are all members except those that a standard field represents
 * completely. For a CudaEvent, they include the members of its inner object. Of the ids of names in args, only
 * shortName is replaced by its text. The others stay ids, so that groups by demangledName are the same as in the
 * vendor's tools.
 */
#include "nsys_private.h"

#include "json/iter.h"

/* --- lines: from the source, from a list within a line, or from the spool --- */

static void open_nsys(void *state, struct reader *r)
{
	struct nsys *s = state;

	lines_begin(&s->lines, r->src, SCAN_LINES, r->max_record);
	s->record.text_of = nsys_text_of;
	s->record.arg = s;
}

/* Stops after a failure of the spool, and stores the failure where the caller looks for read errors. */
static bool stop(struct nsys *s, struct reader *r, const struct fault *f)
{
	r->src->fault = *f;
	s->failed = true;
	return false;
}

static bool next_of_source(struct nsys *s, struct reader *r, struct nsys_line *line)
{
	struct line source_line;
	struct str text;

	while (lines_next(&s->lines, &source_line) > 0) {
		/* A clean line is not passed to json_check(): scan_clean() and nsys_row_walk() check it. */
		text = source_line.clean && scan_clean(source_line.text)
			   ? source_line.text
			   : reader_sound(r, &source_line, source_line.text, &s->repaired);
		if (!text.p)
			continue;
		if (text.p == s->repaired.p) {
			buf_room(&s->repaired, SOURCE_PAD); /* json/scan may load bytes after a text */
			text.p = s->repaired.p;
		}
		*line = (struct nsys_line){text, source_line.line, source_line.offset, source_line.clean};
		return true;
	}
	return false;
}

static bool next_of_list(struct nsys *s, struct reader *r, struct nsys_line *line)
{
	struct str key;
	int got;

	*line = s->list_line;
	got = iter_next(&s->list, &key, &line->text);
	if (got > 0)
		return true;
	if (got < 0)
		reader_lost(r, "not a valid JSON array; rest of the array skipped", line->line, line->offset);
	s->list.close = 0;
	return false;
}

/* Begins to read back the spooled lines, in their order. */
static bool give_back(struct nsys *s, struct reader *r)
{
	struct fault f;

	s->giving = true;
	return nsys_spool_rewind(&s->spool, &f) || stop(s, r, &f);
}

static bool next_of_spool(struct nsys *s, struct reader *r, struct nsys_line *line)
{
	struct fault f;

	if (s->spool.read < s->spool.n)
		return nsys_spool_next(&s->spool, line, &f) || stop(s, r, &f);
	s->giving = false;
	if (!nsys_spool_reset(&s->spool, &f))
		stop(s, r, &f);
	return false;
}

static bool next_line(struct nsys *s, struct reader *r, struct nsys_line *line)
{
	while (!s->failed) {
		if (s->giving && next_of_spool(s, r, line))
			return true;
		if (s->spool.n && (s->ended || !s->names.awaited)) {
			give_back(s, r);
			continue;
		}
		if (s->list.close && next_of_list(s, r, line))
			return true;
		if (s->ended)
			return false;
		if (next_of_source(s, r, line))
			return true;
		s->ended = true;
	}
	return false;
}

/* --- records --- */

/* Makes the record of the row; false when it is not selected, was lost, or was stored in the spool. */
static bool make(struct nsys *s, struct reader *r, const struct nsys_line *line, struct event *e)
{
	struct nsys_record *record = &s->record;
	struct fault f;

	record->row.shape = nsys_row_shape(&record->row);
	record->name = (struct str){NULL, 0};
	if (!s->giving && record->row.v[NSYS_TABLE].p)
		nsys_take_metadata(s, r, line);
	if (!nsys_record_begin(record, r))
		return false;
	if (record->is.kind == KIND_COUNTER)
		nsys_name_metric(s, line);
	if (!s->giving && (s->spool.n || (!record->named.all && !s->ended))) {
		if (!nsys_spool_add(&s->spool, line, &f))
			stop(s, r, &f);
		return false;
	}
	return nsys_record_make(record, r, line, e);
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct nsys *s = state;
	const struct str *v = s->record.row.v;
	struct nsys_line line;
	bool found;

	if (nsys_next_text(s, e))
		return 1;
	while (next_line(s, r, &line)) {
		switch (nsys_row_walk(&s->record.row, &line, r->kinds, r->args)) {
		case NSYS_BROKEN:
			reader_lost(r, "not a JSON record; skipped", line.line, line.offset);
			continue;
		case NSYS_SKIPPED:
			continue;
		case NSYS_WALKED:
			break;
		}
		if (str_eq(v[NSYS_LINE], STR("\"String\"")) || str_eq(v[NSYS_TABLE], STR("\"StringIds\"")))
			found = nsys_take_string(s, r, &line, e);
		else if (v[NSYS_DATA].p) {
			nsys_take_list(s, r, &line);
			found = nsys_next_text(s, e);
		} else
			found = make(s, r, &line, e);
		if (found)
			return 1;
	}
	return 0;
}

static void close_nsys(void *state, struct reader *r)
{
	struct nsys *s = state;

	reader_over(r, &s->lines, "record larger than --max-record; skipped");
	nsys_names_free(&s->names);
	nsys_record_free(&s->record);
	nsys_spool_free(&s->spool);
	buf_free(&s->repaired);
	buf_free(&s->text);
}

#define TO(member) OPT_TO(struct nsys_run, member)
const struct opt nsys_options[] = {
    {0, "strings", OPT_FLAG, TO(strings), "nsys: write each string of the export as a record of kind meta"},
    {0},
};

const struct format format_nsys = {
    .name = "nsys",
    .help = "Nsight Systems: nsys export -t json, with or without separate strings, or -t jsonlines",
    .example = "nsys export -t json run.nsys-rep && trace2ndjson run.json",
    .probe = nsys_probe,
    .run_size = sizeof(struct nsys_run),
    .options = nsys_options,
    .state_size = sizeof(struct nsys),
    .open = open_nsys,
    .next = next,
    .close = close_nsys,
};
