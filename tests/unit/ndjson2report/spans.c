/* spans: texts with marked names and numbers, and their placeholders. */
#include "test.h"

#include "json/scan.h"
#include "ndjson2report/spans.h"

static struct buf line, text, shown;
static struct arena arena;
static char problem[100]; /* the first one of a text */

static const char absent[] = "text refers to a member that the record does not have; printed as ?",
		  bad_unit[] = "unknown unit in a text, or unit that does not fit the value";

/* Returns `text` with numbers in (), names in <>. */
static struct str marked(void)
{
	static const char *const around[] = {[SPAN_TEXT] = "", [SPAN_NAME] = "<>", [SPAN_NUMBER] = "()"};
	struct str rest = buf_str(&text);
	struct span span;

	shown.n = 0;
	buf_lit(&shown, "");
	while (span_next(&rest, &span)) {
		buf_add(&shown, around[span.kind], span.kind != SPAN_TEXT);
		buf_add(&shown, span.text.p, span.text.n);
		buf_add(&shown, around[span.kind] + (span.kind != SPAN_TEXT), span.kind != SPAN_TEXT);
	}
	return (struct str){shown.p ? shown.p : "", shown.n};
}

/* Returns a text with its placeholders expanded: numbers in (), names in <>. */
static struct str expand(const char *record, const char *template)
{
	struct diagnostics problems = {0};
	struct record r = {.arena = &arena, .problems = &problems};

	line.n = text.n = 0;
	buf_add(&line, record, strlen(record));
	scan_pad(&line);
	r.json = buf_str(&line);
	spans_expand(&text, &r, str_of(template));
	snprintf(problem, sizeof problem, "%s", problems.n ? problems.rows[0].what : "");
	diagnostics_free(&problems);
	return marked();
}

/* Returns a value as it is written in a cell or, with `whole`, elsewhere. */
static struct str value_in(const char *unit, struct value v, bool whole)
{
	struct report_unit u;

	text.n = 0;
	CHECK(report_unit_read(&u, str_of(unit)));
	spans_put(&text, whole ? "%v" : "%b", &u, &v);
	return marked();
}

static void check_values(void)
{
	struct value number, name = {.type = VALUE_STRING, .text = STR("gemm")};

	line.n = 0;
	value_of(&number, STR("2500000"));
	CHECK_STR(value_in("ms", number, false), "(2.5)");
	CHECK_STR(value_in("ms", number, true), "(2.5 ms)");
	CHECK_STR(value_in("time", number, false), "(2.5 ms)");
	CHECK_STR(value_in("name", number, false), "<2500000>");
	CHECK_STR(value_in("text", name, false), "gemm");
	CHECK_STR(value_in("ms", name, false), "<gemm>");
	CHECK_STR(value_in("ms", (struct value){.type = VALUE_NONE}, true), "");
	text.n = 0;
	spans_put(&text, "%o, %o; %s, %i", (uint64_t)1, (uint64_t)1200, 0.605, (uint64_t)7);
	CHECK_STR(marked(), "(1) other, (1,200) others; (60.5 %), (7)");
	spans_put(&line, "%v", &report_time, &number);
	text.n = 0;
	spans_put(&text, "<%n %p %t %h %u>", STR("n"), STR("p"), "t", STR("h"), buf_str(&line));
	CHECK_STR(marked(), "<<n> p t h (2.5 ms)>");
	text.n = 0;
	spans_put(&text, "%n%p", STR(""), STR("a\nb\x01"));
	CHECK_STR(marked(), "<\"\">a\\nb\\x01");
}

void unit_test(void)
{
	static const char record[] = "{\"a\":87921000,\"b\":83443000,\"n\":4463,\"name\":\"all_to_all\",\"x\":\"{a:"
				     "time}\",\"none\":null,\"list\":[1],"
				     "\"u\":\"\\u202e\"}";

	CHECK_STR(expand(record, ""), "");
	CHECK_STR(expand(record, "plain } text"), "plain } text");
	CHECK_STR(expand(record, "alone for {a:time}, {b:same} of it {name}"),
	    "alone for (87.9 ms), (83.4) of it <all_to_all>");
	CHECK_STR(expand(record, "{n}{n:count}{n:int}"), "(4,463)(4,463)(4463)");
	CHECK_STR(expand(record, "{{a:time}"), "{a:time}");
	CHECK_STR(expand(record, "{x}"), "<{a:time}>"); /* names are not expanded */
	CHECK_STR(expand(record, "{name:text}"), "all_to_all");
	CHECK_STR(expand(record, "{list}"), "<[1]>");
	CHECK_STR(str_of(problem), "");
	CHECK_STR(expand(record, "a {missing:time} b {name}"), "a ? b <all_to_all>");
	CHECK_STR(str_of(problem), absent);
	CHECK_STR(expand(record, "{none}{}"), "??");
	CHECK_STR(str_of(problem), absent);
	CHECK_STR(expand(record, "{name:time}"), "<all_to_all>");
	CHECK_STR(str_of(problem), bad_unit);
	CHECK_STR(expand(record, "{a:parsec}"), "(87,921,000)");
	CHECK_STR(str_of(problem), bad_unit);
	CHECK_STR(expand(record, "{a:time} {b"), "(87.9 ms) {b");
	CHECK_STR(str_of(problem), "text has a { without a }; write {{ for a brace");
	CHECK_STR(expand(record, "{"), "{");
	CHECK_STR(expand("{\"t\":0.5,\"t\":1}", "{t}"), "(1)"); /* the last of several members of a name */
	check_values();
	bufs_free(&line, &text, &shown);
	arena_drop(&arena, 0);
}
