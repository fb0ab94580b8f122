#include "dvdt_call.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"
#include "trace2ndjson/formats/document.h"

/* --- times --- */

enum { NS = 1000000000, DAY = 86400 };

/* Reads numbers from *s to v[]. A digit in `form` is the number of digits; any other character is itself. */
static bool read_numbers(struct str *s, const char *form, int64_t *v)
{
	struct str rest = *s;
	int n;

	for (; *form; form++) {
		if (!is_digit(*form)) {
			if (!rest.n || *rest.p != *form)
				return false;
			rest = str_from(rest, 1);
			continue;
		}
		for (*v = 0, n = *form - '0'; n; n--, rest.p++, rest.n--) {
			if (!rest.n || !is_digit(*rest.p))
				return false;
			*v = *v * 10 + (*rest.p - '0');
		}
		v++;
	}
	*s = rest;
	return true;
}

/* Returns the days from 1970-01-01 to a date. The year begins in March here, so that it ends with the leap day. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
	int64_t y = year - (month <= 2), era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
	int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/*
 * Converts a time {year, month, day, hour, minute, second} to ns; `fraction` is a text such as ".957", or empty. A
 * second 60 is a leap second, and counts as the first second of the next minute. A day that the month does not have,
 * such as February 30, is a day of the next month. False if the time is impossible, or if it does not fit in 64 bits.
 */
static bool make_time(const int64_t v[6], struct str fraction, int64_t *ns)
{
	int64_t part = 0;
	size_t i;

	if (v[1] < 1 || v[1] > 12 || v[2] < 1 || v[2] > 31 || v[3] > 23 || v[4] > 59 || v[5] > 60)
		return false;
	if (fraction.n && (fraction.p[0] != '.' || fraction.n > 10 || !str_all(str_from(fraction, 1), is_digit)))
		return false;
	for (i = 1; i < 10; i++)
		part = part * 10 + (i < fraction.n ? fraction.p[i] - '0' : 0);
	return !__builtin_mul_overflow(days_of(v[0], v[1], v[2]) * DAY, NS, ns) &&
	       !__builtin_add_overflow(*ns, ((v[3] * 60 + v[4]) * 60 + v[5]) * NS + part, ns);
}

/* Converts "2026-11-21T04:37:45.957208", UTC, also with a space for the T or without a fraction, to ns since 1970. */
static bool read_utc(struct str s, int64_t *ns)
{
	int64_t v[6];

	return (read_numbers(&s, "4-2-2T2:2:2", v) || read_numbers(&s, "4-2-2 2:2:2", v)) && make_time(v, s, ns);
}

bool dvdt_log_time(struct str s, int64_t year, int64_t *ns, int *month)
{
	int64_t v[6] = {year};

	if (!read_numbers(&s, "22 2:2:2", v + 1) || !make_time(v, s, ns))
		return false;
	*month = (int)v[1];
	return true;
}

int64_t dvdt_year(int64_t ns)
{
	int64_t days = ns / NS / DAY, year = 1970 + days / 365;

	while (days_of(year, 1, 1) > days) /* most years have a few hours more than 365 days */
		year--;
	return year;
}

/* --- the records of a call --- */

/* The members of a call that the reader uses, and their names, in the same order. */
enum member { CALL, NAME, KERNEL, GWO, GWS, LWS, SIZE, SOURCE, TIMESTAMP, PROFILING, ERRCODE, N_MEMBERS };
static const struct str names[N_MEMBERS] = {{"call", 4}, {"name", 4}, {"kernel", 6}, {"gwo", 3}, {"gws", 3}, {"lws", 3},
    {"size", 4}, {"source", 6}, {"timestamp", 9}, {"profiling", 9}, {"errcode", 7}};

/* The members of a call: views of its text; p is NULL where the call has no such member. */
struct parts {
	struct str v[N_MEMBERS];
	bool has_start, has_dur, failed;
	int64_t start, dur; /* ns */
};

/*
 * The kinds of work that an enqueue does on the device, recognised by the beginning of the call's name, because
 * clEnqueueReadBuffer, clEnqueueReadBufferRect and clEnqueueReadImage do the same kind of work.
 */
static const struct dvdt_work {
	struct str call;
	enum event_kind kind;
	struct str copy; /* JSON */
} works[] = {
    {{"\"clEnqueueNDRange", 17}, KIND_KERNEL, {NULL, 0}},
    {{"\"clEnqueueRead", 14}, KIND_MEMCPY, {"\"d2h\"", 5}},
    {{"\"clEnqueueWrite", 15}, KIND_MEMCPY, {"\"h2d\"", 5}},
};

/*
 * Splits a call into members. False when the text is not an object with a "call". If a member occurs twice, the last
 * value counts, and *twice is set. A member with the value null is absent.
 */
static bool split_call(struct parts *p, struct str object, bool *twice)
{
	struct str key, value;
	enum member m;
	struct iter w;
	int got;

	*p = (struct parts){0};
	iter_init(&w, object);
	while ((got = iter_next(&w, &key, &value)) > 0) {
		for (m = 0; m < N_MEMBERS && !str_eq(key, names[m]); m++)
			;
		if (m == N_MEMBERS || str_eq(value, STR("null")))
			continue;
		*twice |= p->v[m].p != NULL;
		p->v[m] = value;
	}
	return got == 0 && p->v[CALL].n > 2 && p->v[CALL].p[0] == '"';
}

/* Returns a string's text without its quotes; an empty text for other values. */
static struct str inside(struct str json)
{
	return json_is_string(json) ? json_inner(json) : (struct str){NULL, 0};
}

/* Copies the object to *to without its members named `key`, and returns the copy. */
static struct str without(struct buf *to, struct str object, struct str key)
{
	struct str k, value;
	struct iter w;

	buf_set(to, STR("{"));
	iter_init(&w, object);
	while (iter_next(&w, &k, &value) > 0) {
		if (!str_eq(k, key))
			json_write_member(to, k, value);
	}
	json_write_end(to, '}');
	return buf_str(to);
}

/* Writes the elements of an array, at most three, as members with the name of the array and a digit. */
static void put_sizes(struct buf *b, struct str name, struct str array)
{
	char key[] = "xxx0";
	struct str value;
	struct iter w;
	int64_t v;

	memcpy(key, name.p, 3);
	if (!iter_array(&w, array))
		return;
	for (; key[3] < '3' && iter_element(&w, &value); key[3]++) {
		if (num_whole(value, &v) == NUM_OK)
			json_write_int(b, key, v);
		else
			json_write_json(b, key, value);
	}
}

/*
 * Reads the four device times. False when one is missing or not an integer, or when they are too far apart: the
 * differences that make_device() and put_device_args() compute must fit in 64 bits.
 */
static bool read_stamps(struct str profiling, int64_t stamp[4])
{
	static const char *const keys[] = {"queued", "submit", "start", "end"};
	int64_t d;
	size_t i;

	for (i = 0; i < 4; i++) {
		if (num_whole(document_member(profiling, keys[i]), &stamp[i]) != NUM_OK)
			return false;
	}
	return !__builtin_sub_overflow(stamp[3], stamp[0], &d) && !__builtin_sub_overflow(stamp[3], stamp[2], &d) &&
	       !__builtin_sub_overflow(stamp[2], stamp[1], &d) && !__builtin_sub_overflow(stamp[1], stamp[0], &d) &&
	       !__builtin_sub_overflow(stamp[2], stamp[0], &d);
}

/*
 * Writes the args of a device record. p0 to p3 are the times queued, submit, start and end of the device; t0 and t1 are
 * the times of the host before and after the call. Differences are in ns.
 */
static void put_device_args(struct buf *b, const struct parts *p, const int64_t stamp[4])
{
	static const enum member sizes[] = {LWS, GWS, GWO};
	size_t i;

	json_write_json(b, "kernel", p->v[KERNEL]);
	json_write_int(b, "queued", stamp[0]);
	json_write_int(b, "submit", stamp[1]);
	json_write_int(b, "start", stamp[2]);
	json_write_int(b, "end", stamp[3]);
	json_write_int(b, "p3_p0", stamp[3] - stamp[0]);
	json_write_int(b, "p3_p2", stamp[3] - stamp[2]);
	json_write_int(b, "p2_p1", stamp[2] - stamp[1]);
	json_write_int(b, "p1_p0", stamp[1] - stamp[0]);
	if (p->has_dur)
		json_write_int(b, "t1_t0", p->dur);
	for (i = 0; i < 3; i++)
		put_sizes(b, names[sizes[i]], p->v[sizes[i]]);
}

/*
 * Makes the record of an enqueue's work on the device. The clock of the device has another origin than that of the
 * host. So the work begins at the start of the call on the host, plus the time on the device from `queued` to `start`.
 */
static void make_device(struct dvdt_call *c, struct reader *r, const struct parts *p, struct fault_location at)
{
	const struct dvdt_work *work = works, *const end = works + sizeof works / sizeof *works;
	struct event *e = &c->device;
	int64_t stamp[4], ts, size;

	while (work < end && !str_starts(p->v[CALL], work->call))
		work++;
	if (work == end)
		return;
	if (p->failed || !p->v[PROFILING].p) {
		reader_note(r,
		    p->failed ? "failed enqueue; no device record written"
			      : "enqueue without profiling times; no device record written",
		    at.line, at.byte);
		return;
	}
	if (!read_stamps(p->v[PROFILING], stamp)) {
		reader_lost(
		    r, "device times are invalid or do not fit in 64 bits; no device record written", at.line, at.byte);
		return;
	}
	draft_begin(r, e, work->kind);
	if (p->has_start && !__builtin_add_overflow(p->start, stamp[2] - stamp[0], &ts))
		event_set_ts(e, ts);
	event_set_dur(e, stamp[3] - stamp[2]);
	event_set(e, EVENT_NAME, work->kind == KIND_KERNEL && inside(p->v[NAME]).p ? p->v[NAME] : p->v[CALL]);
	draft_int(r->draft, e, EVENT_CORR, c->index);
	if (work->copy.p) {
		if (num_whole(p->v[SIZE], &size) == NUM_OK)
			draft_int(r->draft, e, EVENT_BYTES, size);
		event_set(e, EVENT_COPY, work->copy);
	}
	if (r->args)
		put_device_args(&r->draft->args, p, stamp);
	c->has_device = draft_end(r, e);
}

bool dvdt_call(struct dvdt_call *c, struct reader *r, struct str object, struct fault_location at, struct event *e)
{
	const struct dvdt_run *run = r->run;
	struct parts p;
	struct str text;
	bool twice = false, has_end;
	int64_t code, end;

	c->has_device = false;
	c->text.n = 0;
	scan_append(&c->text, object);
	text = buf_str(&c->text);
	if (!split_call(&p, text, &twice))
		return reader_lost(r, "array element is not a call; skipped", at.line, at.byte);
	if (twice)
		reader_repaired(r, 1u << REPAIR_DUPLICATE, at.line, at.byte);
	p.has_start = read_utc(inside(document_member(p.v[TIMESTAMP], "start")), &p.start);
	has_end = read_utc(inside(document_member(p.v[TIMESTAMP], "end")), &end);
	p.has_dur = p.has_start && has_end && !__builtin_sub_overflow(end, p.start, &p.dur);
	if (p.v[TIMESTAMP].p && (!p.has_start || !has_end))
		reader_lost(r, "invalid timestamp; call written without ts", at.line, at.byte);
	else if (p.has_start && p.start == 0)
		reader_note(r, "call with the time 1970-01-01, which some builds of dvdt-prof write for all calls",
		    at.line, at.byte);
	/* A function that creates an object has the status -1 when the program does not ask for it. */
	p.failed = num_whole(p.v[ERRCODE], &code) == NUM_OK && code != 0 &&
		   (code != -1 || !str_starts(p.v[CALL], STR("\"clCreate")));
	make_device(c, r, &p, at);
	event_clear(e);
	if (p.has_start)
		event_set_ts(e, p.start);
	if (p.has_dur)
		event_set_dur(e, p.dur);
	event_set_kind(e, KIND_API);
	event_set(e, EVENT_NAME, p.v[CALL]);
	draft_int(r->draft, e, EVENT_CORR, c->index);
	if (p.failed)
		draft_int(r->draft, e, EVENT_ERR, code);
	if (r->args && run->drop_source && p.v[SOURCE].p)
		text = without(&c->slim, text, names[SOURCE]);
	if (r->args)
		event_set(e, EVENT_ARGS, text);
	return true;
}

void dvdt_call_free(struct dvdt_call *c)
{
	bufs_free(&c->text, &c->slim);
}
