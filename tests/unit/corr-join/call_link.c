/*
 * call_link: the result of reading a record does not depend on the record before it, although most of the result is
 * copied from that record.
 */
#include "test.h"

#include "corr-join/call_link.h"
#include "samples.h"
#include "json/scan.h"

/*
 * Alternatives for the parts of a record. A record is made of one text from each list, mostly the first; "" omits the
 * member.
 */
static const char *const times[] = {"\"ts\":5,\"dur\":7,", "\"ts\":6,\"dur\":8,", "\"ts\":-1,", ""};
static const char *const cats[] = {",\"cat\":\"c\"", ",\"cat\":\"d\"", "", ",\"cat\":null", ",\"ts\":3", ", \"x\":1"};
static const char *const ranks[] = {",\"rank\":0", ",\"rank\":1", "", ",\"rank\":00"};
static const char *const pids[] = {",\"pid\":7,\"tid\":8", ",\"pid\":7,\"tid\":9", ",\"pid\":9,\"tid\":8", ",\"tid\":8",
    ",\"pid\":7", "", ",\"pid\":null,\"tid\":8"};
static const char *const streams[] = {"", ",\"dev\":0,\"stream\":7", ",\"stream\":7,\"dev\":0", ",\"clock\":\"host\""};
static const char *const corrs[] = {",\"corr\":12", ",\"corr\":1234567890123456789", ",\"corr\":0", ",\"corr\":-1",
    ",\"corr\":-5", "", ",\"corr\":\"12\"", ",\"corr\":1.5", ",\"corr\":null", ",\"corr\":99999999999999999999",
    ",\"corr\":12 ", ",\"corr\":012"};
static const char *const ends[] = {",\"args\":{\"a\":[1,{}]}", "", ",\"args\":{},\"src\":{}", ",\"src\":1",
    ",\"bytes\":4,\"copy\":\"h2d\"", ",\"delay\":5,\"args\":{}", ",\"iter\":5", ",\"args\":{},\"iter\":5",
    ",\"clock\":\"host\"", ",\"corr\":13", ",\"pid\":3", ",\"pid\":3,\"args\":{}", ",\"dur\":4", ",\"args\":null",
    ",\"err\":null,\"args\":{}", ",\"id\":3,\"args\":{}", ",\"args\":{},\"bytes\":4"};

static void put_one(struct buf *b, const char *const *list, size_t n)
{
	const char *z = list[random_below(3) ? 0 : random_below(n)];

	buf_add(b, z, strlen(z));
}
#define PUT_ONE(list) put_one(b, list, sizeof(list) / sizeof *(list))

static void put_line(struct buf *b)
{
	b->n = 0;
	buf_char(b, '{');
	PUT_ONE(times);
	buf_lit(b, "\"kind\":\"api\",\"name\":\"n\"");
	PUT_ONE(cats);
	PUT_ONE(ranks);
	PUT_ONE(pids);
	PUT_ONE(streams);
	PUT_ONE(corrs);
	PUT_ONE(ends);
	buf_char(b, '}');
	scan_pad(b);
}

static void read_line(
    struct call_link *l, struct call_places *places, const struct call_table *calls, struct str line, bool tid)
{
	struct event e;

	if (event_canonical(&e, line, 0) != EVENT_CANONICAL && event_parse(&e, line))
		return;
	call_link_read(l, &e, places, calls, tid);
}

static void test_again(void)
{
	struct call_link all = {.has_corr = false};
	struct call_places places = {0};
	struct call_table *calls = call_table_new(&places, 0, 0);
	struct buf line = {0};
	unsigned again = 0, round;
	bool tid;

	for (round = 0; round < 200000; round++) {
		struct call_link alone = {.has_corr = false};
		struct str text;

		put_line(&line);
		text = (struct str){line.p, line.n};
		tid = random_below(2);
		again += all.shapes[tid].text.n &&
			 str_find(text, (struct str){all.shapes[tid].text.p, all.shapes[tid].text.n}) < text.n;
		read_line(&all, &places, calls, text, tid);
		read_line(&alone, &places, calls, text, tid);
		CHECK_INT(all.has_corr, alone.has_corr);
		CHECK_INT(all.w.has_ts, alone.w.has_ts);
		CHECK_INT(all.w.ts, alone.w.ts);
		CHECK_INT(all.w.attached, alone.w.attached);
		CHECK_INT(all.w.at, alone.w.at);
		CHECK(str_eq((struct str){all.attachments.p, all.attachments.n},
		    (struct str){alone.attachments.p, alone.attachments.n}));
		if (all.has_corr && alone.has_corr) {
			CHECK_INT(all.w.corr, alone.w.corr);
			CHECK_INT(all.w.who, alone.w.who);
			CHECK_INT(all.w.rank, alone.w.rank);
			CHECK_INT(all.w.process, alone.w.process);
			CHECK_INT(all.w.blind, alone.w.blind);
		}
		call_link_free(&alone);
	}
	CHECK(again > round / 20); /* enough records had the same text as the preceding record */
	call_link_free(&all);
	call_table_free(calls);
	call_places_free(&places);
	buf_free(&line);
}

void unit_test(void)
{
	test_again();
}
