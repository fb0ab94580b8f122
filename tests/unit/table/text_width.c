/* text_width: the widths of characters of each class. With libutf8proc, more classes are tested. */
#include "table/text_width.h"

#include "test.h"

static size_t width_of(uint32_t code)
{
	char p[4];

	return text_width((struct str){p, utf8_encode(p, code)});
}

static void test_widths(void)
{
	static const struct {
		uint32_t code;
		size_t width;
	} rows[] = {
	    {'a', 1}, {0x1b, 0}, {0x9f, 0}, {0xe9, 1}, {0x301, 0}, {0x430, 1}, {0x2026, 1}, {0x200d, 0}, {0xfe0f, 0},
	    {0x1100, 2}, {0x3042, 2}, {0x6f22, 2}, {0xac00, 2}, {0xff01, 2}, {0xff71, 1}, {0x20000, 2}, {0x1f600, 2},
	    {0x1f680, 2}, {0x1f9e0, 2}, {0x1fa80, 2},
#ifdef HAVE_UTF8PROC
	    {0x2705, 2}, {0x26a1, 2}, {0x231a, 2}, /* emoji among symbols */
	    {0x2713, 1}, {0x1f700, 1},             /* symbols that are not emoji */
	    {0x64e, 0}, {0x651, 0}, {0x628, 1},    /* two Arabic vowel signs and a letter */
	    {0x941, 0}, {0x94d, 0}, {0x915, 1},    /* Devanagari, likewise */
	    {0x93e, 1}, {0x940, 1}, {0xbbf, 1},    /* vowel signs beside a letter */
	    {0xbcd, 0}, {0xe34, 0}, {0x5b4, 0},    /* Tamil, Thai, Hebrew */
#endif
	};
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		CHECK_SHOW(width_of(rows[i].code) == rows[i].width, "U+%04X", (unsigned)rows[i].code);
	}
}

/* The widths are those of wcwidth 0.7 of Python, which follows the terminals that join characters. */
static void test_clusters(void)
{
#ifdef HAVE_UTF8PROC
	static const struct {
		const char *text;
		size_t width, first; /* bytes of the first cluster */
	} rows[] = {
	    {"👩‍💻", 2, 11},
	    {"👨‍👩‍👧‍👦", 2, 25},
	    {"👩🏽‍💻", 2, 15},
	    {"👍🏽x", 3, 8},
	    {"🇩🇪", 2, 8},
	    {"🇩🇪🇫🇷", 4, 8},
	    {"❤", 1, 3},
	    {"❤️", 2, 6},
	    {"❤️‍🔥", 2, 13},
	    {"🏳️‍🌈", 2, 14},
	    {"1️⃣2", 3, 7},
	    {"☎︎", 1, 6},
	    {"का", 2, 6},
	    {"बुद्ध", 3, 6},
	    {"देवनागरी", 7, 6},
	    {"தமிழ்", 4, 3},
	    {"กำ", 2, 6},
	    {"\xe1\x84\x80\xe1\x85\xa1\xe1\x86\xa8", 2, 9},
	    {"e\xcc\x81", 1, 3},
	    {" ️x", 2, 4},
	    {"漢字", 4, 3},
	    {"\xff\xcc\x81", 1, 1},
	};
	size_t i, width;

	for (i = 0; i < sizeof rows / sizeof *rows; i++) {
		CHECK_SHOW(text_width(str_of(rows[i].text)) == rows[i].width, "%s", rows[i].text);
		CHECK_SHOW(text_width_first(str_of(rows[i].text), &width) == rows[i].first, "%s", rows[i].text);
	}
#endif
}

void unit_test(void)
{
	test_widths();
	test_clusters();
	CHECK_INT(text_width(STR("")), 0);
	CHECK_INT(text_width(STR("abc")), 3);
	CHECK_INT(text_width(STR("\xe6\xbc\xa2\xe5\xad\x97")), 4);
	CHECK_INT(text_width(STR("e\xcc\x81")), 1);
	CHECK_INT(text_width(STR("\xff\xfe")), 2);
	CHECK_INT(text_width(STR("a\xe6\xbc")), 3); /* the text ends inside a character */
}
