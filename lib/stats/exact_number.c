#include "stats/exact_number.h"

#include "json/write.h"

#include <float.h>
#include <math.h>

/* Returns the digit with the weight 2^(32 * place). */
static inline uint32_t digit_at(const struct exact_number *x, int place)
{
	return place >= x->low && place < x->low + (int)x->n ? x->digits[place - x->low] : 0;
}

/* Returns the place above the highest digit. */
static inline int end_of(const struct exact_number *x)
{
	return x->low + (int)x->n;
}

/* --- making --- */

/* Sets *x to `n` digits, the lowest of which has the weight 2^(32 * low); `n` is at most EXACT_DIGITS. */
static void set_digits(struct exact_number *x, bool negative, int low, const uint32_t *digits, size_t n)
{
	for (; n && !digits[n - 1]; n--)
		;
	for (; n && !*digits; n--, digits++)
		low++;
	memmove(x->digits, digits, n * sizeof *digits);
	x->n = n;
	x->low = n ? low : 0;
	x->negative = n && negative;
}

void exact_wide(struct exact_number *x, uint64_t high, uint128 low)
{
	const uint32_t digits[] = {(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)(low >> 64), (uint32_t)(low >> 96),
	    (uint32_t)high, (uint32_t)(high >> 32)};

	set_digits(x, false, 0, digits, sizeof digits / sizeof *digits);
}

void exact_int(struct exact_number *x, int128 v)
{
	exact_wide(x, 0, v < 0 ? -(uint128)v : (uint128)v);
	x->negative = v < 0;
}

void exact_real(struct exact_number *x, double v)
{
	int exponent;
	const double part = frexp(fabs(v), &exponent); /* 0, or from 1/2 to 1 */
	const uint64_t size = (uint64_t)ldexp(part, 53);
	const int low = (exponent - 53 + 4096) / 32 - 128; /* rounds down */
	const uint128 shifted = (uint128)size << (exponent - 53 - 32 * low);
	const uint32_t digits[] = {(uint32_t)shifted, (uint32_t)(shifted >> 32), (uint32_t)(shifted >> 64)};

	set_digits(x, v < 0, low, digits, sizeof digits / sizeof *digits);
}

int exact_sign(const struct exact_number *x)
{
	return x->n ? x->negative ? -1 : 1 : 0;
}

bool exact_get_int(const struct exact_number *x, int128 *v)
{
	const uint128 size = (uint128)digit_at(x, 3) << 96 | (uint128)digit_at(x, 2) << 64 |
			     (uint128)digit_at(x, 1) << 32 | digit_at(x, 0);

	if ((x->n && (x->low < 0 || end_of(x) > 4)) || size > ((uint128)1 << 127) - !x->negative)
		return false;
	*v = x->negative ? -(int128)(size - 1) - 1 : (int128)size;
	return true;
}

/* --- sums and products --- */

void exact_set_signed(struct exact_number *x, int low, const int128 *chunks, size_t n)
{
	uint32_t digits[EXACT_DIGITS];
	int128 rest = 0;
	uint64_t up = 1;
	size_t n_digits = 0, i;

	for (i = 0; i < n || (rest != 0 && rest != -1); i++) {
		rest += i < n ? chunks[i] : 0;
		digits[n_digits++] = (uint32_t)rest;
		rest >>= 32;
	}
	for (i = 0; rest && i < n_digits; i++) { /* negative: the complement of the digits, plus 1 */
		up += (uint32_t)~digits[i];
		digits[i] = (uint32_t)up;
		up >>= 32;
	}
	if (rest && up)
		digits[n_digits++] = 1;
	set_digits(x, rest != 0, low, digits, n_digits);
}

static void add_signed(struct exact_number *to, const struct exact_number *x, int sign)
{
	const int low = to->n && to->low < x->low ? to->low : x->low;
	const int end = to->n && end_of(to) > end_of(x) ? end_of(to) : end_of(x);
	int128 chunks[EXACT_DIGITS];
	size_t n = 0;
	int place;

	if (!x->n)
		return;
	for (place = low; place < end; place++) {
		const int64_t a = digit_at(to, place), b = digit_at(x, place);

		chunks[n++] = (to->negative ? -a : a) + (x->negative ? -b : b) * sign;
	}
	exact_set_signed(to, low, chunks, n);
}

void exact_add(struct exact_number *to, const struct exact_number *x)
{
	add_signed(to, x, 1);
}

void exact_subtract(struct exact_number *from, const struct exact_number *x)
{
	add_signed(from, x, -1);
}

void exact_multiply(struct exact_number *product, const struct exact_number *a, const struct exact_number *b)
{
	uint32_t digits[EXACT_DIGITS];
	uint64_t carry;
	size_t i, k;

	memset(digits, 0, (a->n + b->n) * sizeof *digits);
	for (i = 0; i < a->n; i++) {
		carry = 0;
		for (k = 0; k < b->n; k++) {
			carry += (uint64_t)a->digits[i] * b->digits[k] + digits[i + k];
			digits[i + k] = (uint32_t)carry;
			carry >>= 32;
		}
		digits[i + b->n] = (uint32_t)carry;
	}
	set_digits(product, a->negative != b->negative, a->low + b->low, digits, a->n + b->n);
}

/* --- rounding --- */

/* Returns v, with 0.5 <= |v| < 1, and sets *exponent, so that |x| is nearly v * 2^exponent; x must not be 0. */
static double leading(const struct exact_number *x, int *exponent)
{
	const int top = end_of(x) - 1;
	const double v = ldexp(digit_at(x, top), 64) + ldexp(digit_at(x, top - 1), 32) + digit_at(x, top - 2);
	double part = frexp(v, exponent);

	*exponent += 32 * (top - 2);
	return part;
}

/*
 * Compares x / y or, if `root` is set, its square root with the limit between v and the next larger double; v, x and y
 * are positive. The results of |x| * 2 and |y| * (2 * v + the distance of the doubles) are exact.
 */
static int compare_to_limit(const struct exact_number *x, const struct exact_number *y, double v, bool root)
{
	struct exact_number twice, two, limit, distance, product;

	exact_int(&two, root ? 4 : 2);
	exact_multiply(&twice, x, &two);
	exact_real(&limit, v);
	exact_real(&distance, v < DBL_MAX ? nextafter(v, INFINITY) - v : v - nextafter(v, 0));
	exact_add(&distance, &limit);
	exact_add(&limit, &distance);
	if (root) {
		exact_multiply(&product, &limit, &limit);
		limit = product;
	}
	exact_multiply(&product, y, &limit);
	twice.negative = product.negative = false;
	exact_subtract(&twice, &product);
	return exact_sign(&twice);
}

/* Returns whether v is too small: the exact value is beyond the limit to the next double; a tie goes to even. */
static bool is_too_small(const struct exact_number *x, const struct exact_number *y, double v, bool root)
{
	const int order = compare_to_limit(x, y, v, root);
	int64_t bits;

	memcpy(&bits, &v, sizeof bits);
	return order > 0 || (!order && bits % 2);
}

/*
 * Returns the double nearest to |x / y|, or to its square root. The estimate is wrong by a few doubles; exact
 * comparisons then find the nearest one.
 */
static double nearest(const struct exact_number *x, const struct exact_number *y, bool root)
{
	int above, below;
	double v = leading(x, &above) / leading(y, &below);

	above -= below;
	if (root)
		v = sqrt(above % 2 ? 2 * v : v);
	v = ldexp(v, root ? (above - (above & 1)) / 2 : above);
	v = v < DBL_MAX ? v : DBL_MAX;
	while (v > 0 && !is_too_small(x, y, nextafter(v, 0), root))
		v = nextafter(v, 0);
	while (v <= DBL_MAX && is_too_small(x, y, v, root))
		v = nextafter(v, INFINITY);
	return v;
}

/* Gets an integer with a magnitude of at most 2^53 as a double. */
static bool is_small(const struct exact_number *x, double *v)
{
	const uint64_t size = (uint64_t)digit_at(x, 1) << 32 | digit_at(x, 0);

	if (x->low < 0 || end_of(x) > 2 || size > (uint64_t)1 << 53)
		return false;
	*v = x->negative ? -(double)size : (double)size;
	return true;
}

double exact_ratio(const struct exact_number *x, const struct exact_number *y)
{
	double a, b;

	if (!x->n)
		return 0;
	if (is_small(x, &a) && is_small(y, &b))
		return a / b;
	a = nearest(x, y, false);
	return x->negative != y->negative ? -a : a;
}

double exact_double(const struct exact_number *x)
{
	struct exact_number one;

	exact_int(&one, 1);
	return exact_ratio(x, &one);
}

double exact_root(const struct exact_number *x, const struct exact_number *y)
{
	return x->n ? nearest(x, y, true) : 0;
}

void exact_write(struct buf *object, const char *key, const struct exact_number *x)
{
	size_t i;

	json_write_begin(object, key, '[');
	if (x->n)
		json_write_int(object, NULL, x->low);
	for (i = 0; i < x->n; i++)
		json_write_int(object, NULL, x->negative ? -(int64_t)x->digits[i] : x->digits[i]);
	json_write_end(object, ']');
}
