/* kernel_args: arguments that are set, changed and removed in any order, compared with a plain array. */
#include "arg-attach/kernel_args.h"

#include "base/num_format.h"
#include "test.h"

#include <stdlib.h>

enum { ARGS = 40 };

static void number(struct buf *b, uint64_t v)
{
	char *p = buf_room(b, NUM_ROOM);

	b->n += (size_t)(num_put_u64(p, v) - p);
}

/* Returns the member of an argument whose value has `n` digits: ,"I":111. */
static struct str member(struct buf *b, size_t index, size_t n)
{
	b->n = 0;
	buf_lit(b, ",\"");
	number(b, index);
	buf_lit(b, "\":");
	while (n--)
		buf_char(b, '1');
	return (struct str){b->p, b->n};
}

/* Checks the text of k: the value of argument i has digits[i] digits, or is not set when digits[i] is 0. */
static void check_text(const struct kernel_args *k, const size_t *digits)
{
	struct buf want = {0}, one = {0};
	struct str piece;
	size_t i;

	for (i = 0; i < ARGS; i++) {
		if (digits[i]) {
			piece = member(&one, i, digits[i]);
			buf_add(&want, piece.p, piece.n);
		}
	}
	CHECK(str_eq(kernel_args_text(k), (struct str){want.p, want.n}));
	buf_free(&want);
	buf_free(&one);
}

static void any_order(void)
{
	size_t digits[ARGS] = {0}, index, i;
	struct kernel_args *k = kernel_args_new();
	struct buf b = {0};

	srand(1);
	for (i = 0; i < 20000; i++) {
		index = (size_t)rand() % ARGS;
		digits[index] = rand() % 3 ? 1 + (size_t)rand() % 20 : 0;
		CHECK(kernel_args_set(k, (uint32_t)index, digits[index] ? member(&b, index, digits[index]) : STR("")));
		check_text(k, digits);
		if (i % 1000 == 999) {
			kernel_args_clear(k);
			memset(digits, 0, sizeof digits);
			check_text(k, digits);
		}
	}
	kernel_args_free(k);
	buf_free(&b);
}

static void too_much(void)
{
	struct kernel_args *k = kernel_args_new();
	struct buf b = {0};

	CHECK(kernel_args_set(k, 7, STR(",\"7\":1")));
	CHECK(kernel_args_set(k, UINT32_MAX, member(&b, UINT32_MAX, KERNEL_ARGS_MOST - 20)));
	CHECK_INT(kernel_args_text(k).n, KERNEL_ARGS_MOST);
	CHECK(kernel_args_set(k, 7, STR(",\"7\":2")));
	CHECK(!kernel_args_set(k, 7, STR(",\"7\":33")));
	CHECK_STR(str_head(kernel_args_text(k), 14), ",\"4294967295\":");
	CHECK(!kernel_args_set(k, 9, member(&b, 9, KERNEL_ARGS_MOST)));
	CHECK(kernel_args_set(k, UINT32_MAX, STR("")));
	CHECK_INT(kernel_args_text(k).n, 0);
	kernel_args_free(k);
	buf_free(&b);
}

static void check_member(struct str value, bool raw, const char *want)
{
	struct buf b = {0};

	buf_lit(&b, "left over");
	CHECK(kernel_args_member(&b, STR("a \\\" b"), value, raw) == (want != NULL));
	CHECK_STR(((struct str){b.p, b.n}), want ? want : "");
	buf_free(&b);
}

static void values(void)
{
	check_member((struct str){NULL, 0}, false, "");
	check_member(STR("\"\""), false, "");
	check_member(STR("\"\""), true, "");
	check_member(STR("\"18000000\""), false, ",\"a \\\" b\":24");
	check_member(STR("\"18000000\""), true, ",\"a \\\" b\":\"18000000\"");
	check_member(STR("\"0000803f\""), false, ",\"a \\\" b\":1065353216");
	check_member(STR("\"FFffFFff\""), false, ",\"a \\\" b\":4294967295");
	check_member(STR("\"ffffffffffffffff\""), false, ",\"a \\\" b\":18446744073709551615");
	check_member(STR("\"0102030405060708\""), false, ",\"a \\\" b\":578437695752307201");
	check_member(STR("\"010203040506070809\""), false, ",\"a \\\" b\":\"010203040506070809\"");
	check_member(STR("\"1\""), false, NULL);
	check_member(STR("\"0x10\""), false, NULL);
	check_member(STR("\"1g\""), true, NULL);
	check_member(STR("\"@0\""), false, NULL);
	check_member(STR("18"), false, NULL);
	check_member(STR("[]"), true, NULL);
}

void unit_test(void)
{
	any_order();
	too_much();
	values();
}
