/* text_cut: parts of texts that fit in a number of columns; a cluster is never cut. */
#include "table/text_cut.h"
#include "table/text_width.h"

#include "test.h"

static struct str cut(const char *text, size_t width, void (*how)(struct buf *to, struct str s, size_t width))
{
	static struct buf b;

	b.n = 0;
	how(&b, str_of(text), width);
	return (struct str){b.p, b.n};
}

/* The beginnings of the clusters are the same forward and backward, and every cut fits. */
static void check_ways(const char *text)
{
	const struct str s = str_of(text);
	size_t at = 0, to, width;

	while (at < s.n) {
		for (to = at + text_cut_character(str_from(s, at)), at++; at < to && at < s.n; at++)
			CHECK_SHOW(text_cut_inside(s, at), "%s at %zu", text, at);
		CHECK_SHOW(!text_cut_inside(s, at), "%s at %zu", text, at);
	}
	for (width = 1; width < 12; width++) {
		CHECK(text_width(cut(text, width, text_cut_middle)) <= width);
		CHECK(text_width(cut(text, width, text_cut_end)) <= width);
		CHECK(text_width(str_from(s, text_cut_backward(s, s.n, width))) <= width);
	}
}

void unit_test(void)
{
	CHECK_STR(cut("abcdefgh", 5, text_cut_middle), "ab…gh");
	CHECK_STR(cut("abcdefgh", 5, text_cut_end), "abcd…");
	CHECK_STR(cut("漢字漢字", 5, text_cut_middle), "漢…字");
	check_ways("plain text, é and 漢字");
	check_ways("\xff\xcc\x81 \x81\x81 a\xe6\xbc");
	check_ways("👩‍💻👨‍👩‍👧‍👦👍🏽🇩🇪🇫🇷🇮🇹❤️‍🔥1️⃣");
	check_ways("देवनागरी की लिपि, தமிழ், 각가, عَرَبِيّ");
#ifdef HAVE_UTF8PROC
	CHECK_STR(cut("👩‍💻👩‍💻👩‍💻👩‍💻", 5, text_cut_middle), "👩‍💻…👩‍💻");
	CHECK_STR(cut("🇩🇪🇫🇷🇮🇹", 5, text_cut_middle), "🇩🇪…🇮🇹");
	CHECK_STR(cut("काकाका", 4, text_cut_end), "का…");
	CHECK_STR(cut("ab👍🏽cd", 4, text_cut_end), "ab…");
#endif
}
