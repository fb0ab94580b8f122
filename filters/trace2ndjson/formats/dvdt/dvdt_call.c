/* dvdt_call: makes the records of a call from its JSON object. */
#include "dvdt.h"

#include "base/char_class.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"

/* --- times --- */

enum { NS = 1000000000, DAY = 86400 };

/* Reads n digits at *s, and moves *s to the text after them; -1 when there are fewer digits. */
static int64_t read_digits(struct str *s, size_t n)
{
	int64_t v = 0;
	size_t i;

	if (s->n < n)
		return -1;
	for (i = 0; i < n; i++) {
		if (!is_digit(s->p[i]))
			return -1;
		v = v * 10 + (s->p[i] - '0');
	}
	*s = str_from(*s, n);
	return v;
}

static bool skip_char(struct str *s, char c)
{
	if (!s->n || s->p[0] != c)
		return false;
	*s = str_from(*s, 1);
	return true;
}

/*
 * Returns the number of days from 1970-01-01 to a date of the Gregorian calendar. The year begins in March here, so the
 * leap day is the last day of the year.
 */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
	int64_t y = year - (month <= 2), era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
	int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* Converts HH:MM:SS, with an optional fraction, to ns since midnight. False when s contains anything else. */
static bool clock_time(struct str s, int64_t *ns)
{
	int64_t hour, minute, second, fraction = 0, unit = NS, digit;

	hour = read_digits(&s, 2);
	if (hour < 0 || hour > 23 || !skip_char(&s, ':'))
		return false;
	minute = read_digits(&s, 2);
	if (minute < 0 || minute > 59 || !skip_char(&s, ':'))
		return false;
	second = read_digits(&s, 2);
	if (second < 0 || second > 60)
		return false;
	if (skip_char(&s, '.')) {
		if (!s.n)
			return false;
		for (; s.n && unit > 1; unit /= 10) {
			digit = read_digits(&s, 1);
			if (digit < 0)
				return false;
			fraction = fraction * 10 + digit;
		}
	}
	if (s.n)
		return false;
	*ns = ((hour * 60 + minute) * 60 + second) * NS + fraction * unit;
	return true;
}

static bool make_time(int64_t year, int64_t month, int64_t day, int64_t clock, int64_t *ns)
{
	return month >= 1 && month <= 12 && day >= 1 && day <= 31 &&
	       !__builtin_mul_overflow(days_of(year, month, day) * DAY, NS, ns) &&
	       !__builtin_add_overflow(*ns, clock, ns);
}

/*
 * Converts "2026-11-21T04:37:45.957208", UTC, to ns since 1970; a space may replace the T, and the fraction may be
 * missing. False when s is not such a time.
 */
static bool dvdt_time(struct str s, int64_t *ns)
{
	int64_t year, month, day, clock;

	year = read_digits(&s, 4);
	if (year < 0 || !skip_char(&s, '-'))
		return false;
	month = read_digits(&s, 2);
	if (month < 0 || !skip_char(&s, '-'))
		return false;
	day = read_digits(&s, 2);
	if (!skip_char(&s, 'T') && !skip_char(&s, ' '))
		return false;
	return clock_time(s, &clock) && make_time(year, month, day, clock, ns);
}

bool dvdt_log_time(struct str s, int64_t year, int64_t *ns, int *month)
{
	int64_t day, clock, m;

	m = read_digits(&s, 2);
	day = read_digits(&s, 2);
	if (!skip_char(&s, ' ') || !clock_time(s, &clock) || !make_time(year, m, day, clock, ns))
		return false;
	*month = (int)m;
	return true;
}

int64_t dvdt_year(int64_t ns)
{
	int64_t days = ns / NS / DAY, year = 1970 + days / 366;

	while (year > 0 && days_of(year, 1, 1) > days)
		year--;
	while (days_of(year + 1, 1, 1) <= days)
		year++;
	return year;
}

/* --- the records of a call --- */

/* The members of a call that the reader uses. */
#define MEMBERS(X)                                                                                                     \
	X(CALL, "call")                                                                                                \
	X(NAME, "name")                                                                                                \
	X(KERNEL, "kernel")                                                                                            \
	X(GWO, "gwo")                                                                                                  \
	X(GWS, "gws")                                                                                                  \
	X(LWS, "lws")                                                                                                  \
	X(SIZE, "size")                                                                                                \
	X(SOURCE, "source")                                                                                            \
	X(TIMESTAMP, "timestamp")                                                                                      \
	X(PROFILING, "profiling")                                                                                      \
	X(ERRCODE, "errcode")
#define MEMBER_ENUM(id, name) id,
enum member { MEMBERS(MEMBER_ENUM) N_MEMBERS };

#define MEMBER_NAME(id, name) {name, sizeof(name) - 1},
static const struct str names[] = {MEMBERS(MEMBER_NAME)};

/* The members of a call: views of its text; p is NULL where the call has no such member. */
struct parts {
	struct str v[N_MEMBERS];
	bool has_start, has_end; /* `start` and `end` are set; both are in ns */
	int64_t start, end;
	bool failed;
};

/* The kinds of work that an enqueue does on the device, recognised by the beginning of the call's name. */
static const struct dvdt_work {
	struct str call;
	enum event_kind kind;
	struct str copy; /* JSON */
} works[] = {
    {{"\"clEnqueueNDRange", 17}, KIND_KERNEL, {NULL, 0}},
    {{"\"clEnqueueRead", 14}, KIND_MEMCPY, {"\"d2h\"", 5}},
    {{"\"clEnqueueWrite", 15}, KIND_MEMCPY, {"\"h2d\"", 5}},
};

static const struct dvdt_work *find_work(struct str call)
{
	size_t i;

	for (i = 0; i < sizeof works / sizeof *works; i++) {
		if (str_starts(call, works[i].call))
			return &works[i];
	}
	return NULL;
}

/* Splits a call into members. False when the text is not an object with a "call". */
static bool split_call(struct parts *p, struct str object, bool *twice)
{
	struct str key, value;
	enum member m;
	struct iter w;
	int got;

	*p = (struct parts){0};
	iter_init(&w, object);
	if (w.close != '}')
		return false;
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
	if (json.n < 2 || json.p[0] != '"')
		return (struct str){NULL, 0};
	return json_inner(json);
}

static struct str member_of(struct str object, struct str key)
{
	return object.p && object.p[0] == '{' ? iter_find(object, key) : (struct str){NULL, 0};
}

/* Copies the object to *to without its members named `key`, and returns the copy. */
static struct str without(struct buf *to, struct str object, struct str key)
{
	struct str k, value;
	struct iter w;

	to->n = 0;
	json_write_begin(to, NULL, '{');
	iter_init(&w, object);
	while (iter_next(&w, &k, &value) > 0) {
		if (str_eq(k, key))
			continue;
		if (to->p[to->n - 1] != '{')
			buf_char(to, ',');
		buf_add(to, k.p - 1, (size_t)(value.p + value.n - k.p) + 1);
	}
	json_write_end(to, '}');
	return json_write_str(to);
}

static void count_oddity(struct reader *r, bool lost, const char *what, struct fault_place at)
{
	(lost ? reader_lost : reader_note)(r, what, at.line, at.byte);
}

/* Reads start and end of the call on the host. */
static void read_times(struct parts *p, struct reader *r, struct fault_place at)
{
	struct str start = member_of(p->v[TIMESTAMP], STR("start")), end = member_of(p->v[TIMESTAMP], STR("end"));

	p->has_start = start.p && dvdt_time(inside(start), &p->start);
	p->has_end = end.p && dvdt_time(inside(end), &p->end);
	if (p->v[TIMESTAMP].p && (!p->has_start || !p->has_end))
		count_oddity(r, true, "invalid timestamp; call written without ts", at);
	else if (p->has_start && p->start == 0)
		count_oddity(
		    r, false, "call with the time 1970-01-01, which some builds of dvdt-prof write for all calls", at);
}

/* Writes the elements of an array, at most three, as members named keys[0] to keys[2]. */
static void put_sizes(struct buf *b, const char *const keys[3], struct str array)
{
	struct str key, value;
	struct iter w;
	int64_t v;
	size_t i;

	if (!array.p || array.p[0] != '[')
		return;
	iter_init(&w, array);
	for (i = 0; i < 3 && iter_next(&w, &key, &value) > 0; i++) {
		if (num_whole(value, &v) == NUM_OK)
			json_write_int(b, keys[i], v);
		else
			json_write_json(b, keys[i], value);
	}
}

/* Reads the four device times. False when one is missing or not an integer, or when they are too far apart. */
static bool read_stamps(struct str profiling, int64_t stamp[4])
{
	static const struct str keys[] = {{"queued", 6}, {"submit", 6}, {"start", 5}, {"end", 3}};
	struct str value;
	int64_t d;
	size_t i;

	for (i = 0; i < 4; i++) {
		value = member_of(profiling, keys[i]);
		if (!value.p || num_whole(value, &stamp[i]) != NUM_OK)
			return false;
	}
	return !__builtin_sub_overflow(stamp[3], stamp[0], &d) && !__builtin_sub_overflow(stamp[3], stamp[2], &d) &&
	       !__builtin_sub_overflow(stamp[2], stamp[1], &d) && !__builtin_sub_overflow(stamp[1], stamp[0], &d) &&
	       !__builtin_sub_overflow(stamp[2], stamp[0], &d);
}

/*
 * Whether the call's status shows that the call failed. A function that creates an object has the status -1 when the
 * program did not ask for the status.
 */
static bool has_failed(const struct parts *p, int64_t *code)
{
	if (!p->v[ERRCODE].p || num_whole(p->v[ERRCODE], code) != NUM_OK || *code == 0)
		return false;
	return *code != -1 || !str_starts(p->v[CALL], STR("\"clCreate"));
}

static void make_device_args(struct dvdt_call *c, const struct parts *p, const int64_t stamp[4])
{
	static const char *const lws[] = {"lws0", "lws1", "lws2"}, *const gws[] = {"gws0", "gws1", "gws2"},
				 *const gwo[] = {"gwo0", "gwo1", "gwo2"};
	struct buf *b = &c->args;
	int64_t host;

	b->n = 0;
	json_write_begin(b, NULL, '{');
	if (p->v[KERNEL].p)
		json_write_json(b, "kernel", p->v[KERNEL]);
	json_write_int(b, "queued", stamp[0]);
	json_write_int(b, "submit", stamp[1]);
	json_write_int(b, "start", stamp[2]);
	json_write_int(b, "end", stamp[3]);
	json_write_int(b, "p3_p0", stamp[3] - stamp[0]);
	json_write_int(b, "p3_p2", stamp[3] - stamp[2]);
	json_write_int(b, "p2_p1", stamp[2] - stamp[1]);
	json_write_int(b, "p1_p0", stamp[1] - stamp[0]);
	if (p->has_start && p->has_end && !__builtin_sub_overflow(p->end, p->start, &host))
		json_write_int(b, "t1_t0", host);
	put_sizes(b, lws, p->v[LWS]);
	put_sizes(b, gws, p->v[GWS]);
	put_sizes(b, gwo, p->v[GWO]);
	json_write_end(b, '}');
}

/* Makes the record of an enqueue's work on the device. */
static void make_device(struct dvdt_call *c, struct reader *r, const struct parts *p, struct fault_place at)
{
	const struct dvdt_work *work = find_work(p->v[CALL]);
	struct event *e = &c->device;
	int64_t stamp[4], ts, size;

	c->has_device = false;
	if (!work)
		return;
	if (p->failed) {
		count_oddity(r, false, "failed enqueue; no device record written", at);
		return;
	}
	if (!p->v[PROFILING].p) {
		count_oddity(r, false, "enqueue without profiling times; no device record written", at);
		return;
	}
	if (!read_stamps(p->v[PROFILING], stamp)) {
		count_oddity(
		    r, true, "device times are invalid or do not fit in 64 bits; no device record written", at);
		return;
	}
	if (!reader_wants(r, work->kind))
		return;
	event_clear(e);
	if (p->has_start && !__builtin_add_overflow(p->start, stamp[2] - stamp[0], &ts))
		event_set_ts(e, ts);
	event_set_dur(e, stamp[3] - stamp[2]);
	event_set_kind(e, work->kind);
	event_set(e, EVENT_NAME, work->kind == KIND_KERNEL && inside(p->v[NAME]).p ? p->v[NAME] : p->v[CALL]);
	event_set(e, EVENT_CORR, str_of(c->corr));
	if (work->copy.p) {
		if (p->v[SIZE].p && num_whole(p->v[SIZE], &size) == NUM_OK)
			event_set(e, EVENT_BYTES, num_str_i64(c->bytes, size));
		event_set(e, EVENT_COPY, work->copy);
	}
	if (r->args) {
		make_device_args(c, p, stamp);
		event_set(e, EVENT_ARGS, json_write_str(&c->args));
	}
	c->has_device = true;
}

bool dvdt_call(
    struct dvdt_call *c, struct reader *r, struct str object, uint64_t index, struct fault_place at, struct event *e)
{
	const struct dvdt_run *run = r->run;
	struct parts p;
	struct str text;
	bool twice = false;
	int64_t code, dur;

	c->has_device = false;
	c->text.n = 0;
	buf_room(&c->text, object.n + 2 * SCAN_PAD);
	c->text.n = scan_squeeze(c->text.p, object).n;
	text = json_write_str(&c->text);
	if (!split_call(&p, text, &twice)) {
		count_oddity(r, true, "array element is not a call; skipped", at);
		return false;
	}
	if (twice)
		reader_repaired(r, 1u << REPAIR_DUPLICATE, at.line, at.byte);
	read_times(&p, r, at);
	*num_put_u64(c->corr, index) = '\0';
	p.failed = has_failed(&p, &code);
	make_device(c, r, &p, at);
	event_clear(e);
	if (p.has_start)
		event_set_ts(e, p.start);
	if (p.has_start && p.has_end && !__builtin_sub_overflow(p.end, p.start, &dur))
		event_set_dur(e, dur);
	event_set_kind(e, KIND_API);
	event_set(e, EVENT_NAME, p.v[CALL]);
	event_set(e, EVENT_CORR, str_of(c->corr));
	if (p.failed)
		event_set(e, EVENT_ERR, num_str_i64(c->err, code));
	if (r->args && run->drop_source && p.v[SOURCE].p)
		text = without(&c->slim, text, names[SOURCE]);
	if (r->args)
		event_set(e, EVENT_ARGS, text);
	return true;
}

void dvdt_call_free(struct dvdt_call *c)
{
	buf_free(&c->text);
	buf_free(&c->slim);
	buf_free(&c->args);
}
