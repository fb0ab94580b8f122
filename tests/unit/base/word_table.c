/* word_table: every word is found, whatever bytes follow it; no other text is found. */
#include "test.h"

#include "base/word_table.h"

/* Some of these words have the same first eight bytes, the same length or the same end. */
/* clang-format off */
#define WORD(text) {text, sizeof(text) - 1}
/* clang-format on */
static const struct str list[] = {WORD("a"), WORD("b"), WORD("ab"), WORD("abcdefg"), WORD("abcdefgh"),
    WORD("abcdefghi"), WORD("abcdefghj"), WORD("abcdefghij"), WORD("abcdefghijklmnopqrstuvwxyz"),
    WORD("abcdefghijklmnopqrstuvwxyy")};

enum { N = sizeof list / sizeof *list };

static void test_short(void)
{
	static struct word_table words = {.list = list, .n = N};
	static const struct str others[] = {WORD("c"), WORD("abc"), WORD("abcdefgx"), WORD("abcdefghk"),
	    WORD("abcdefghi\0"), WORD("abcdefghijklmnopqrstuvwxyzz"), WORD("a\0"), WORD("\0")};
	char room[64];
	size_t i;

	for (i = 0; i < N; i++) {
		CHECK_INT(word_table_find(&words, list[i], word_table_head(list[i].p, list[i].n)), i);
		memset(room, 'z', sizeof room);
		memcpy(room, list[i].p, list[i].n);
		CHECK_INT(
		    word_table_find(&words, (struct str){room, list[i].n}, word_table_head_padded(room, list[i].n)), i);
	}
	for (i = 0; i < sizeof others / sizeof *others; i++)
		CHECK_INT(word_table_find(&words, others[i], word_table_head(others[i].p, others[i].n)), N);
	CHECK_INT(word_table_find(&words, STR(""), 0), N);
}

/* With the maximum number of words, several words have the same first slot. */
static void test_many(void)
{
	static char texts[WORD_TABLE_MOST + 1][4];
	static struct str many[WORD_TABLE_MOST];
	static struct word_table words = {.list = many, .n = WORD_TABLE_MOST};
	size_t i;

	for (i = 0; i <= WORD_TABLE_MOST; i++) {
		snprintf(texts[i], sizeof texts[i], "w%zu", i);
		if (i < WORD_TABLE_MOST)
			many[i] = str_of(texts[i]);
	}
	for (i = 0; i < WORD_TABLE_MOST; i++)
		CHECK_INT(word_table_find(&words, many[i], word_table_head(many[i].p, many[i].n)), i);
	CHECK_INT(word_table_find(&words, str_of(texts[WORD_TABLE_MOST]),
		      word_table_head(texts[WORD_TABLE_MOST], strlen(texts[WORD_TABLE_MOST]))),
	    WORD_TABLE_MOST);
}

void unit_test(void)
{
	test_short();
	test_many();
}
