#include "picture/display_unit.h"

#include "base/num_format.h"

#include <math.h>
#include <stdarg.h>

struct display_unit display_unit_of(enum column_kind kind, const struct table_options *options, double most)
{
	static const struct display_unit words[] = {
	    {"billions", true, 1e9}, {"millions", true, 1e6}, {"thousands", true, 1e3}};
	const struct unit *unit;
	size_t i;

	switch (kind) {
	case COLUMN_TIME:
	case COLUMN_STAMP:
	case COLUMN_SIZE:
		unit = !options ? NULL : kind == COLUMN_SIZE ? options->size : options->time;
		unit = unit ? unit : units_fitting(kind == COLUMN_SIZE, most);
		return (struct display_unit){unit_label(unit, options && options->utf8), false, (double)unit->factor};
	case COLUMN_SHARE:
		return (struct display_unit){"%", false, 0.01};
	default:
		for (i = 0; most >= 1e5 && i < sizeof words / sizeof *words; i++) {
			if (most >= words[i].per)
				return words[i];
		}
		return (struct display_unit){"", false, 1};
	}
}

void display_unit_put_decimals(struct buf *to, double v, int decimals)
{
	char digits[NUM_ROOM], *p = buf_room(to, NUM_ROOM);
	const struct str number = {digits, (size_t)(num_put_double(digits, isfinite(v) ? v : 0) - digits)};
	char *end = fabs(v) < 9e17 ? num_put_scaled(p, number, 0, decimals) : NULL;

	to->n += (size_t)((end ? end : str_copy(p, number)) - p);
}

static void put_unit(struct buf *to, const struct display_unit *m)
{
	if (!*m->unit || m->word)
		return;
	buf_char(to, ' ');
	buf_add(to, m->unit, strlen(m->unit));
}

static void put_brief(struct buf *to, const struct display_unit *m, double v)
{
	static const char *const letters[] = {"k", "M", "G"};
	const double scaled = v / m->per, size = fabs(scaled);
	int decimals = 0;

	if (m->per != 1 || scaled != floor(scaled)) {
		for (; decimals < 9 && size * pow(10, decimals) < 99.95 && size > 0; decimals++)
			;
	}
	display_unit_put_decimals(to, scaled, decimals);
	if (m->word) {
		buf_char(to, ' ');
		buf_add(to, letters[m->per < 1e6 ? 0 : m->per < 1e9 ? 1 : 2], 1);
	}
	put_unit(to, m);
}

static void put_exact(struct buf *to, const struct display_unit *m, long double v)
{
	char digits[NUM_ROOM], *p = buf_room(to, NUM_ROOM), *end = NULL;
	const long double most = 9.2e18L;
	double per = m->word ? 1 : m->per;
	int shift = 0; /* the power of ten that the unit is */

	for (; per >= 10 && fmod(per, 10) == 0; per /= 10)
		shift++;
	if (per == 1 && v == floorl(v) && v < most && v > -most)
		end = num_put_scaled(
		    p, (struct str){digits, (size_t)(num_put_i64(digits, (int64_t)v) - digits)}, shift, -1);
	if (!end && !isfinite((double)v)) { /* a sum can be beyond the range of a double */
		buf_lit(to, "over 10^308");
		return;
	}
	if (!end)
		end = num_put_double(p, (double)(m->word ? v : v / m->per));
	to->n += (size_t)(end - p);
	put_unit(to, m);
}

static void put_argument(struct buf *to, char directive, va_list *ap)
{
	const struct display_unit *unit;
	double v, whole;
	struct str text;

	switch (directive) {
	case 's':
	case 't':
		text = directive == 's' ? va_arg(*ap, struct str) : str_of(va_arg(*ap, const char *));
		buf_add(to, text.p, text.n);
		break;
	case 'v':
		unit = va_arg(*ap, const struct display_unit *);
		put_brief(to, unit, va_arg(*ap, double));
		break;
	case 'e':
		unit = va_arg(*ap, const struct display_unit *);
		put_exact(to, unit, va_arg(*ap, long double));
		break;
	case 'i':
		display_unit_put_decimals(to, va_arg(*ap, double), 0);
		break;
	case 'p':
		v = va_arg(*ap, double);
		whole = va_arg(*ap, double);
		display_unit_put_decimals(to, whole > 0 ? 100 * v / whole : 0, 1);
		buf_lit(to, " %");
		break;
	default:
		buf_char(to, directive);
	}
}

void display_put(struct buf *to, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	for (; *format; format++) {
		if (*format == '%')
			put_argument(to, *++format, &ap);
		else
			buf_char(to, *format);
	}
	va_end(ap);
}

void display_unit_put_range(
    struct buf *to, enum column_kind kind, const struct table_options *options, double low, double high)
{
	const struct display_unit of_low = display_unit_of(kind, options, fabs(low));
	const struct display_unit of_high = display_unit_of(kind, options, fabs(high));

	if (!isfinite(low))
		display_put(to, "below %e", &of_high, (long double)high);
	else if (!isfinite(high))
		display_put(to, "from %e", &of_low, (long double)low);
	else
		display_put(to, "%e to %e", &of_low, (long double)low, &of_high, (long double)high);
}
