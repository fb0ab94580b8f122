/* record/regex_set: the first of several expressions that matches; the same answers as regexec(). */
#include "record/regex_set.h"
#include "random_values.h"
#include "test.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

static int first(struct regex_set *s, const char *text)
{
	const size_t number = regex_set_first(s, str_of(text));

	return number == REGEX_SET_NONE ? -1 : (int)number;
}

static void test_order(void)
{
	struct regex_set s = {0};

	CHECK_INT(first(&s, "a"), -1);
	CHECK(regex_set_add(&s, "^gemm$", false));
	CHECK(regex_set_add(&s, "(^|_)ge(mm|mv)[0-9][0-9]", false));
	CHECK(regex_set_add(&s, "GEMM", true));
	CHECK_INT(first(&s, "gemm"), 0);
	CHECK_INT(first(&s, "a_gemv123"), 1);
	CHECK_INT(first(&s, "a_gemv1"), -1);
	CHECK_INT(first(&s, "agEmm12"), 2);
	CHECK_INT(first(&s, ""), -1);
	CHECK(regex_set_add(&s, "x*", false)); /* added after a search */
	CHECK_INT(first(&s, ""), 3);
	CHECK_INT((int)regex_set_first(&s, STR("ge\0mm")), 3);
	CHECK(regex_set_add(&s, "ge.mm", false));
	regex_set_free(&s);
	CHECK(regex_set_add(&s, "ge.mm", false));
	CHECK_INT((int)regex_set_first(&s, STR("ge\0mm")), 0);
	regex_set_free(&s);
}

/* Expressions that only regexec() can match, or that regcomp() rejects. */
static void test_refused(void)
{
	static const char *const refused[] = {"(a)\\1", "\\bword", "[[.a.]]", "[[=a=]]", "[[:digit:]]", "a{2}", "*a",
	    "a**", "(", ")", "[a", "[z-a]", "a{", "a|*", "\\"};
	struct regex_set s = {0};
	char *large = mem_zero(300001, 1);
	size_t i;

	for (i = 0; i < sizeof refused / sizeof *refused; i++) {
		CHECK(!regex_set_add(&s, refused[i], false));
		CHECK_INT((int)s.n, 0);
	}
	memset(large, 'a', 300000);
	CHECK(!regex_set_add(&s, large, false));
	free(large);
	regex_set_free(&s);
}

static unsigned draw(uint64_t *seed, unsigned n)
{
	return (unsigned)(random_bits(seed) >> 33) % n;
}

static void put_choice(struct buf *to, uint64_t *seed, int depth);

static void put_piece(struct buf *to, uint64_t *seed, int depth)
{
	static const char *const atoms[] = {"a", "b", "c", "A", "1", ".", "[ab]", "[^a]", "[a-c1]", "[0-9]", "[^A-Zb]",
	    "[]a]", "[a-]", "\\.", "\\$", "$"};
	static const char *const times[] = {"", "", "", "*", "+", "?"};
	const char *atom = atoms[draw(seed, sizeof atoms / sizeof *atoms)];

	if (depth < 3 && !draw(seed, 4)) {
		buf_char(to, '(');
		put_choice(to, seed, depth + 1);
		buf_char(to, ')');
	} else {
		buf_add(to, atom, strlen(atom));
	}
	atom = times[draw(seed, sizeof times / sizeof *times)];
	buf_add(to, atom, strlen(atom));
}

static void put_choice(struct buf *to, uint64_t *seed, int depth)
{
	unsigned choices, pieces;

	for (choices = 1 + !draw(seed, 3); choices--;) {
		for (pieces = 1 + draw(seed, 3); pieces--;)
			put_piece(to, seed, depth);
		if (choices)
			buf_char(to, '|');
	}
}

static void put_text(struct buf *to, uint64_t *seed, unsigned n)
{
	while (n--)
		buf_char(to, "abcA1.$X-]"[draw(seed, 10)]);
}

/* Random expressions, also with ^ at the beginning, on random texts: the same answers as regexec(), one by one. */
static void test_random(void)
{
	enum { EXPRESSIONS = 6 };
	uint64_t seed = 1, same;
	unsigned round, i, n, k, wrong = 0, wanted;
	struct regex_set s = {0};
	regex_t regex[EXPRESSIONS];
	struct buf text = {0};

	for (round = 0; round < 1500; round++) {
		for (i = n = 0; i < EXPRESSIONS; i++) {
			text.n = 0;
			if (!draw(&seed, 4))
				buf_char(&text, '^');
			put_choice(&text, &seed, 0);
			buf_char(&text, '\0');
			if (!regex_set_add(&s, text.p, false))
				continue;
			if (regcomp(&regex[n], text.p, REG_EXTENDED | REG_NOSUB) == 0)
				n++;
			else
				wrong++; /* regex_set_add() must refuse it */
		}
		for (k = 0; k < 20; k++) {
			text.n = 0;
			put_text(&text, &seed, k < 10 ? draw(&seed, 9) : 16);
			if (k >= 10) { /* two different texts after different beginnings */
				same = round * 2 + draw(&seed, 2);
				put_text(&text, &same, 40);
			}
			buf_char(&text, '\0');
			for (wanted = 0; wanted < n && regexec(&regex[wanted], text.p, 0, NULL, 0); wanted++)
				;
			wrong += first(&s, text.p) != (wanted < n ? (int)wanted : -1);
		}
		for (i = 0; i < n; i++)
			regfree(&regex[i]);
		regex_set_free(&s);
	}
	CHECK_INT((int)wrong, 0);
	buf_free(&text);
}

/* Texts that need many states: the states are forgotten, memory stays limited, and answers stay right. */
static void test_memory(void)
{
	struct regex_set s = {0};
	uint64_t seed = 2;
	size_t most = 0, i, k;
	unsigned wrong = 0;
	char text[40];

	CHECK(regex_set_add(&s, "a..............b..............c", false));
	for (i = 0; i < 20000; i++) {
		for (k = 0; k < sizeof text; k++)
			text[k] = "abcd"[draw(&seed, 4)];
		for (k = 0; k + 30 < sizeof text && !(text[k] == 'a' && text[k + 15] == 'b' && text[k + 30] == 'c');
		     k++)
			;
		wrong += (regex_set_first(&s, (struct str){text, sizeof text}) == 0) != (k + 30 < sizeof text);
		most = s.kept > most ? s.kept : most;
	}
	CHECK_INT((int)wrong, 0);
	CHECK(most > REGEX_SET_MEMORY / 2);
	CHECK(most < REGEX_SET_MEMORY + 100000);
	regex_set_free(&s);
}

void unit_test(void)
{
	test_order();
	test_refused();
	test_random();
	test_memory();
}
