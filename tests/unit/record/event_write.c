/* event_write: records written to a file instead of standard output, and read back. */
#include "test.h"

#include "record/event.h"
#include "json/check.h"
#include "json/scan.h"
#include "member_values.h"
#include "samples.h"

#include <fcntl.h>
#include <unistd.h>

static void test_kinds(void)
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
	static char more[N][128];
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
			snprintf(more[i], sizeof more[i], ",\"delay\":%zu,\"ranges\":[\"a\",\"b\"]", i);
			events[i].more = str_of(more[i]);
		}
	}
	events[0].has = 0; /* one record without members, and two whose only member is an attachment */
	events[0].more.n = 0;
	events[1].has = 0;
	events[1].more = STR(",\"x\":1");
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
		if (events[i].more.n)
			CHECK(str_find(line,
				  events[i].more.p[0] == ',' ? str_from(events[i].more, 1) : events[i].more) < line.n);
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
	e.more = (struct str){big.p, big.n};
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
	test_kinds();
	test_writing();
}
