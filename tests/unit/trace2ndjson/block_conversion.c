/*
 * block_conversion: the records and messages of a file that is converted in blocks are those of conversion_read(): for
 * every prefix of damaged traces, and for random traces with random damage.
 */
#include "trace2ndjson/block_conversion.h"

#include "test.h"

#include "samples.h"

#include <stdlib.h>
#include <unistd.h>

/* The options of a conversion. */
struct asked {
	uint32_t kinds;
	bool relative, bare;
	size_t max_record;
};

/* The output and the messages of a conversion. */
struct result {
	struct buf out;
	struct diagnostics diagnostics;
};

static const char file[] = "unit.tmp";

static struct result convert(const struct asked *asked, int64_t threads, size_t block)
{
	struct conversion c = {.threads = threads};
	struct result result;
	struct source *src;
	char size[32];
	struct fault f;

	snprintf(size, sizeof size, "%zu", block);
	setenv("TRACEFILTERS_BLOCK", size, 1);
	conversion_init(&c);
	c.out.held = true;
	c.kinds = asked->kinds;
	c.bare = asked->bare ? CONVERSION_ALL_KINDS : 0;
	c.max_record = asked->max_record;
	c.writer.relative.on = asked->relative;
	src = source_open(file, &f);
	CHECK(src);
	source_more(src);
	block_conversion_read(&c, src, file, RECOGNISE_chrome);
	conversion_end(&c);
	CHECK(source_judge(src, &c.diagnostics));
	source_close(src);
	result.out = (struct buf){c.out.p, c.out.n, c.out.cap};
	result.diagnostics = c.diagnostics;
	conversion_free(&c);
	return result;
}

static bool is_same_message(const struct diagnostics_row *a, const struct diagnostics_row *b)
{
	return a->kind == b->kind && a->count == b->count && a->first.line == b->first.line &&
	       a->first.byte == b->first.byte && strcmp(a->what, b->what) == 0;
}

/* Converts the text in one and in several blocks. */
static void compare(struct str text, const struct asked *asked, int64_t threads, size_t blocks)
{
	const size_t block = text.n / blocks + 1;
	struct result one, some;
	FILE *to = fopen(file, "wb");
	size_t i;

	CHECK(to && fwrite(text.p, 1, text.n, to) == text.n);
	CHECK(to && fclose(to) == 0);
	one = convert(asked, 1, block);
	some = convert(asked, threads, block);
	CHECK_SHOW(str_eq(buf_str(&one.out), buf_str(&some.out)), "%zu blocks of '%.*s'", blocks, STR_FMT(text));
	CHECK_SHOW(one.diagnostics.n == some.diagnostics.n && one.diagnostics.lost == some.diagnostics.lost,
	    "%zu blocks of '%.*s'", blocks, STR_FMT(text));
	for (i = 0; i < one.diagnostics.n && i < some.diagnostics.n; i++)
		CHECK_SHOW(is_same_message(&one.diagnostics.rows[i], &some.diagnostics.rows[i]),
		    "%zu blocks of '%.*s': %s", blocks, STR_FMT(text), one.diagnostics.rows[i].what);
	buf_free(&one.out);
	buf_free(&some.out);
	diagnostics_free(&one.diagnostics);
	diagnostics_free(&some.diagnostics);
}

static const struct asked all = {CONVERSION_ALL_KINDS, false, false, 1 << 20};

/* Nested values, strings with braces and with the text of events, halves of pairs, one fault; 1.6 kB. */
static const char nested[] =
    "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":3},\"traceEvents\":[\n"
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":1,\"args\":{\"d\":[[1,2],[]]}"
    "},\n"
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"}, {\",\"pid\":1,\"tid\":2,\"ts\":2,\"dur\":1},\n"
    "{\"ph\":\"B\",\"name\":\"b\",\"pid\":1,\"tid\":2,\"ts\":3},\n"
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k<{[\",\"pid\":0,\"tid\":7,\"ts\":3,\"dur\":1,\"args\":{"
    "\"correlation\":5}}\n,"
    "{\"ph\":\"X\",\"name\":\"list\",\"ts\":4,\"args\":{\"l\":[{\"ph\":\"X\",\"name\":\"x\"},{\"ph\":\"X\",\"name\":"
    "\"y\"},"
    "{\"name\":\"z\",\"ts\":1}]}},\n"
    "{\"ph\":\"E\",\"name\":\"b\",\"pid\":1,\"tid\":2,\"ts\":6,\"args\":{\"end\":{\"b\":{}}}},\n"
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"\\\"},{\\\"ph\\\":\\\"X\\\"},\",\"pid\":1,\"tid\":2,\"ts\":5,\"dur\":"
    "1},\n"
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"c:\\x\",\"pid\":1,\"tid\":2,\"ts\":6,\"dur\":NaN},\n"
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"fault,\"pid\":1,\"tid\":2,\"ts\":7,\"dur\":1,\"args\":{\"i\":[{\"j\":{"
    "}}]}},\n"
    "{\"ph\":\"E\",\"name\":\"none\",\"pid\":1,\"tid\":2,\"ts\":8}, {\"ph\":\"X\",\"ts\":1e99,\"dur\":1},\n"
    "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"p\"}},\n"
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"z\",\"pid\":1,\"tid\":2,\"ts\":9,\"dur\":1,\"ts\":10}\n"
    "],\"deviceProperties\":[{\"id\":0,\"name\":\"A\"},{\"id\":1,\"name\":\"B\"}],\"traceName\":\"x.json\"}\n";

static void test_prefixes(void)
{
	const struct str text = {nested, sizeof nested - 1};
	size_t n;

	for (n = 0; n <= text.n; n++) {
		compare(str_head(text, n), &all, 2, 2);
		compare(str_head(text, n), &all, 2, 7);
	}
}

static void add_z(struct buf *b, const char *z)
{
	buf_add(b, z, strlen(z));
}

/* Adds an event, which is often in a form that needs attention. */
static void add_event(struct buf *b, const char *space)
{
	static const char *const events[] = {"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op\",\"pid\":1,\"tid\":2,"
					     "\"ts\":5,\"dur\":1,\"args\":{\"a\":[[1],[]]}}",
	    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":5.5,\"dur\":1,\"args\":{"
	    "\"stream\":7}}",
	    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k{\",\"pid\":0,\"tid\":7,\"ts\":5.5,\"dur\":1,\"args\":{"
	    "\"stream\":8}}",
	    "{\"ph\":\"X\",\"name\":\"\xc3\xa9 "
	    "\\\"},{\\\"ph\\\":1\",\"ts\":5,\"args\":{\"l\":[{\"ph\":\"X\"},{\"ph\":\"X\"}]}}",
	    "{\"ph\":\"B\",\"name\":\"b\",\"pid\":1,\"tid\":2,\"ts\":3}", "{\"ph\":\"E\",\"pid\":1,\"tid\":2,\"ts\":4}",
	    "{\"ph\":\"b\",\"cat\":\"c\",\"id\":1,\"ts\":3}", "{\"ph\":\"e\",\"cat\":\"c\",\"id\":1,\"ts\":4}",
	    "{\"ph\":\"M\",\"name\":\"m\",\"pid\":1,\"args\":{\"name\":\"p\"}}",
	    "{\"ph\":\"X\",\"ts\":9223372036854775807}",
	    "{\"name\":\"n\",\"ts\":1,\"args\":{\"s\":[{\"name\":\"x\"},{\"name\":\"y\"},{\"name\":\"z\"}]}}", "{}"};

	add_z(b, events[random_below(sizeof events / sizeof *events)]);
	add_z(b, random_below(30) ? "," : "");
	add_z(b, space);
}

static void add_document(struct buf *b)
{
	static const char *const heads[] = {"[", "{\"traceEvents\":[",
	    "{\"distributedInfo\":{\"rank\":1},\"traceEvents\":[",
	    "{\"distributedInfo\":{\"rank\":2},\"a\":[{\"id\":1},{\"id\":2}],\"traceEvents\": ["};
	static const char *const tails[] = {"]", "],\"x\":[{\"name\":1},{\"name\":2}]}", "]}", ""};
	const char *space = random_below(2) ? "\n  " : "";
	size_t n = random_below(40);

	add_z(b, heads[random_below(4)]);
	while (n--)
		add_event(b, space);
	add_z(b, "{\"ph\":\"i\",\"name\":\"last\",\"ts\":7}");
	add_z(b, tails[random_below(4)]);
}

/* Changes, removes, or doubles a byte. */
static void damage(struct buf *b)
{
	static const char bytes[] = "\"{}[],:\\ \n\0x";
	const size_t at = random_below(b->n);

	switch (random_below(3)) {
	case 0:
		b->p[at] = bytes[random_below(sizeof bytes - 1)];
		break;
	case 1:
		memmove(b->p + at, b->p + at + 1, b->n - at - 1);
		b->n--;
		break;
	default:
		buf_char(b, ' ');
		memmove(b->p + at + 1, b->p + at, b->n - at - 1);
	}
}

static void test_random(size_t trials)
{
	struct buf b = {0};
	struct asked asked;
	size_t n;

	while (trials--) {
		asked = (struct asked){random_below(2) ? CONVERSION_ALL_KINDS : 1u << KIND_KERNEL, random_below(3) == 0,
		    random_below(3) == 0, random_below(4) ? 1 << 20 : 100};
		b.n = 0;
		for (n = 1 + random_below(3); n; n--)
			add_document(&b);
		for (n = random_below(4); n; n--)
			damage(&b);
		compare(buf_str(&b), &asked, 2 + (int64_t)random_below(2), 1 + random_below(30));
	}
	buf_free(&b);
}

static size_t cut_of(const char *text)
{
	struct buf b = {0};
	size_t place;

	buf_add(&b, text, strlen(text));
	scan_pad(&b);
	place = format_chrome.parts->cut(buf_str(&b));
	buf_free(&b);
	return place;
}

/* A block ends between two events, not in a text. In a list of objects with a phase, it may end in the list. */
static void test_cut(void)
{
	const struct str text = {nested, sizeof nested - 1};
	size_t place, n;

	for (n = str_find(text, STR("\"B\"")); n < str_find(text, STR("list")); n++) {
		place = format_chrome.parts->cut(str_head(text, n));
		CHECK_SHOW(
		    str_starts(str_from(text, place), STR(",\n{")) || str_starts(str_from(text, place), STR("\n,")),
		    "%zu: %zu", n, place);
	}
	CHECK_INT(cut_of("{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a"), 0);
	CHECK_INT(cut_of("x\"},{\"ph\":\"X\"},{\"ts\":1,\"ph\":\"X\"},{\"name"), 14);
}

void unit_test(void)
{
	test_cut();
	test_prefixes();
	test_random(getenv("TEST_ALL") ? 20000 : 300);
	remove(file);
}
