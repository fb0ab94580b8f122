#include "ndjson2report/html.h"

#include "test.h"

static struct buf page;

static struct str escaped(struct str text)
{
	page.n = 0;
	html_text(&page, text);
	return (struct str){page.p, page.n};
}

static struct str cut(const char *text, size_t most)
{
	page.n = 0;
	html_text_cut(&page, str_of(text), most);
	return (struct str){page.p, page.n};
}

static struct str wrapped(const char *text, size_t most)
{
	page.n = 0;
	html_text_wrapped(&page, str_of(text), most);
	return (struct str){page.p, page.n};
}

void unit_test(void)
{
	CHECK_STR(escaped(STR("</script><a b=\"c\" d='e'> & x")),
	    "&lt;/script&gt;&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt; &amp; x");
	CHECK_STR(escaped(STR("a\0b\n\x1b[2J\x7f")), "a\\x00b\\n\\x1b[2J\\x7f");
	CHECK_STR(escaped(STR("g\u202Epj \u2066x\u2069 \u200B \xc2\x85")), "g\\u202epj \\u2066x\\u2069 \\u200b \\x85");
	CHECK_STR(escaped(STR("\U000E0041 \u00e9 \u6838 \U0001F600")), "\\U000e0041 \u00e9 \u6838 \U0001F600");
	CHECK_STR(escaped(STR("\xff \xc3 \xed\xa0\x80")), "\uFFFD \uFFFD \uFFFD\uFFFD\uFFFD");

	CHECK_STR(cut("abcdef", 6), "abcdef");
	CHECK_STR(cut("abcdefghij", 6), "abcd\u2026ij");
	CHECK_STR(cut("<<<<<<<<>>", 6), "&lt;&lt;&lt;&lt;\u2026&gt;&gt;");
	/* Characters are never split. */
	CHECK_STR(cut("ab\u00e9\u00e9\u00e9\u00e9\u00e9yz", 9), "ab\u00e9\u00e9\u2026yz");
	CHECK_STR(cut("\u00e9\u00e9\u00e9\u00e9\u00e9", 1), "\u2026");

	CHECK_STR(wrapped("aten::mm_out<int, 4>", 99), "aten::<wbr>mm_<wbr>out&lt;<wbr>int,<wbr> 4&gt;");
	CHECK_STR(wrapped("a_", 99), "a_");
	CHECK_STR(wrapped("a_b_c_d_e_f", 6), "a_<wbr>b_\u2026_<wbr>f");
	buf_free(&page);
}
