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

#include "base/num_format.h"
#include "base/num_parse.h"
#include "json/iter.h"
#include "json/write.h"

/* --- lines: from the source, from a list within a line, or from the spool --- */

static void open_nsys(void *state, struct reader *r)
{
	struct nsys *s = state;

	lines_begin(&s->lines, r->src, SCAN_LINES, r->max_record);
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

/* --- names --- */

struct named {
	struct str id, short_id; /* ids of the names; p == NULL for an absent id */
	struct str name, short_name;
	struct str domain; /* the domain of an NVTX event */
	bool all;          /* the texts of both names are known; that of the domain may be unknown */
};

static void find_names(struct nsys *s, struct reader *r, enum event_kind kind, struct named *named)
{
	const struct str *v = s->row.v, none = {NULL, 0};
	bool name, short_name;

	named->id = v[NSYS_NAME].p ? none : v[NSYS_NAME_ID];
	if (kind == KIND_KERNEL)
		named->id = v[NSYS_DEMANGLED].p ? v[NSYS_DEMANGLED] : v[NSYS_SHORT].p ? v[NSYS_SHORT] : v[NSYS_MANGLED];
	named->short_id = r->args ? v[NSYS_SHORT] : none;
	/* Look up both names even if the first is unknown, so that both are counted as awaited. */
	name = nsys_text_of(s, named->id, &named->name);
	short_name = nsys_text_of(s, named->short_id, &named->short_name);
	named->all = name && short_name;
	if (v[NSYS_NAME].p && kind != KIND_KERNEL) {
		s->name.n = 0;
		named->name = nsys_plain(&s->name, v[NSYS_NAME]);
	}
}

/*
 * Finds a row's domain, once the row's own names are known. An event that creates or destroys a domain gets the
 * domain's name.
 */
static void find_domain(struct nsys *s, struct named *named)
{
	const enum nsys_domain domain = nsys_row_domain(&s->row);
	const struct str none = {NULL, 0};

	named->domain = none;
	if (domain == NSYS_DOMAIN_USED)
		named->domain = nsys_domain_name(s, none);
	else if (domain != NSYS_DOMAIN_NONE && named->all)
		named->name = nsys_domain_name(s, domain == NSYS_DOMAIN_CREATED ? named->name : none);
}

/* --- records --- */

static struct str number_text(char *to, uint64_t v)
{
	return (struct str){to, (size_t)(num_put_u64(to, v) - to)};
}

/* False when a time is not an integer, or does not fit in int64. */
static bool set_times(struct event *e, const struct nsys_row *row, enum event_kind kind)
{
	struct str start = row->v[NSYS_START], end = row->v[NSYS_END];
	int64_t from, to, dur;

	if (!start.p)
		return true;
	if (num_int(start, &from) != NUM_OK || (end.p && num_int(end, &to) != NUM_OK))
		return false;
	/* A CUDA event that is recorded on the device has no time in the source, only a 0 in its place. */
	if (from == 0 && (row->object.p ? kind == KIND_OTHER && end.p && to == 0
					: str_eq(row->v[NSYS_TABLE], STR("\"CUPTI_ACTIVITY_KIND_CUDA_EVENT\""))))
		return true;
	event_set_ts(e, from);
	if (!end.p)
		return true;
	if (__builtin_sub_overflow(to, from, &dur))
		return false;
	event_set_dur(e, dur);
	return true;
}

/* Sets a standard field, unless the number means "none". */
static void set_number(struct event *e, enum event_member m, struct str value, bool zero)
{
	if (!value.p || str_eq(value, STR("-1")) || str_eq(value, STR("4294967295")) ||
	    (!zero && str_eq(value, STR("0"))))
		return;
	event_set(e, m, value);
}

static void set_members(struct nsys *s, struct event *e, const struct nsys_is *is)
{
	const struct nsys_row *row = &s->row;
	uint64_t tid = row->v[NSYS_THREAD].p ? nsys_global_id(row->v[NSYS_THREAD]) & 0xffffff : 0;
	struct str cat = row->event.p ? row->event : row->v[row->v[NSYS_TABLE].p ? NSYS_TABLE : NSYS_LINE];

	event_set_kind(e, is->kind);
	if (!cat.p && is->kind == KIND_META)
		cat = STR("\"ThreadName\""); /* an element of a {"data":[...]} line has no type */
	if (cat.p)
		event_set(e, EVENT_CAT, cat);
	if (row->v[NSYS_THREAD].p || row->v[NSYS_PROCESS].p)
		event_set(e, EVENT_PID, number_text(s->pid, nsys_row_process(row)));
	if (tid)
		event_set(e, EVENT_TID, number_text(s->tid, tid));
	set_number(e, EVENT_DEV, row->v[NSYS_DEV], true);
	set_number(e, EVENT_STREAM, row->v[NSYS_STREAM], true);
	set_number(e, EVENT_CORR, row->v[NSYS_CORR], false);
	if (row->v[NSYS_BYTES].p)
		event_set(e, EVENT_BYTES, row->v[NSYS_BYTES]);
	if (is->copy.p)
		event_set(e, EVENT_COPY, is->copy);
	if (row->v[NSYS_RESULT].p && !str_eq(row->v[NSYS_RESULT], STR("0")))
		event_set(e, EVENT_ERR, row->v[NSYS_RESULT]);
}

static void set_args(struct nsys *s, struct event *e, const struct nsys_is *is, const struct named *named)
{
	struct buf *args = &s->row.args;

	/* A row without a start gets no dur, so write the end to args. */
	if (!s->row.v[NSYS_START].p && s->row.v[NSYS_END].p && nsys_whole(s->row.v[NSYS_END]).p)
		json_write_json(args, "end", s->row.v[NSYS_END]);
	if (named->short_name.p)
		json_write_json(args, "shortName", named->short_name);
	if (is->lib.p)
		json_write_json(args, "lib", is->lib);
	if (is->style.p)
		json_write_json(args, "style", is->style);
	if (named->domain.p)
		json_write_json(args, "domain", named->domain);
	if (args->n) {
		args->p[0] = '{'; /* in place of the first comma */
		buf_char(args, '}');
		event_set(e, EVENT_ARGS, (struct str){args->p, args->n});
	}
	if (s->row.v[NSYS_TYPE].p) {
		s->src.n = 0;
		buf_lit(&s->src, "{\"Type\":");
		buf_add(&s->src, s->row.v[NSYS_TYPE].p, s->row.v[NSYS_TYPE].n);
		buf_char(&s->src, '}');
		event_set(e, EVENT_SRC, (struct str){s->src.p, s->src.n});
	}
}

/* Makes the record of s->row; false when it is not selected, was lost, or was stored in the spool. */
static bool make(struct nsys *s, struct reader *r, const struct nsys_line *line, struct event *e)
{
	struct nsys_is is;
	struct named named;
	struct fault f;

	nsys_row_is(&is, &s->row);
	find_names(s, r, is.kind, &named);
	find_domain(s, &named);
	nsys_range_is(&is, named.domain, named.name);
	/* A range may turn out to be a call once its name is known. */
	if (!reader_wants(r, is.kind) && (named.all || is.kind != KIND_RANGE || !reader_wants(r, KIND_API)))
		return false;
	if (!s->giving && (s->spool.n || (!named.all && !s->ended))) {
		if (!nsys_spool_add(&s->spool, line, &f))
			stop(s, r, &f);
		return false;
	}
	if (!reader_wants(r, is.kind))
		return false;
	event_clear(e);
	if (!set_times(e, &s->row, is.kind)) {
		reader_lost(r, "time is not a 64-bit integer (ns); record skipped", line->line, line->offset);
		return false;
	}
	if (!named.name.p)
		named.name = named.id.p && nsys_whole(named.id).p ? nsys_unnamed(r, line, named.id, &s->name) : is.name;
	if (named.name.p)
		event_set(e, EVENT_NAME, named.name);
	if (!named.short_name.p && named.short_id.p)
		named.short_name = nsys_unnamed(r, line, named.short_id, &s->short_name);
	set_members(s, e, &is);
	if (r->args)
		set_args(s, e, &is, &named);
	return true;
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct nsys *s = state;
	const struct str *v = s->row.v;
	struct nsys_line line;
	bool found;

	if (nsys_next_text(s, e))
		return 1;
	while (next_line(s, r, &line)) {
		switch (nsys_row_walk(&s->row, &line, r->kinds, r->args)) {
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
	nsys_names_free(&s->domains);
	nsys_spool_free(&s->spool);
	buf_free(&s->row.args);
	buf_free(&s->repaired);
	buf_free(&s->name);
	buf_free(&s->short_name);
	buf_free(&s->src);
}

#define TO(member) OPT_TO(struct nsys_run, member)
static const struct opt options[] = {
    {0, "strings", OPT_FLAG, TO(strings), "nsys: write each string of the export as a record of kind meta"},
    {0},
};

const struct format format_nsys = {
    .name = "nsys",
    .help = "Nsight Systems: nsys export -t json, with or without separate strings, or -t jsonlines",
    .probe = nsys_probe,
    .run_size = sizeof(struct nsys_run),
    .options = options,
    .state_size = sizeof(struct nsys),
    .open = open_nsys,
    .next = next,
    .close = close_nsys,
};
