#include "call_link.h"

#include "record/event_attach.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "json/scan.h"
#include "json/write.h"
#include "json/iter_inline.h"

/* --- reading --- */

/* Returns one bit that is computed from the key; if two keys have different bits, the keys are different. */
static uint64_t mark(struct str key)
{
	return 1ull << (((key.n ? (unsigned char)key.p[key.n - 1] : 0) + key.n * 7) & 63);
}

/* Removes the attachment of this name that was read before, if there is one: the last one of a record counts. */
static void forget(struct buf *attachments, struct str name)
{
	struct str key, value, rest;
	struct iter w;
	char *at;

	scan_pad(attachments);
	at = attachments->p + (attachments->n > 0);
	w = (struct iter){at, attachments->p + attachments->n, '}', true}; /* no bracket follows: the end is a fault */
	while (iter_next(&w, &key, &value) > 0) {
		if (!str_eq(key, name))
			continue;
		at = attachments->p + (key.p - attachments->p) - 2; /* a comma and a quote */
		rest = str_from(buf_str(attachments), (size_t)(value.p + value.n - attachments->p));
		memmove(at, rest.p, rest.n);
		attachments->n = (size_t)(at - attachments->p) + rest.n;
		return;
	}
}

/*
 * Adds an attachment of a call, unless it is null, or device records get another member of the name. `seen` has the
 * marks of the preceding ones.
 */
static void add_attachment(struct call_link *l, struct str key, struct str value, uint64_t *seen)
{
	if (str_eq(key, STR("api")) || str_eq(key, STR("delay")) || str_eq(key, STR("queue")) ||
	    carried_fields_have_put(&l->take, key))
		return;
	if (*seen & mark(key))
		forget(&l->attachments, key);
	*seen |= mark(key);
	if (!str_eq(value, STR("null")))
		json_write_member(&l->attachments, key, value);
}

/*
 * Sets w->at while a program iterates over the members: it is the offset of the first attachment, of args, of src or of
 * the closing brace. `args`: args or src was found, initially false.
 */
static inline void note_place(
    struct pending_record *w, const struct event *e, enum event_member m, struct str key, bool *args)
{
	if (m < EVENT_ARGS)
		return;
	if (m == EVENT_N) {
		w->attached = true;
		w->scattered |= *args;
	} else {
		*args = true;
	}
	if (w->at == e->raw.n - 1)
		w->at = (size_t)(key.p - 1 - e->raw.p);
}

/*
 * Reads all members after the prefix in one pass: standard members go to e->m, attachments of a call to l->attachments.
 * Returns false when a member is null, or when the members are not in the order that our own programs write.
 */
static bool walk_rest(struct call_link *l, struct event *e, bool call)
{
	struct iter w = {e->raw.p + e->prefix, e->raw.p + e->raw.n, '}', false};
	enum event_member m = EVENT_NAME;
	struct str key, value;
	uint64_t seen = 0;
	const bool walked = event_walked(e);
	bool odd = false, args = false;
	int r;

	if (walked)
		iter_init(&w, e->raw);
	else
		w.p -= w.p[-1] == ',';
	l->w.at = e->raw.n - 1;
	while ((r = event_next(&w, &m, &key, &value)) > 0) {
		note_place(&l->w, e, m, key, &args);
		if (m == EVENT_N) {
			if (call)
				add_attachment(l, key, value, &seen);
			continue;
		}
		odd |= m <= EVENT_NAME || str_eq(value, STR("null"));
		if (!walked)
			event_set(e, m, value);
	}
	if (odd)
		event_walk(e); /* the slow way, for any order of members */
	if (!event_walked(e))
		e->reading = EVENT_WALKED;
	event_broken_if(e, r < 0);
	return !odd;
}

/* Returns whether args is the only member in the text from `from` on, as in most records. */
static bool is_only_args(const struct event *e, const char *from)
{
	const struct str key = STR(",\"args\":");
	struct iter w = {from + key.n, e->raw.p + e->raw.n, '}', false};
	struct str value;

	return memcmp(from, key.p, key.n) == 0 && (*w.p == '{' || *w.p == '[') && iter_value(&w, &value) &&
	       w.p == w.end - 1;
}

/*
 * Walks the text after corr, which begins at `from`, and sets *w to the place of attachments. Returns false when the
 * text is malformed, or when it contains one of these: an attachment of a call, a null, a member that identifies the
 * record or its clock.
 */
static bool walk_end(struct pending_record *w, const struct event *e, const char *from, bool call)
{
	struct iter rest = {from, e->raw.p + e->raw.n, '}', false};
	enum event_member m = EVENT_CORR;
	struct str key, value;
	bool args = false;
	int r;

	if (is_only_args(e, from)) {
		w->at = (size_t)(from + 1 - e->raw.p);
		return true;
	}
	w->at = e->raw.n - 1;
	while ((r = event_next(&rest, &m, &key, &value)) > 0) {
		if (m <= EVENT_CORR || m == EVENT_CLOCK || (m == EVENT_N && call) || str_eq(value, STR("null")))
			return false;
		note_place(w, e, m, key, &args);
	}
	return r == 0;
}

/*
 * Reads the record quickly if its text from the end of the prefix to the value of corr equals the text of the shape
 * `s`. Returns false when the texts differ or when another member requires a full reading.
 */
static bool read_again(struct call_link *l, const struct event *e, const struct call_table *calls,
    const struct call_link_shape *s, bool call)
{
	struct pending_record *w = &l->w;
	const char *p, *end;
	int64_t corr;

	if (event_walked(e) || !s->text.n || e->raw.n - e->prefix < s->text.n)
		return false;
	p = e->raw.p + e->prefix - 1;
	if (memcmp(p, s->text.p, s->text.n) != 0)
		return false;
	p += s->text.n;
	end = iter_whole_end(p);
	if (!end || *p == '-')
		return false;
	corr = iter_whole(p, end);
	call_table_prefetch(calls, s->w.who, corr);
	*w = s->w;
	if (!walk_end(w, e, end, call)) {
		*w = (struct pending_record){.attached = false};
		return false;
	}
	w->corr = corr;
	w->ts = event_has(e, EVENT_TS) ? e->ts : 0;
	w->has_ts = event_has(e, EVENT_TS);
	return l->has_corr = true;
}

/* Stores the shape of the record that was read, if corr and the members before it identify the record completely. */
static void remember(struct call_link_shape *s, const struct call_link *l, const struct event *e, bool call)
{
	struct pending_record end = {.attached = false};
	struct str corr = e->m[EVENT_CORR];
	const char *from;

	if (!e->prefix)
		return;
	from = e->raw.p + e->prefix - 1; /* points to a comma or to the closing brace */
	if (corr.p < from || !walk_end(&end, e, corr.p + corr.n, call))
		return;
	/* read_again() looks for the place of attachments only in the text after corr. */
	if (end.at != l->w.at || end.attached != l->w.attached || end.scattered != l->w.scattered)
		return;
	buf_add(&s->text, from, (size_t)(corr.p - from));
	s->w =
	    (struct pending_record){.who = l->w.who, .rank = l->w.rank, .process = l->w.process, .blind = l->w.blind};
}

/* Reads the id of a record, by which it is joined. 0 is a valid id in some formats; the other formats omit it. */
static bool read_id(struct call_link *l, struct event *e, int64_t *id)
{
	struct value v;

	if (!l->on)
		return event_has(e, EVENT_CORR) && num_whole(e->m[EVENT_CORR], id) == NUM_OK && *id != -1;
	return field_get(l->on, e, 0, &v) && value_integer(v.text, id) && *id != -1;
}

void call_link_read(
    struct call_link *l, struct event *e, struct call_places *places, const struct call_table *calls, bool tid)
{
	struct call_link_shape *shape = &l->shapes[tid];
	struct pending_record *w = &l->w;
	const struct call_place *who;
	bool usual;

	*w = (struct pending_record){.attached = false};
	l->has_corr = false;
	l->attachments.n = 0;
	if (!l->on && read_again(l, e, calls, shape, tid)) {
		if (tid && l->take.n)
			carried_fields_put(&l->take, &l->attachments, e);
		return;
	}
	if (tid)
		carried_fields_put(&l->take, &l->attachments, e);
	usual = walk_rest(l, e, tid);
	if (e->check == EVENT_BROKEN)
		return;
	w->ts = event_has(e, EVENT_TS) ? e->ts : 0;
	w->has_ts = event_has_time(e);
	l->has_corr = read_id(l, e, &w->corr);
	if (!l->has_corr || e->check == EVENT_BROKEN)
		return;
	w->blind = !event_has(e, EVENT_PID);
	w->who = call_places_put(places, event_get(e, EVENT_RANK), event_get(e, EVENT_PID),
	    tid ? event_get(e, EVENT_TID) : (struct str){NULL, 0});
	who = call_places_get(places, w->who);
	w->rank = who->rank;
	w->process = who->process;
	shape->text.n = 0;
	if (usual && !l->on && !(tid && w->attached) && !event_has(e, EVENT_CLOCK))
		remember(shape, l, e, tid);
}

void call_link_add(const struct call_link *l, struct event *e, struct call_table *calls, int64_t now)
{
	const bool has_dur = event_has(e, EVENT_DUR);
	const struct stored_call call = {.who = l->w.who & CALL_PLACES_MOST,
	    .corr = l->w.corr,
	    .has_ts = l->w.has_ts,
	    .ts = l->w.has_ts ? l->w.ts : now,
	    .has_dur = has_dur,
	    .dur = has_dur ? e->dur : 0};

	call_table_add(calls, &call, event_get(e, EVENT_NAME), buf_str(&l->attachments));
}

/* --- writing --- */

static char *put_time(char *p, struct str name, int64_t v)
{
	return num_put_i64(str_copy(p, name), v);
}

static char *put_text(char *p, struct str name, struct str json)
{
	return json.n ? str_copy(str_copy(p, name), json) : p;
}

struct str call_link_tell(
    struct buf *to, const struct pending_record *w, const struct call_table *calls, const struct stored_call *call)
{
	const struct call_place *who = call_table_place(calls, call);
	struct str name = call_table_name(calls, call);
	struct str attachments = call_table_attachments(calls, call);
	char *p, *first;
	int64_t delay, queue;

	to->n = 0;
	p = buf_room(to, name.n + who->pid.n + who->tid.n + attachments.n + 5 * NUM_ROOM + 128 + SCAN_PAD);
	first = p = str_copy(p, STR(",\"api\":"));
	p = put_text(p, STR(",\"name\":"), name);
	if (call->has_ts)
		p = put_time(p, STR(",\"ts\":"), call->ts);
	if (call->has_dur)
		p = put_time(p, STR(",\"dur\":"), call->dur);
	p = put_text(p, STR(",\"pid\":"), who->pid);
	p = put_text(p, STR(",\"tid\":"), who->tid);
	p += p == first;
	*first = '{'; /* replaces the first comma */
	*p++ = '}';
	if (call->has_ts && w->has_ts && !__builtin_sub_overflow(w->ts, call->ts, &delay)) {
		p = put_time(p, STR(",\"delay\":"), delay);
		if (call->has_dur && !__builtin_sub_overflow(delay, call->dur > 0 ? call->dur : 0, &queue) &&
		    queue >= 0)
			p = put_time(p, STR(",\"queue\":"), queue);
	}
	p = put_text(p, STR(""), attachments);
	memset(p, 0, SCAN_PAD);
	to->n = (size_t)(p - to->p);
	return (struct str){to->p, to->n};
}

/* Returns whether `told` is the text of all attachments of the record, as when the program runs again on its output. */
static bool has_told(const struct pending_record *w, struct str text, struct str told)
{
	const struct str from = str_from(text, w->at - 1), rest = str_from(from, told.n);

	return !w->scattered && str_starts(from, told) &&
	       (rest.n == 1 || str_starts(rest, STR(",\"args\":")) || str_starts(rest, STR(",\"src\":")));
}

void call_link_write(struct out *o, const struct pending_record *w, struct str text, struct str told)
{
	const bool last = w->at == text.n - 1;

	if (w->attached && has_told(w, text, told)) {
		out_line(o, text);
		return;
	}
	if (w->attached) {
		event_attach_write(o, &(struct event){.raw = text}, told);
		return;
	}
	out_add(o, text.p, w->at);
	out_add(o, told.p + !last, told.n - !last);
	if (!last)
		out_char(o, ',');
	out_str(o, str_from(text, w->at));
	out_char(o, '\n');
}

void call_link_free(struct call_link *l)
{
	bufs_free(&l->attachments, &l->shapes[0].text, &l->shapes[1].text);
	carried_fields_free(&l->take);
}
