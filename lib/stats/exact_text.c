/* exact_text: writes exact numbers in decimal, and reads them. */
#include "stats/exact_number_private.h"

#include "base/num_format.h"
#include "base/num_parse.h"

enum { CHUNK = 9, CHUNK_POWER = 1000000000 }; /* decimal digits that are converted together */

static uint32_t divide_chunk(uint32_t *digits, size_t n)
{
	uint64_t rest = 0;

	while (n-- > 0) {
		rest = rest << 32 | digits[n];
		digits[n] = (uint32_t)(rest / CHUNK_POWER);
		rest %= CHUNK_POWER;
	}
	return (uint32_t)rest;
}

/* Appends n digits in decimal, and clears them. */
static void put_decimal(struct buf *b, bool negative, uint32_t *digits, size_t n)
{
	enum { ROOM = (EXACT_DIGITS + 1) * 10 };
	char text[ROOM], *p = text + ROOM;
	uint32_t chunk;
	int i;

	for (; n && !digits[n - 1]; n--)
		;
	while (n) {
		chunk = divide_chunk(digits, n);
		for (; n && !digits[n - 1]; n--)
			;
		for (i = 0; i < CHUNK && (n || chunk); i++, chunk /= 10)
			*--p = (char)('0' + chunk % 10);
	}
	if (p == text + ROOM)
		*--p = '0';
	if (negative)
		buf_char(b, '-');
	buf_add(b, p, (size_t)(text + ROOM - p));
}

void exact_put_int(struct buf *b, const struct exact_number *x)
{
	uint32_t digits[EXACT_DIGITS];
	size_t n = x->n ? (size_t)exact_end(x) : 0, i;

	for (i = 0; i < n; i++)
		digits[i] = exact_digit(x, (int)i);
	put_decimal(b, x->negative, digits, n);
}

void exact_put(struct buf *b, const struct exact_number *x)
{
	const int zeros = x->n ? __builtin_ctz(x->digits[0]) : 0;
	uint32_t digits[EXACT_DIGITS + 1];
	size_t n = exact_shift(digits, x, (32 - zeros) % 32), i;
	const size_t skip = zeros != 0; /* the shift moved the lowest digit to the next place */

	for (i = skip; i < n; i++)
		digits[i - skip] = digits[i];
	put_decimal(b, x->negative, digits, n - (n ? skip : 0));
	buf_char(b, 'p');
	b->n = (size_t)(num_put_i64(buf_room(b, NUM_ROOM), x->n ? 32 * (int64_t)x->low + zeros : 0) - b->p);
}

/* Reads decimal digits; returns false when there are other characters, no digits, or too many digits. */
static bool read_decimal(struct exact_number *x, struct str text)
{
	uint32_t digits[EXACT_DIGITS];
	uint64_t carry;
	size_t n = 0, i, k;

	for (i = 0; i < text.n; i++) {
		if (text.p[i] < '0' || text.p[i] > '9')
			return false;
		carry = (uint64_t)(text.p[i] - '0');
		for (k = 0; k < n; k++) {
			carry += (uint64_t)digits[k] * 10;
			digits[k] = (uint32_t)carry;
			carry >>= 32;
		}
		if (carry && n == EXACT_DIGITS)
			return false;
		if (carry)
			digits[n++] = (uint32_t)carry;
	}
	exact_set(x, false, 0, digits, n);
	return text.n > 0;
}

/* Multiplies by 2^exponent. Returns false when the exponent is not possible or the digits become too many. */
static bool scale(struct exact_number *x, int64_t exponent)
{
	uint32_t digits[EXACT_DIGITS + 1];
	int bits;
	size_t n;

	if (exponent < -32 * EXACT_DIGITS || exponent > 32 * EXACT_DIGITS)
		return false;
	bits = (int)(exponent + 32 * EXACT_DIGITS) % 32;
	n = exact_shift(digits, x, bits);
	if (n > EXACT_DIGITS)
		return false;
	exact_set(x, x->negative, x->low + (int)((exponent - bits) / 32), digits, n);
	return true;
}

bool exact_read(struct exact_number *x, struct str text, int lowest, int end)
{
	const bool negative = text.n && text.p[0] == '-';
	const struct str size = str_from(text, negative);
	const size_t p = str_find(size, STR("p"));
	int64_t exponent = 0;

	if (p < size.n && num_int(str_from(size, p + 1), &exponent) != NUM_OK)
		return false;
	if (!read_decimal(x, str_head(size, p)) || !scale(x, exponent))
		return false;
	x->negative = x->n && negative;
	return !x->n || (x->low >= lowest && exact_end(x) <= end);
}
