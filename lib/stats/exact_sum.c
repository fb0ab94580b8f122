#include "stats/exact_sum.h"

#include "base/num_parse.h"
#include "json/iter.h"

#include <stdlib.h>

enum { ADDED_MOST = 1 << 30 };

/* --- chunks --- */

/* Makes room for the chunk at `place`; the memory grows to either side. Returns the index of the chunk. */
static size_t make_room(struct exact_sum *s, int place)
{
	const int low = s->n && s->low < place ? s->low : place;
	const int end = s->n && s->low + (int)s->n > place + 1 ? s->low + (int)s->n : place + 1;
	int128 *chunks = mem_zero((size_t)(end - low), sizeof *chunks);

	if (s->n)
		memcpy(chunks + (s->low - low), s->chunks, s->n * sizeof *chunks);
	free(s->chunks);
	s->chunks = chunks;
	s->low = low;
	s->n = (size_t)(end - low);
	return (size_t)(place - low);
}

static inline void add_chunk(struct exact_sum *s, int place, int128 v)
{
	size_t at = (size_t)(place - s->low);

	if (at >= s->n)
		at = make_room(s, place);
	s->chunks[at] += v;
}

/* Moves all but the lowest 32 bits of each chunk to the next one, so that ADDED_MOST numbers can be added again. */
static void carry_chunks(struct exact_sum *s)
{
	size_t i;
	int128 rest;

	for (i = 0; i < s->n; i++) {
		rest = s->chunks[i] >> 32;
		if (i + 1 == s->n && rest >= -1 && rest <= 0)
			break; /* the last chunk keeps its sign */
		s->chunks[i] = (uint32_t)s->chunks[i];
		add_chunk(s, s->low + (int)i + 1, rest);
	}
	s->added = 1;
}

static inline void count_added(struct exact_sum *s, uint32_t added)
{
	if (s->added + added > ADDED_MOST)
		carry_chunks(s);
	s->added += added;
}

/* --- adding --- */

/* The parts of a double: `size` * 2^exponent. */
struct double_parts {
	uint64_t size;
	int exponent;
	bool negative;
};

static inline struct double_parts parts_of(double v)
{
	uint64_t bits, exponent;

	memcpy(&bits, &v, sizeof bits);
	exponent = bits >> 52 & 0x7ff;
	return (struct double_parts){
	    (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)(exponent != 0) << 52,
	    (int)(exponent ? exponent : 1) - 1075,
	    bits >> 63,
	};
}

/* Returns exponent / 32, rounded down, for all exponents of doubles and of their products. */
static inline int chunk_place(int exponent)
{
	return (exponent + 4096) / 32 - 128;
}

void exact_sum_add(struct exact_sum *s, double v)
{
	const struct double_parts x = parts_of(v);
	const int place = chunk_place(x.exponent);
	const int128 shifted = (int128)x.size << (x.exponent - 32 * place);

	if (!x.size)
		return;
	count_added(s, 1);
	add_chunk(s, place, x.negative ? -shifted : shifted);
}

static inline void add_wide(struct exact_sum *s, bool negative, uint128 size, int exponent)
{
	const int place = chunk_place(exponent), shift = exponent - 32 * place;
	const int128 low = (int128)(uint64_t)size << shift, high = (int128)(uint64_t)(size >> 64) << shift;

	count_added(s, 1);
	if (low)
		add_chunk(s, place, negative ? -low : low);
	if (high)
		add_chunk(s, place + 2, negative ? -high : high);
}

void exact_sum_add_product(struct exact_sum *s, double a, double b)
{
	const struct double_parts x = parts_of(a), y = parts_of(b);

	add_wide(s, x.negative != y.negative, (uint128)x.size * y.size, x.exponent + y.exponent);
}

void exact_sum_add_int(struct exact_sum *s, int128 v)
{
	add_wide(s, v < 0, v < 0 ? -(uint128)v : (uint128)v, 0);
}

void exact_sum_add_number(struct exact_sum *s, const struct exact_number *x)
{
	size_t i;

	count_added(s, 1);
	for (i = 0; i < x->n; i++)
		add_chunk(s, x->low + (int)i, x->negative ? -(int128)x->digits[i] : (int128)x->digits[i]);
}

void exact_sum_merge(struct exact_sum *s, const struct exact_sum *from)
{
	size_t i;

	count_added(s, from->added);
	for (i = 0; i < from->n; i++) {
		if (from->chunks[i])
			add_chunk(s, from->low + (int)i, from->chunks[i]);
	}
}

/* --- the sum --- */

void exact_sum_get(const struct exact_sum *s, struct exact_number *x)
{
	exact_set_signed(x, s->low, s->chunks, s->n);
}

bool exact_sum_read(struct exact_sum *s, struct str array, int lowest, int end)
{
	int64_t place = lowest, digit;
	struct str text;
	struct iter w;

	if (!iter_array(&w, array))
		return false;
	if (iter_element(&w, &text) && (num_int(text, &place) != NUM_OK || place < lowest || place > end))
		return false;
	for (; iter_element(&w, &text); place++) {
		if (place >= end || num_int(text, &digit) != NUM_OK || digit > UINT32_MAX ||
		    digit < -(int64_t)UINT32_MAX)
			return false;
		count_added(s, 1);
		add_chunk(s, (int)place, digit);
	}
	return true;
}

void exact_sum_free(struct exact_sum *s)
{
	free(s->chunks);
	*s = (struct exact_sum){0};
}
