#include "folded_stacks.h"

#include "base/char_class.h"
#include "base/int_math.h"
#include "base/num_format.h"
#include "base/order.h"

#include <stdlib.h>

/* Whole parts and fractions have separate sums, so that the sum of integers is exact. */
struct folded_sum {
	int128 whole;
	double rest;
};

struct folded_stacks {
	struct map stacks;
	struct folded_sum *sums; /* indexed by stack */
	size_t cap;
};

struct folded_stacks *folded_stacks_new(void)
{
	return mem_zero(1, sizeof(struct folded_stacks));
}

void folded_stacks_free(struct folded_stacks *f)
{
	map_free(&f->stacks);
	free(f->sums);
	free(f);
}

void folded_stacks_frame(struct buf *stack, struct str name)
{
	char *p;
	size_t i;

	if (stack->n)
		buf_char(stack, ';');
	if (!name.n)
		name = STR("[unknown]");
	p = buf_room(stack, name.n);
	for (i = 0; i < name.n; i++)
		p[i] = name.p[i] == ';' ? ':' : is_control(name.p[i]) ? ' ' : name.p[i];
	stack->n += name.n;
}

/* Returns true for a Go method name, such as "net/http.(*Client).Do": it contains ".(" and later ").". */
static bool is_go(struct str name)
{
	size_t open = str_find(name, STR(".("));

	return open < name.n && str_find(str_from(name, open + 2), STR(").")) < name.n - open - 2;
}

struct str folded_stacks_tidy(struct buf *to, struct str name, bool java)
{
	const bool go = is_go(name);
	struct str rest;
	size_t i;

	to->n = 0;
	for (i = 0; i < name.n; i++) {
		rest = str_from(name, i);
		if (name.p[i] == '(' && !go && !str_starts(rest, STR("(anonymous namespace)")))
			break;
		if (name.p[i] != '"' && name.p[i] != '\'')
			buf_char(to, name.p[i]);
	}
	rest = buf_str(to);
	return java && str_starts(rest, STR("L")) && memchr(rest.p, '/', rest.n) ? str_from(rest, 1) : rest;
}

void folded_stacks_add(struct folded_stacks *f, struct str stack, const struct value *weight)
{
	const size_t i = map_put(&f->stacks, stack);
	double whole;

	f->sums = mem_grow_zero(f->sums, &f->cap, i + 1, sizeof *f->sums);
	if (weight->type == VALUE_INT) {
		f->sums[i].whole += weight->i;
	} else if (weight->d > -1e18 && weight->d < 1e18) {
		whole = (double)(int64_t)weight->d;
		f->sums[i].whole += (int64_t)whole;
		f->sums[i].rest += weight->d - whole;
	} else {
		f->sums[i].whole += (int128)(weight->d > 1e36 ? 1e36 : weight->d < -1e36 ? -1e36 : weight->d);
	}
}

static int128 rounded(const struct folded_sum *sum)
{
	const int64_t rest = (int64_t)sum->rest;
	const double left = sum->rest - (double)rest;
	const int128 whole = sum->whole + rest;

	/* The remaining fraction and the sum can have opposite signs. */
	if (left >= 0.5)
		return whole + (whole >= 0 || left > 0.5);
	if (left <= -0.5)
		return whole - (whole <= 0 || left < -0.5);
	return whole;
}

/* Compares two stacks, for order_sort(). */
static int compare_keys(const void *stacks, size_t a, size_t b)
{
	return str_cmp(map_key(stacks, a), map_key(stacks, b));
}

void folded_stacks_write(const struct folded_stacks *f, struct out *o)
{
	size_t *order = order_sort(f->stacks.n, compare_keys, &f->stacks), i;

	for (i = 0; i < f->stacks.n && !o->error; i++) {
		out_str(o, map_key(&f->stacks, order[i]));
		out_char(o, ' ');
		out_used(o, num_put_i128(out_room(o, NUM_ROOM), rounded(&f->sums[order[i]])));
		out_char(o, '\n');
	}
	free(order);
}
