/* report_text: placeholders in the texts of a report. */
#include "test.h"

#include "json/scan.h"
#include "ndjson2report/report_text.h"

static struct buf line, shown;
static enum report_text_fault fault;

static void put_text(const struct report_writer *w, struct str text)
{
	buf_add(w->to, text.p, text.n);
}

static void put_name(const struct report_writer *w, struct str name)
{
	buf_char(w->to, '<');
	buf_add(w->to, name.p, name.n);
	buf_char(w->to, '>');
}

static void put_number(const struct report_writer *w, struct str digits, const char *unit)
{
	buf_char(w->to, '(');
	buf_add(w->to, digits.p, digits.n);
	buf_add(w->to, " ", *unit ? 1 : 0);
	buf_add(w->to, unit, strlen(unit));
	buf_char(w->to, ')');
}

static struct report_writer writer = {put_text, put_name, put_number, &shown, NULL, false, 0};

/* Returns a text with its placeholders expanded: numbers in (), names in <>. */
static struct str expand(const char *record, const char *text)
{
	struct report_record r;
	bool cut = false;

	line.n = shown.n = 0;
	buf_add(&line, record, strlen(record));
	scan_pad(&line);
	CHECK(report_record_copy(&r, (struct str){line.p, line.n}, &cut));
	fault = report_text_write(&writer, &r, str_of(text));
	report_record_free(&r);
	return (struct str){shown.p ? shown.p : "", shown.n};
}

/* Returns a value as it is written in a cell or, with `whole`, elsewhere. */
static struct str value_in(const char *unit, struct value v, bool whole)
{
	struct report_unit u;

	shown.n = 0;
	CHECK(report_unit_read(&u, str_of(unit)));
	report_value_write(&writer, &u, &v, whole);
	return (struct str){shown.p ? shown.p : "", shown.n};
}

static void check_values(void)
{
	struct value number, name = {.type = VALUE_STRING, .text = STR("gemm")};

	value_of(&number, STR("2500000"));
	CHECK_STR(value_in("ms", number, false), "(2.5)");
	CHECK_STR(value_in("ms", number, true), "(2.5 ms)");
	CHECK_STR(value_in("time", number, false), "(2.5 ms)");
	CHECK_STR(value_in("name", number, false), "<2500000>");
	CHECK_STR(value_in("text", name, false), "gemm");
	CHECK_STR(value_in("ms", name, false), "<gemm>");
	CHECK_STR(value_in("ms", (struct value){.type = VALUE_NONE}, true), "");
	shown.n = 0;
	report_put(&writer, "%o, %o; %s, %i", (uint64_t)1, (uint64_t)1200, 0.605, (uint64_t)7);
	CHECK_STR(buf_str(&shown), "(1) other, (1,200) others; (60.5 %), (7)");
	shown.n = 0;
	report_put(&writer, "<%n %p %t%h%%> %w %f", STR("n"), STR("p"), "t", STR("h"), 1.0 / 3, 2.0 / 3);
	CHECK_STR(buf_str(&shown), "<<n> p th%> 33.3333% 0.67");
	shown.n = 0;
	report_put(&writer, "%v, %b", &report_time, &number, &report_time, &number);
	CHECK_STR(buf_str(&shown), "(2.5 ms), (2.5 ms)");
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
	CHECK_INT(fault, REPORT_TEXT_OK);
	CHECK_STR(expand(record, "a {missing:time} b {name}"), "a ? b <all_to_all>");
	CHECK_INT(fault, REPORT_TEXT_ABSENT);
	CHECK_STR(expand(record, "{none}{}"), "??");
	CHECK_INT(fault, REPORT_TEXT_ABSENT);
	CHECK_STR(expand(record, "{name:time}"), "<all_to_all>");
	CHECK_INT(fault, REPORT_TEXT_UNIT);
	CHECK_STR(expand(record, "{a:parsec}"), "(87,921,000)");
	CHECK_INT(fault, REPORT_TEXT_UNIT);
	CHECK_STR(expand(record, "{a:time} {b"), "(87.9 ms) {b");
	CHECK_INT(fault, REPORT_TEXT_UNCLOSED);
	CHECK_STR(expand(record, "{"), "{");
	CHECK_STR(expand("{\"t\":0.5,\"t\":1}", "{t}"), "(1)"); /* the last of several members of a name */
	writer.most = 5;
	CHECK_STR(expand(record, "a text {n} and {name} more"), "a text \u2026");
	writer.most = 0;
	check_values();
	buf_free(&line);
	buf_free(&shown);
}
