/* report_text: placeholders in the texts of a report. */
#include "test.h"

#include "json/scan.h"
#include "ndjson2report/report_text.h"

static struct buf line, shown;
static enum report_text_fault fault;

/* Returns a text with its placeholders expanded: numbers in (), names in <>. */
static struct str expand(const char *record, const char *text)
{
	struct report_record r;
	struct report_piece piece;
	struct report_text t;
	bool cut = false;

	line.n = shown.n = 0;
	buf_add(&line, record, strlen(record));
	scan_pad(&line);
	CHECK(report_record_copy(&r, (struct str){line.p, line.n}, &cut));
	report_text_begin(&t, &r, str_of(text));
	while (report_text_next(&t, &piece)) {
		if (piece.type != REPORT_PIECE_TEXT)
			buf_char(&shown, piece.type == REPORT_PIECE_NAME ? '<' : '(');
		buf_add(&shown, piece.text.p, piece.text.n);
		if (piece.type == REPORT_PIECE_NUMBER && *piece.unit) {
			buf_char(&shown, ' ');
			buf_add(&shown, piece.unit, strlen(piece.unit));
		}
		if (piece.type != REPORT_PIECE_TEXT)
			buf_char(&shown, piece.type == REPORT_PIECE_NAME ? '>' : ')');
	}
	fault = t.fault;
	report_record_free(&r);
	return (struct str){shown.p ? shown.p : "", shown.n};
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
	buf_free(&line);
	buf_free(&shown);
}
