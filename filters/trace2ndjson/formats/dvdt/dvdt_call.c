#include "dvdt.h"

#include "json/string.h"
#include "base/num_format.h"
#include "base/num_parse.h"
#include "json/write.h"
#include "json/scan.h"
#include "json/iter.h"

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
static bool take_apart(struct parts *p, struct str object, bool *twice)
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

static void count(struct reader *r, bool lost, const char *what, struct fault_place at)
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
		count(r, true, "invalid timestamp; call written without ts", at);
	else if (p->has_start && p->start == 0)
		count(
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
		count(r, false, "failed enqueue; no device record written", at);
		return;
	}
	if (!p->v[PROFILING].p) {
		count(r, false, "enqueue without profiling times; no device record written", at);
		return;
	}
	if (!read_stamps(p->v[PROFILING], stamp)) {
		count(r, true, "device times are invalid or do not fit in 64 bits; no device record written", at);
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
			event_set(
			    e, EVENT_BYTES, (struct str){c->bytes, (size_t)(num_put_i64(c->bytes, size) - c->bytes)});
		event_set(e, EVENT_COPY, work->copy);
	}
	if (r->args) {
		make_device_args(c, p, stamp);
		event_set(e, EVENT_ARGS, json_write_str(&c->args));
	}
	c->has_device = true;
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
	if (!take_apart(&p, text, &twice)) {
		count(r, true, "array element is not a call; skipped", at);
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
		event_set(e, EVENT_ERR, (struct str){c->err, (size_t)(num_put_i64(c->err, code) - c->err)});
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
