#include "kernel_args.h"

#include "base/char_class.h"
#include "base/num_format.h"
#include "json/write.h"

#include <stdlib.h>

struct kernel_arg {
	uint32_t index;
	uint32_t at; /* offset of the argument's member in the text */
};

struct kernel_args {
	struct buf text; /* the result of kernel_args_text() */
	struct kernel_arg *args;
	size_t n, cap;
};

struct kernel_args *kernel_args_new(void)
{
	return mem_zero(1, sizeof(struct kernel_args));
}

void kernel_args_free(struct kernel_args *k)
{
	buf_free(&k->text);
	free(k->args);
	free(k);
}

struct str kernel_args_text(const struct kernel_args *k)
{
	return buf_str(&k->text);
}

/* Returns the number of arguments that have a smaller index. */
static size_t count_smaller(const struct kernel_args *k, uint32_t index)
{
	size_t low = 0, high = k->n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (k->args[middle].index < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the offset of the i-th member; for i == n, the length of the text. */
static size_t offset_of(const struct kernel_args *k, size_t i)
{
	return i < k->n ? k->args[i].at : k->text.n;
}

/* Replaces n bytes at offset `at` of the text by the text `with`. */
static void splice(struct buf *text, size_t at, size_t n, struct str with)
{
	char *p;

	buf_room(text, with.n);
	p = text->p + at;
	memmove(p + with.n, p + n, text->n - at - n);
	if (with.n)
		memcpy(p, with.p, with.n);
	text->n = text->n - n + with.n;
}

bool kernel_args_set(struct kernel_args *k, uint32_t index, struct str member)
{
	size_t i = count_smaller(k, index), at = offset_of(k, i), n = 0;
	bool old = i < k->n && k->args[i].index == index, fits;

	if (old)
		n = offset_of(k, i + 1) - at;
	fits = k->text.n - n + member.n <= KERNEL_ARGS_MOST;
	if (!fits)
		member.n = 0;
	if (!old && !member.n)
		return fits;
	if (!old) {
		k->args = mem_grow(k->args, &k->cap, k->n + 1, sizeof *k->args);
		memmove(k->args + i + 1, k->args + i, (k->n++ - i) * sizeof *k->args);
		k->args[i] = (struct kernel_arg){index, (uint32_t)at};
	}
	splice(&k->text, at, n, member);
	if (member.n)
		i++;
	else
		memmove(k->args + i, k->args + i + 1, (--k->n - i) * sizeof *k->args);
	for (; i < k->n; i++)
		k->args[i].at = (uint32_t)(k->args[i].at - n + member.n);
	return fits;
}

void kernel_args_clear(struct kernel_args *k)
{
	k->n = k->text.n = 0;
}

/* --- values --- */

/* Returns the value of at most 8 little-endian bytes, given as hex digits. */
static uint64_t number_of(struct str hex)
{
	uint64_t v = 0;
	size_t i;

	for (i = hex.n; i > 0; i -= 2)
		v = v << 8 | (unsigned)hex_value(hex.p[i - 2]) << 4 | (unsigned)hex_value(hex.p[i - 1]);
	return v;
}

bool kernel_args_member(struct buf *to, struct str key, struct str value, bool raw)
{
	char number[NUM_ROOM];
	struct str hex;

	to->n = 0;
	if (!value.p)
		return true;
	hex = (struct str){value.p + 1, value.n - 2};
	if (value.p[0] == '"' && !hex.n)
		return true;
	if (value.p[0] != '"' || hex.n % 2 || !str_all(hex, is_hex_digit))
		return false;
	if (!raw && hex.n <= 16)
		value = (struct str){number, (size_t)(num_put_u64(number, number_of(hex)) - number)};
	json_write_member(to, key, value);
	return true;
}
