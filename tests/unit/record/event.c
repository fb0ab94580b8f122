/* event: lines with the same members in any form and order; the kind of a record; written lines. */
#include "record/event.h"

#include "json/check.h"
#include "json/scan.h"
#include "member_values.h"
#include "samples.h"
#include "test.h"

#include <fcntl.h>
#include <unistd.h>

struct member {
	const char *key, *value;
};

/* Writes n members as a line, with white space between them when `spaces` is set. */
static void put_line(struct buf *b, const struct member *members, size_t n, bool spaces)
{
	static const char *const blanks[] = {"", " ", "\t", "  "};
	size_t i;
	const char *z;

#define PUT(text) (z = (text), buf_add(b, z, strlen(z)))
#define SPACE() PUT(blanks[spaces ? random_below(4) : 0])
	b->n = 0;
	SPACE();
	buf_char(b, '{');
	for (i = 0; i < n; i++) {
		SPACE();
		buf_lit(b, "\"");
		PUT(members[i].key);
		buf_lit(b, "\"");
		SPACE();
		buf_char(b, ':');
		SPACE();
		PUT(members[i].value);
		SPACE();
		if (i + 1 < n)
			buf_char(b, ',');
	}
	SPACE();
	buf_char(b, '}');
	SPACE();
	memset(buf_room(b, SCAN_PAD), '"', SCAN_PAD);
#undef PUT
#undef SPACE
}

static void shuffle(struct member *m, size_t n)
{
	for (; n > 1; n--) {
		size_t i = random_below(n);
		struct member t = m[i];

		m[i] = m[n - 1];
		m[n - 1] = t;
	}
}

/* Checks that the record has the standard members in `want`, and no others. */
static void check_members(struct event *e, const char *const want[EVENT_N], struct str line)
{
	enum event_member m;
	bool same = true;
	struct str got;

	for (m = 0; m < EVENT_N; m++) {
		got = event_get(e, m);
		same = same && (want[m] ? got.p && str_eq(got, str_of(want[m])) : !got.p) &&
		       event_has(e, m) == (want[m] != NULL);
	}
	if (want[EVENT_TS])
		same = same && e->ts == strtoll(want[EVENT_TS], NULL, 10);
	if (want[EVENT_DUR])
		same = same && e->dur == strtoll(want[EVENT_DUR], NULL, 10);
	CHECK_SHOW(same, "%.*s", STR_FMT(line));
}

static void test_orders(void)
{
	static const struct member others[] = {{"tsx", "1"}, {"t", "2"}, {"", "3"},
	    {"api", "{\"ts\":1,\"dur\":2,\"name\":\"cuda\"}"}, {"ranges", "[\"a\",\"b\"]"}, {"\\u0074s", "9"},
	    {"delay", "-3"}, {"duration", "1"}, {"ts", "null"}};
	const char *want[EVENT_N];
	struct member members[EVENT_N + 8];
	struct buf b = {0};
	struct event e;
	struct str line;
	size_t i, n, canonical = 0;
	enum event_member m;

	for (i = 0; i < 20000; i++) {
		n = 0;
		for (m = 0; m < EVENT_N; m++) {
			bool in = random_below(4) != 0, null = random_below(20) == 0;

			want[m] = in && !null ? values[m] : NULL;
			if (in)
				members[n++] = (struct member){event_member_name(m), null ? "null" : values[m]};
		}
		while (random_below(2) && n < EVENT_N + 4)
			members[n++] = others[random_below(8)];
		if (i % 2)
			shuffle(members, n);
		put_line(&b, members, n, i % 4 > 1);
		line = (struct str){b.p, b.n};
		if (i % 4 < 2 && event_canonical(&e, line, 0) == EVENT_CANONICAL) {
			canonical++;
			check_members(&e, want, line);
		}
		CHECK(event_parse(&e, line) == NULL);
		CHECK(e.reading != EVENT_TWICE);
		check_members(&e, want, line);
	}
	CHECK(canonical > 2000);
	buf_free(&b);
}

static const char *parse(struct event *e, const char *text)
{
	static char room[4096];
	size_t n = strlen(text);

	memcpy(room, text, n);
	memset(room + n, '}', SCAN_PAD);
	return event_parse(e, (struct str){room, n});
}

static void test_times(void)
{
	static const struct {
		const char *text;
		bool whole;
		int64_t v;
	} times[] = {{"5", true, 5}, {"5.0", true, 5}, {"1e3", true, 1000}, {"-0", true, 0}, {"1.5e1", true, 15},
	    {"7.5", false, 0}, {"\"7\"", false, 0}, {"true", false, 0}, {"[1]", false, 0},
	    {"1712195495502094520.0", true, 1712195495502094520}, {"1.71219549550209452e18", true, 1712195495502094520},
	    {"9223372036854775807", true, INT64_MAX}, {"-9223372036854775808", true, INT64_MIN}, {"100e-2", true, 1},
	    {"1e-2", false, 0}, {"0.0", true, 0}};
	static const char *const beyond[] = {
	    "9223372036854775808", "-9223372036854775809", "1e19", "1e300", "99999999999999999999999"};
	char text[200];
	struct event e;
	size_t i;

	for (i = 0; i < sizeof times / sizeof *times; i++) {
		snprintf(text, sizeof text, "{\"name\":\"a\",\"ts\":%s,\"dur\":%s}", times[i].text, times[i].text);
		CHECK(parse(&e, text) == NULL);
		CHECK_INT(event_has(&e, EVENT_TS), times[i].whole);
		CHECK_INT(event_has(&e, EVENT_DUR), times[i].whole);
		CHECK_STR(e.m[EVENT_TS], times[i].text);
		CHECK_STR(e.m[EVENT_DUR], times[i].text);
		if (times[i].whole) {
			CHECK_INT(e.ts, times[i].v);
			CHECK_INT(e.dur, times[i].v);
		} else {
			CHECK(event_get(&e, EVENT_TS).p == NULL);
		}
	}
	for (i = 0; i < sizeof beyond / sizeof *beyond; i++) {
		snprintf(text, sizeof text, "{\"name\":\"a\",\"ts\":%s,\"dur\":1}", beyond[i]);
		CHECK(parse(&e, text) != NULL);
		snprintf(text, sizeof text, "{\"ts\":1,\"dur\":%s,\"kind\":\"op\",\"name\":\"a\"}", beyond[i]);
		CHECK(parse(&e, text) != NULL);
		CHECK(event_canonical(&e, str_of(text), 0) == EVENT_FOREIGN);
		/* after the prefix, a dur that does not fit in 64 bits: the record has all members except dur */
		snprintf(text, sizeof text,
		    "{\"ts\":1,\"kind\":\"op\",\"name\":\"a\",\"dur\":%s,\"cat\":\"c\",\"args\":{}}", beyond[i]);
		CHECK(event_canonical(&e, str_of(text), 0) == EVENT_CANONICAL);
		CHECK(event_get(&e, EVENT_DUR).p == NULL);
		CHECK_STR(event_get(&e, EVENT_CAT), "\"c\"");
		CHECK_STR(event_get(&e, EVENT_ARGS), "{}");
	}
	CHECK(parse(&e, "{\"ts\":null,\"dur\":null}") == NULL);
	CHECK(!e.has && !e.m[EVENT_TS].p && !e.m[EVENT_DUR].p);
}

static void test_forms(void)
{
	static const char *const not_canonical[] = {"{}", "{\"ts\":1}", "{\"ts\":1,\"dur\":2}",
	    "{\"ts\":01,\"kind\":\"op\",\"name\":\"a\"}", "{\"ts\":-,\"kind\":\"op\",\"name\":\"a\"}",
	    "{\"ts\":1.5,\"kind\":\"op\",\"name\":\"a\"}", "{\"ts\":1 ,\"kind\":\"op\",\"name\":\"a\"}",
	    "{\"ts\":1}\"kind\":\"op\",\"name\":\"a\"}", "{\"ts\":1,\"kind\":\"op\"\"name\":\"a\"}",
	    "{\"ts\":1,\"kind\":\"op\",\"name\":\"a\" \"b\":1}",
	    "{\"ts\":1,\"kind\":\"op\",\"name\":\"a\"}{\"ts\":2,\"kind\":\"op\",\"name\":\"b\"}",
	    "{\"ts\":1,\"kind\":\"op\",\"name\":null}", "{\"ts\":1,\"kind\":\"op\",\"name\":\"a",
	    "{\"ts\":1,\"kind\":\"op", "{\"ts\":1,\"kind\":\"op\",\"name\":\"a\"", "", "{", "}", "[]",
	    "{\"ts\":10000000000000000000,\"kind\":\"op\",\"name\":\"a\"}", "{\"kind\":7,\"name\":\"a\"}"};
	static const char *const no_records[] = {"", "[]", "1", "\"a\"", "null", "}", "{", "{\"a\"}", "{\"a\":1,}",
	    "{\"a\":1", "{\"a\":1}}", "{\"a\":1} x", "{1:2}", "{\"a\" 1}", "{,}"};
	char room[512];
	struct event e;
	size_t i, n;

	for (i = 0; i < sizeof not_canonical / sizeof *not_canonical; i++) {
		n = strlen(not_canonical[i]);
		memcpy(room, not_canonical[i], n);
		memset(room + n, '"', SCAN_PAD);
		CHECK_SHOW(event_canonical(&e, (struct str){room, n}, 0) == EVENT_FOREIGN, "%s", not_canonical[i]);
	}
	for (i = 0; i < sizeof no_records / sizeof *no_records; i++) {
		CHECK_SHOW(parse(&e, no_records[i]) != NULL, "%s", no_records[i]);
	}
	/* the last one of two values is used, and the duplicate is detected */
	CHECK(
	    parse(&e, "{\"ts\":1,\"name\":\"a\",\"ts\":2,\"name\":\"b\",\"cat\":\"c\",\"cat\":null,\"x\":1,\"x\":2}") ==
	    NULL);
	CHECK(e.reading == EVENT_TWICE && e.ts == 2);
	CHECK_STR(event_get(&e, EVENT_NAME), "\"b\"");
	CHECK(event_get(&e, EVENT_CAT).p == NULL);
}

/*
 * A line of a kind that is not selected is recognised if ts, dur and kind are in the order that our own programs write;
 * other lines are not rejected.
 */
static void test_only(void)
{
	static const struct {
		const char *line;
		enum event_form op, kernel; /* the result when only this kind is selected */
	} lines[] = {
	    {"{\"ts\":1,\"dur\":2,\"kind\":\"op\",\"name\":\"a\"}", EVENT_CANONICAL, EVENT_UNWANTED},
	    {"{\"kind\":\"kernel\",\"name\":\"a\",\"kind\":\"op\"}", EVENT_UNWANTED, EVENT_CANONICAL},
	    {"{\"ts\":-9223372036854775808,\"kind\":\"op\",\"name\":\"a\"}", EVENT_FOREIGN, EVENT_FOREIGN},
	    {"{\"ts\":9223372036854775807,\"kind\":\"op\",\"name\":\"a\"}", EVENT_CANONICAL, EVENT_UNWANTED},
	    {"{\"ts\":9223372036854775808,\"kind\":\"op\",\"name\":\"a\"}", EVENT_FOREIGN, EVENT_FOREIGN},
	    {"{\"ts\":99999999999999999999,\"kind\":\"op\",\"name\":\"a\"}", EVENT_FOREIGN, EVENT_FOREIGN},
	    {"{\"kind\":\"opus\",\"name\":\"a\"}", EVENT_UNWANTED, EVENT_UNWANTED},
	    {"{\"kind\":\"programinfo\",\"name\":\"a\"}", EVENT_UNWANTED, EVENT_UNWANTED},
	    {"{\"kind\":\"\",\"name\":\"a\"}", EVENT_UNWANTED, EVENT_UNWANTED},
	    {"{\"kind\":\"op\"}", EVENT_FOREIGN, EVENT_FOREIGN},
	    {"{\"kind\":\"op\",\"cat\":\"a\"}", EVENT_CANONICAL, EVENT_UNWANTED},
	    {"{\"ts\":1,\"kind\":\"op\",\"cat\":\"a\",\"args\":{\"names\":1}}", EVENT_FOREIGN, EVENT_UNWANTED},
	    {"{\"kind\":\"op\",\"cat\":\"a\",\"name\":\"b\"}", EVENT_FOREIGN, EVENT_UNWANTED},
	    {"{\"kind\":7,\"name\":\"a\"}", EVENT_FOREIGN, EVENT_FOREIGN},
	};
	char room[256];
	struct event e;
	size_t i, n;

	for (i = 0; i < sizeof lines / sizeof *lines; i++) {
		n = strlen(lines[i].line);
		memcpy(room, lines[i].line, n);
		memset(room + n, '"', SCAN_PAD);
		CHECK_INT(event_canonical(&e, (struct str){room, n}, 1u << KIND_OP), lines[i].op);
		CHECK_INT(
		    event_canonical(&e, (struct str){room, n}, 1u << KIND_KERNEL | 1u << KIND_MEMCPY), lines[i].kernel);
	}
}

/* event_next() finds members in any order, with white space and other members between the standard ones. */
static void test_next(void)
{
	struct member members[EVENT_N + 2] = {{"x", "1"}, {"streams", "\"a\""}};
	enum event_member m;
	struct buf line = {0};
	struct str key, value;
	struct iter w;
	size_t i, round, n;

	for (round = 0; round < 3000; round++) {
		for (i = 0; i < EVENT_N; i++)
			members[i + 2] = (struct member){event_member_name(i), values[i]};
		n = sizeof members / sizeof *members;
		if (round % 3)
			shuffle(members, n);
		n = 1 + random_below(n);
		put_line(&line, members, n, round % 2);
		iter_init(&w, (struct str){line.p, line.n});
		m = EVENT_N;
		for (i = 0; event_next(&w, &m, &key, &value) > 0; i++) {
			if (i == n)
				break;
			CHECK_STR(key, members[i].key);
			CHECK_STR(value, members[i].value);
			CHECK_INT(m, event_member(str_of(members[i].key)));
		}
		CHECK_INT(i, n);
	}
	buf_free(&line);
}

static void test_kinds(void)
{
	struct event e;
	size_t i;

	CHECK(parse(&e, "{\"kind\":7}") == NULL);
	CHECK_INT(event_get_kind(&e), KIND_N);
	CHECK(parse(&e, "{\"kind\":\"kern\\u0065l\"}") == NULL);
	CHECK_INT(event_get_kind(&e), KIND_KERNEL);
	CHECK(parse(&e, "{\"kind\":\"kern\\\\el\"}") == NULL);
	CHECK_INT(event_get_kind(&e), KIND_N);
	CHECK(parse(&e, "{\"kind\":\"\"}") == NULL);
	CHECK_INT(event_get_kind(&e), KIND_N);
	CHECK(parse(&e, "{}") == NULL);
	CHECK_INT(event_get_kind(&e), KIND_N);
	for (i = 0; event_member_name(i); i++)
		;
	CHECK_INT(i, EVENT_N);
}

/* Checks event_has_time() and event_end(). */
static void test_end_of_record(void)
{
	struct event e;

	CHECK(parse(&e, "{\"ts\":5,\"dur\":7}") == NULL);
	CHECK(event_has_time(&e));
	CHECK_INT(event_end(&e), 12);
	CHECK(parse(&e, "{\"ts\":5,\"dur\":-7,\"clock\":\"gpu\"}") == NULL);
	CHECK(!event_has_time(&e));
	CHECK_INT(event_end(&e), 5);
	CHECK(parse(&e, "{\"ts\":9223372036854775800}") == NULL);
	CHECK(event_has_time(&e));
	CHECK_INT(event_end(&e), 9223372036854775800);
	CHECK(parse(&e, "{\"ts\":9223372036854775800,\"dur\":100}") == NULL);
	CHECK_INT(event_end(&e), INT64_MAX);
	CHECK(parse(&e, "{\"ts\":1.5,\"dur\":2}") == NULL);
	CHECK(!event_has_time(&e));
}

static void test_kind_texts(void)
{
	struct event e;
	size_t i;

	for (i = 0; event_kind_names[i]; i++) {
		event_clear(&e);
		event_set_kind(&e, (enum event_kind)i);
		CHECK_INT(event_get_kind(&e), i);
	}
}

static struct str written;

static void write_events(const struct event *events, size_t n)
{
	static struct buf b;
	int saved = dup(STDOUT_FILENO), fd = open("event.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
	ssize_t r;
	struct out o;

	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	out_open(&o);
	while (n--)
		event_write(&o, events++);
	CHECK(out_close(&o, &(struct fault){0}));
	dup2(saved, STDOUT_FILENO);
	close(saved);
	lseek(fd, 0, SEEK_SET);
	for (b.n = 0; (r = read(fd, buf_room(&b, 1 << 20), 1 << 20)) > 0;)
		b.n += (size_t)r;
	close(fd);
	memset(buf_room(&b, SCAN_PAD), 0, SCAN_PAD);
	written = (struct str){b.p, b.n};
}

static void test_writing(void)
{
	static char large[300000];
	enum { N = 2000 };
	static struct event events[N];
	static char attachments[N][128];
	struct buf big = {0};
	struct str rest, line;
	struct event e;
	size_t i;
	enum event_member m;
	struct fault f;

	memset(large, 'x', sizeof large);
	buf_lit(&big, "{\"a\":\"");
	buf_add(&big, large, sizeof large);
	buf_lit(&big, "\"}");
	for (i = 0; i < N; i++) {
		event_clear(&events[i]);
		for (m = 0; m < EVENT_N; m++) {
			if (random_below(3) == 0)
				continue;
			if (m == EVENT_TS)
				event_set_ts(&events[i], (int64_t)i - 7);
			else if (m == EVENT_DUR)
				event_set_dur(&events[i], i % 2 ? INT64_MAX : -1);
			else if (m >= EVENT_ARGS && i % 300 == 5)
				event_set(&events[i], m, (struct str){big.p, big.n});
			else
				event_set(&events[i], m, str_of(values[m]));
		}
		if (random_below(3) == 0) {
			snprintf(attachments[i], sizeof attachments[i], ",\"delay\":%zu,\"ranges\":[\"a\",\"b\"]", i);
			events[i].attachments = str_of(attachments[i]);
		}
	}
	events[0].has = 0; /* one record without members, and two whose only member is an attachment */
	events[0].attachments.n = 0;
	events[1].has = 0;
	events[1].attachments = STR(",\"x\":1");
	events[2].has = 0;
	write_events(events, N);
	rest = written;
	for (i = 0; i < N; i++) {
		CHECK(str_split(&rest, '\n', &line));
		CHECK_SHOW(json_check(line, &f), "%.*s", STR_FMT(line));
		CHECK(event_parse(&e, line) == NULL);
		CHECK_INT(e.has, events[i].has);
		for (m = 0; m < EVENT_N; m++) {
			if (event_has(&e, m) && m != EVENT_TS && m != EVENT_DUR)
				CHECK(str_eq(e.m[m], events[i].m[m]));
		}
		if (event_has(&e, EVENT_TS))
			CHECK_INT(e.ts, events[i].ts);
		if (events[i].attachments.n)
			CHECK(str_find(line, events[i].attachments.p[0] == ',' ? str_from(events[i].attachments, 1)
									       : events[i].attachments) < line.n);
		/* attachments precede args, and the written record is canonical */
		if (event_has(&e, EVENT_KIND) && event_has(&e, EVENT_NAME))
			CHECK(event_canonical(&e, line, 0) == EVENT_CANONICAL);
	}
	CHECK(str_split(&rest, '\n', &line) && !line.n && !rest.p);
	CHECK_STR(str_head(written, 3), "{}\n");
	buf_free(&big);
	/* a large record that has only attachments */
	buf_lit(&big, ",\"big\":\"");
	buf_add(&big, large, sizeof large);
	buf_char(&big, '"');
	event_clear(&e);
	e.attachments = (struct str){big.p, big.n};
	write_events(&e, 1);
	CHECK(json_check(str_trim(written), &f));
	event_set_ts(&e, 5);
	event_set(&e, EVENT_SRC, STR("{}"));
	write_events(&e, 1);
	CHECK(json_check(str_trim(written), &f) && str_starts(written, STR("{\"ts\":5,\"big\":")) &&
	      str_ends(written, STR(",\"src\":{}}\n")));
	e.has &= ~(1u << EVENT_TS);
	write_events(&e, 1);
	CHECK(json_check(str_trim(written), &f) && str_starts(written, STR("{\"big\":")) &&
	      str_ends(written, STR(",\"src\":{}}\n")));
	buf_free(&big);
	remove("event.tmp");
}

void unit_test(void)
{
	test_orders();
	test_times();
	test_forms();
	test_only();
	test_next();
	test_kinds();
	test_end_of_record();
	test_kind_texts();
	test_writing();
}
