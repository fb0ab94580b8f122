/* escape: the escapes of characters of each length, and the forms of characters in each target. */
#include "test.h"

#include "base/escape.h"

static struct buf page;

static struct str escaped(enum escape_target target, struct str text)
{
	page.n = 0;
	escape_text(&page, target, text);
	return (struct str){page.p, page.n};
}

/* No byte of a text is markup: each ASCII character is unchanged, a character reference or visible. */
static void test_all_characters(void)
{
	size_t n;
	char c;
	int i;

	for (i = 0; i < 128; i++) {
		c = (char)i;
		const struct str out = escaped(ESCAPE_HTML, (struct str){&c, 1});

		n = c == '\n' || c == '\t' || c == '\r' ? 2 : 4;
		if (strchr("&<>\"'", c) && c)
			CHECK(out.n > 3 && out.p[0] == '&' && out.p[out.n - 1] == ';');
		else if (i < 0x20 || i == 0x7f)
			CHECK(out.n == n && out.p[0] == '\\');
		else
			CHECK(out.n == 1 && out.p[0] == c);
	}
}

void unit_test(void)
{
	static const char markup[] = "a\n<b c='d' e=\"f\">&|";

	test_all_characters();
	CHECK_STR(escaped(ESCAPE_PLAIN, STR("\n\t\r\0\x1b\x7f\xc2\x9f\u00ad\u202e\ufffb\uffff\U000e0041")),
	    "\\n\\t\\r\\x00\\x1b\\x7f\\x9f\\u00ad\\u202e\\ufffb\\uffff\\U000e0041");
	CHECK_STR(escaped(ESCAPE_PLAIN, STR("\xff \xc3 \xed\xa0\x80 \u00e9\u6838\U0001f600")),
	    "\ufffd \ufffd \ufffd\ufffd\ufffd \u00e9\u6838\U0001f600");
	CHECK_STR(escaped(ESCAPE_PLAIN, str_of(markup)), "a\\n<b c='d' e=\"f\">&|");
	CHECK_STR(escaped(ESCAPE_XML, str_of(markup)), "a\n&lt;b c=&#39;d&#39; e=&quot;f&quot;&gt;&amp;|");
	CHECK_STR(escaped(ESCAPE_HTML, str_of(markup)), "a\\n&lt;b c=&#39;d&#39; e=&quot;f&quot;&gt;&amp;|");
	CHECK_STR(escaped(ESCAPE_MARKDOWN, STR("a\n\\`*_[]<>&|~#$!-+.")),
	    "a\\n\\\\\\`\\*\\_\\[\\]\\<\\>\\&\\|\\~\\#\\$\\!-+.");
	CHECK_STR(escaped(ESCAPE_CELL, str_of(markup)), "a<br>\\<b c='d' e=\"f\">&\\|");
	CHECK_STR(escaped(ESCAPE_ASCII, STR("5\u00b5s \u2265 4\u202fms\u2026 \u00e9 \xff\x1b")),
	    "5us >= 4 ms... \\u00e9 \\ufffd\\x1b");
	buf_free(&page);
}
