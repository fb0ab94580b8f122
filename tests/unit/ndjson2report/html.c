/* html: texts of a page, which never become markup and are cut to the limits of the page. */
#include "ndjson2report/html.h"

#include "test.h"

static struct html_limits limits = {999, 999, 0, 0};
static struct html page = {.limits = &limits};

/* Returns the HTML of a text with spans. */
static struct str put(const char *directive, struct str text)
{
	page.to.n = 0;
	html_put(&page, directive, text);
	return buf_str(&page.to);
}

static struct str cut(const char *text, size_t most)
{
	limits.name = most;
	return put("%n", str_of(text));
}

static struct str wrapped(const char *text, size_t most)
{
	limits.name = most;
	page.to.n = 0;
	html_name(&page, str_of(text));
	return buf_str(&page.to);
}

static void check_spans(void)
{
	struct buf text = {0};

	limits.name = 999;
	spans_put(&text, "a < %n: %s", STR("x&y"), 0.5);
	CHECK_STR(put("%m", buf_str(&text)), "a &lt; <code>x&amp;y</code>: 50.0\u00a0%");
	CHECK_STR(put("\"%h\"", buf_str(&text)), "\"a &lt; x&amp;y: 50.0\u00a0%\"");
	limits.text = 5;
	CHECK_STR(put("%m", buf_str(&text)), "a &lt; <code>x&amp;y</code>…");
	page.to.n = 0;
	html_put(&page, "%w %f %t%%", 1.0 / 3, 2.0 / 3, "<b>");
	CHECK_STR(buf_str(&page.to), "33.3333% 0.67 <b>%");
	buf_free(&text);
}

void unit_test(void)
{
	CHECK_STR(put("%p", STR("</script><a b=\"c\" d='e'> & x")),
	    "&lt;/script&gt;&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt; &amp; x");
	CHECK_STR(put("%p", STR("a\0b\n\x1b[2J\x7f")), "a\\x00b\\n\\x1b[2J\\x7f");
	CHECK_STR(
	    put("%n", STR("g\u202Epj \u2066x\u2069 \u200B \xc2\x85")), "g\\u202epj \\u2066x\\u2069 \\u200b \\x85");
	CHECK_STR(put("%n", STR("\U000E0041 \u00e9 \u6838 \U0001F600")), "\\U000e0041 \u00e9 \u6838 \U0001F600");
	CHECK_STR(put("%n", STR("\xff \xc3 \xed\xa0\x80")), "\uFFFD \uFFFD \uFFFD\uFFFD\uFFFD");

	CHECK_STR(cut("abcdef", 6), "abcdef");
	CHECK_STR(cut("abcdefghij", 6), "abcd\u2026ij");
	CHECK_STR(cut("<<<<<<<<>>", 6), "&lt;&lt;&lt;&lt;\u2026&gt;&gt;");
	/* Characters are never split. */
	CHECK_STR(cut("ab\u00e9\u00e9\u00e9\u00e9\u00e9yz", 9), "ab\u00e9\u00e9\u2026yz");
	CHECK_STR(cut("\u00e9\u00e9\u00e9\u00e9\u00e9", 1), "\u2026");

	CHECK_STR(wrapped("aten::mm_out<int, 4>", 99), "aten::<wbr>mm_<wbr>out&lt;<wbr>int,<wbr> 4&gt;");
	CHECK_STR(wrapped("a_", 99), "a_");
	CHECK_STR(wrapped("a_b_c_d_e_f", 6), "a_<wbr>b_\u2026_<wbr>f");
	check_spans();
	bufs_free(&page.to, &page.text);
}
