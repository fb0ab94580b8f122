/* nsys_record: makes the record of a row, for the readers of JSON and of databases. */
#include "nsys_record.h"

#include "base/num_parse.h"
#include "json/string.h"
#include "json/write.h"

/* Returns the process of a row, from the global id of its thread or, if that is absent, of its process. */
static inline uint64_t nsys_row_process(const struct nsys_row *row)
{
	return nsys_global_id(row->v[row->v[NSYS_THREAD].p ? NSYS_THREAD : NSYS_PROCESS]) >> 24 & 0xffffff;
}

/* --- names --- */

struct str nsys_plain(struct buf *to, struct str text)
{
	struct buf room = {0};
	const size_t at = to->n;

	if (!memchr(text.p, '\\', text.n))
		return text;
	json_requote(to, text, &room);
	buf_free(&room);
	return str_from(buf_str(to), at);
}

void nsys_record_string(struct event *e, struct str id, struct str text)
{
	event_clear(e);
	event_set_kind(e, KIND_META);
	event_set(e, EVENT_CAT, STR("\"string\""));
	event_set(e, EVENT_ID, id);
	event_set(e, EVENT_NAME, text);
}

const struct nsys_metric *nsys_metric_of(struct str table, bool names)
{
	static const struct nsys_metric metrics[] = {
	    {"GPU_METRICS", "TARGET_INFO_GPU_METRICS", {"typeId", "metricId"}, "metricName", true},
	    {"NET_NIC_METRIC", "TARGET_INFO_NETWORK_METRICS", {"metricsListId", "metricsIdx"}, "name", false},
	    {"NET_IB_SWITCH_METRIC", "TARGET_INFO_NETWORK_METRICS", {"metricsListId", "metricsIdx"}, "name", false},
	};
	size_t i;

	for (i = 0; i < sizeof metrics / sizeof *metrics; i++) {
		if (str_eq(table, str_of(names ? metrics[i].names : metrics[i].rows)))
			return &metrics[i];
	}
	return NULL;
}

/* Returns whether the text of an id is known, or there is no id. An id may also be a text itself. */
static bool find_text(struct nsys_record *record, struct str id, struct buf *to, struct str *text)
{
	struct str digits = id.p ? nsys_whole(id) : id;

	to->n = 0;
	if (digits.p)
		return record->text_of(record->arg, digits, to, text);
	*text = id.p && id.p[0] == '"' ? id : (struct str){NULL, 0};
	return true;
}

static void find_names(struct nsys_record *record, struct reader *r)
{
	const struct str *v = record->row.v, none = {NULL, 0};
	const bool kernel = record->kind.kind == KIND_KERNEL;

	record->id = v[NSYS_NAME].p ? none : v[NSYS_NAME_ID];
	if (kernel)
		record->id = v[NSYS_DEMANGLED].p ? v[NSYS_DEMANGLED]
			     : v[NSYS_SHORT].p   ? v[NSYS_SHORT]
						 : v[NSYS_MANGLED];
	record->short_id = r->args ? v[NSYS_SHORT] : none;
	/* Look up both names even if the first is unknown, so that both are counted as awaited. */
	record->named = find_text(record, record->id, &record->name_text, &record->name);
	record->named &= find_text(record, record->short_id, &record->short_text, &record->short_name);
	if (v[NSYS_NAME].p && !kernel) {
		record->name_text.n = 0;
		record->name = nsys_plain(&record->name_text, v[NSYS_NAME]);
	}
}

struct str nsys_record_domain(struct nsys_record *record, struct str created)
{
	const struct nsys_row *row = &record->row;
	struct str id = row->v[NSYS_DOMAIN].p ? nsys_whole(row->v[NSYS_DOMAIN]) : row->v[NSYS_DOMAIN];
	char key[2 * NUM_ROOM], *p;

	if (!id.p || id.n > NUM_ROOM)
		return (struct str){NULL, 0};
	p = num_put_u64(key, nsys_row_process(row));
	*p++ = ':';
	memcpy(p, id.p, id.n);
	id = (struct str){key, (size_t)(p + id.n - key)};
	if (created.p)
		id_texts_put(&record->domains, id, created);
	return id_texts_get(&record->domains, id);
}

/*
 * Finds a row's domain, once the row's own names are known. An event that creates or destroys a domain gets the
 * domain's name.
 */
static void find_domain(struct nsys_record *record)
{
	const enum nsys_domain domain = nsys_row_domain(&record->row);
	const struct str none = {NULL, 0};

	record->domain = none;
	if (domain == NSYS_DOMAIN_USED)
		record->domain = nsys_record_domain(record, none);
	else if (domain != NSYS_DOMAIN_NONE && record->named)
		record->name = nsys_record_domain(record, domain == NSYS_DOMAIN_CREATED ? record->name : none);
}

bool nsys_record_begin(struct nsys_record *record, struct reader *r)
{
	struct nsys_row_kind *is = &record->kind;

	if (!nsys_row_find_kind(is, &record->row))
		return false;
	find_names(record, r);
	find_domain(record);
	nsys_range_find_kind(is, record->domain, record->name);
	/* A range may turn out to be a call once its name is known. */
	return reader_wants(r, is->kind) || (!record->named && is->kind == KIND_RANGE && reader_wants(r, KIND_API));
}

/* --- members --- */

/* Sets ts and dur. Returns false when a time is not an integer, or does not fit in int64. */
static bool set_row_times(struct event *e, const struct nsys_row *row, enum event_kind kind)
{
	struct str start = row->v[NSYS_START], end = row->v[NSYS_END];
	int64_t from = row->start, to = row->end, dur;

	if (!start.p && !row->has_start)
		return true;
	if ((start.p && num_int(start, &from) != NUM_OK) || (end.p && num_int(end, &to) != NUM_OK))
		return false;
	/* A CUDA event that is recorded on the device has no time in the source, only a 0 in its place. */
	if (from == 0 && (row->object.p ? kind == KIND_OTHER && end.p && to == 0
					: str_eq(row->v[NSYS_TABLE], STR("\"CUPTI_ACTIVITY_KIND_CUDA_EVENT\""))))
		return true;
	event_set_ts(e, from);
	if (!end.p && !row->has_end)
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

/* Sets record->pid and record->tid; p is NULL for an absent one. */
static void find_ids(struct nsys_record *record)
{
	const struct str *v = record->row.v;
	const bool of_thread = v[NSYS_THREAD].p;
	const struct str id = v[of_thread ? NSYS_THREAD : NSYS_PROCESS];
	uint64_t tid;

	if (id.n && of_thread == record->of_thread &&
	    str_eq(id, (struct str){record->global_id, record->global_id_length}))
		return;
	record->pid = record->tid = (struct str){NULL, 0};
	record->of_thread = of_thread;
	record->global_id_length = id.n <= NUM_ROOM ? id.n : 0;
	if (!id.p)
		return;
	memcpy(record->global_id, id.p, record->global_id_length);
	record->pid = num_str_u64(record->pid_text, nsys_row_process(&record->row));
	tid = nsys_global_id(id) & 0xffffff; /* 0 in the id of a process */
	if (tid && of_thread)
		record->tid = num_str_u64(record->tid_text, tid);
}

static void set_members(struct nsys_record *record, struct event *e)
{
	const struct nsys_row *row = &record->row;
	const struct nsys_row_kind *is = &record->kind;
	struct str cat = row->event.p ? row->event : row->v[row->v[NSYS_TABLE].p ? NSYS_TABLE : NSYS_LINE];

	event_set_kind(e, is->kind);
	if (!cat.p && is->kind == KIND_META)
		cat = STR("\"ThreadName\""); /* an element of a {"data":[...]} line has no type */
	if (cat.p)
		event_set(e, EVENT_CAT, cat);
	find_ids(record);
	if (record->pid.p)
		event_set(e, EVENT_PID, record->pid);
	if (record->tid.p)
		event_set(e, EVENT_TID, record->tid);
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

static void set_args(struct nsys_record *record, struct event *e)
{
	const struct nsys_row_kind *is = &record->kind;
	const struct str *v = record->row.v;
	struct buf *args = &record->row.args;

	/* A row without a start gets no dur, so write the end to args. */
	if (!v[NSYS_START].p && v[NSYS_END].p && nsys_whole(v[NSYS_END]).p)
		json_write_json(args, "end", v[NSYS_END]);
	if (record->short_name.p)
		json_write_json(args, "shortName", record->short_name);
	if (is->lib.p)
		json_write_json(args, "lib", is->lib);
	if (is->style.p)
		json_write_json(args, "style", is->style);
	if (record->domain.p)
		json_write_json(args, "domain", record->domain);
	if (args->n) {
		args->p[0] = '{'; /* in place of the first comma */
		buf_char(args, '}');
		event_set(e, EVENT_ARGS, buf_str(args));
	}
	if (v[NSYS_TYPE].p) {
		record->src.n = 0;
		buf_lit(&record->src, "{\"Type\":");
		buf_add(&record->src, v[NSYS_TYPE].p, v[NSYS_TYPE].n);
		buf_char(&record->src, '}');
		event_set(e, EVENT_SRC, buf_str(&record->src));
	}
}

/*
 * Returns a name such as "#37", made in *to, for an id that has no text in the whole file, and reports the text as
 * lost.
 */
static struct str make_name(struct reader *r, const struct line *line, struct str id, struct buf *to)
{
	struct str digits = nsys_whole(id);

	reader_lost(r, "name id without a string; name written as \"#ID\"", line->line, line->offset);
	to->n = 0;
	buf_lit(to, "\"#");
	buf_add(to, digits.p, digits.n);
	buf_char(to, '"');
	return buf_str(to);
}

bool nsys_record_make(struct nsys_record *record, struct reader *r, const struct line *line, struct event *e)
{
	const struct nsys_row_kind *is = &record->kind;

	if (!reader_wants(r, is->kind))
		return false;
	event_clear(e);
	if (!set_row_times(e, &record->row, is->kind)) {
		reader_lost(r, "time is not a 64-bit integer (ns); record skipped", line->line, line->offset);
		return false;
	}
	if (!record->name.p)
		record->name = record->id.p && nsys_whole(record->id).p
				   ? make_name(r, line, record->id, &record->name_text)
			       : record->given_name.p ? record->given_name
						      : is->name;
	if (record->name.p)
		event_set(e, EVENT_NAME, record->name);
	if (!record->short_name.p && record->short_id.p)
		record->short_name = make_name(r, line, record->short_id, &record->short_text);
	set_members(record, e);
	e->more = record->more;
	if (r->args)
		set_args(record, e);
	return true;
}

void nsys_record_free(struct nsys_record *record)
{
	id_texts_free(&record->domains);
	bufs_free(&record->row.args, &record->name_text, &record->short_text, &record->src);
}
