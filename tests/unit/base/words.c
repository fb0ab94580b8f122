/* words: every word is found by itself and by nothing else, whatever stands behind it. */
#include "test.h"

#include "base/words.h"

/* Words that share their first eight bytes, their lengths and their ends. */
#define WORD(text) {text, sizeof(text) - 1}
static const struct str list[] = {WORD("a"), WORD("b"), WORD("ab"), WORD("abcdefg"), WORD("abcdefgh"), WORD("abcdefghi"),
    WORD("abcdefghj"), WORD("abcdefghij"), WORD("abcdefghijklmnopqrstuvwxyz"), WORD("abcdefghijklmnopqrstuvwxyy")};

enum { N = sizeof list / sizeof *list };

static void test_short(void)
{
	static struct words words = {.list = list, .n = N};
	static const struct str others[] = {WORD("c"), WORD("abc"), WORD("abcdefgx"), WORD("abcdefghk"), WORD("abcdefghi\0"),
	    WORD("abcdefghijklmnopqrstuvwxyzz"), WORD("a\0"), WORD("\0")};
	char room[64];
	size_t i;

	for (i = 0; i < N; i++) {
		CHECK_INT(words_find(&words, list[i], words_head(list[i].p, list[i].n)), i);
		memset(room, 'z', sizeof room);
		memcpy(room, list[i].p, list[i].n);
		CHECK_INT(words_find(&words, (struct str){room, list[i].n}, words_head_padded(room, list[i].n)), i);
	}
	for (i = 0; i < sizeof others / sizeof *others; i++)
		CHECK_INT(words_find(&words, others[i], words_head(others[i].p, others[i].n)), N);
	CHECK_INT(words_find(&words, STR(""), 0), N);
}

/* As many as there may be: slots are shared. */
static void test_many(void)
{
	static char texts[WORDS_MOST + 1][4];
	static struct str many[WORDS_MOST];
	static struct words words = {.list = many, .n = WORDS_MOST};
	size_t i;

	for (i = 0; i <= WORDS_MOST; i++) {
		snprintf(texts[i], sizeof texts[i], "w%zu", i);
		if (i < WORDS_MOST)
			many[i] = str_of(texts[i]);
	}
	for (i = 0; i < WORDS_MOST; i++)
		CHECK_INT(words_find(&words, many[i], words_head(many[i].p, many[i].n)), i);
	CHECK_INT(words_find(&words, str_of(texts[WORDS_MOST]), words_head(texts[WORDS_MOST], strlen(texts[WORDS_MOST]))),
	    WORDS_MOST);
}

int main(void)
{
	test_short();
	test_many();
	return test_end();
}
