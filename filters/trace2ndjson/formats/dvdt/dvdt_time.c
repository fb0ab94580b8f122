#include "dvdt.h"

#include "base/char_class.h"

enum { NS = 1000000000, DAY = 86400 };

/* Reads n digits at *s, and moves *s to the text after them; -1 when there are fewer digits. */
static int64_t digits(struct str *s, size_t n)
{
	int64_t v = 0;
	size_t i;

	if (s->n < n)
		return -1;
	for (i = 0; i < n; i++) {
		if (!is_digit(s->p[i]))
			return -1;
		v = v * 10 + (s->p[i] - '0');
	}
	*s = str_from(*s, n);
	return v;
}

static bool skip(struct str *s, char c)
{
	if (!s->n || s->p[0] != c)
		return false;
	*s = str_from(*s, 1);
	return true;
}

/*
 * Returns the number of days from 1970-01-01 to a date of the Gregorian calendar. The year begins in March here, so the
 * leap day is the last day of the year.
 */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
	int64_t y = year - (month <= 2), era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
	int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* Converts HH:MM:SS, with an optional fraction, to ns since midnight. False when s contains anything else. */
static bool clock_time(struct str s, int64_t *ns)
{
	int64_t hour, minute, second, fraction = 0, unit = NS, digit;

	hour = digits(&s, 2);
	if (hour < 0 || hour > 23 || !skip(&s, ':'))
		return false;
	minute = digits(&s, 2);
	if (minute < 0 || minute > 59 || !skip(&s, ':'))
		return false;
	second = digits(&s, 2);
	if (second < 0 || second > 60)
		return false;
	if (skip(&s, '.')) {
		if (!s.n)
			return false;
		for (; s.n && unit > 1; unit /= 10) {
			digit = digits(&s, 1);
			if (digit < 0)
				return false;
			fraction = fraction * 10 + digit;
		}
	}
	if (s.n)
		return false;
	*ns = ((hour * 60 + minute) * 60 + second) * NS + fraction * unit;
	return true;
}

static bool combine(int64_t year, int64_t month, int64_t day, int64_t clock, int64_t *ns)
{
	return month >= 1 && month <= 12 && day >= 1 && day <= 31 &&
	       !__builtin_mul_overflow(days_of(year, month, day) * DAY, NS, ns) &&
	       !__builtin_add_overflow(*ns, clock, ns);
}

bool dvdt_time(struct str s, int64_t *ns)
{
	int64_t year, month, day, clock;

	year = digits(&s, 4);
	if (year < 0 || !skip(&s, '-'))
		return false;
	month = digits(&s, 2);
	if (month < 0 || !skip(&s, '-'))
		return false;
	day = digits(&s, 2);
	if (!skip(&s, 'T') && !skip(&s, ' '))
		return false;
	return clock_time(s, &clock) && combine(year, month, day, clock, ns);
}

bool dvdt_log_time(struct str s, int64_t year, int64_t *ns, int *month)
{
	int64_t day, clock, m;

	m = digits(&s, 2);
	day = digits(&s, 2);
	if (!skip(&s, ' ') || !clock_time(s, &clock) || !combine(year, m, day, clock, ns))
		return false;
	*month = (int)m;
	return true;
}

int64_t dvdt_year(int64_t ns)
{
	int64_t days = ns / NS / DAY, year = 1970 + days / 366;

	while (year > 0 && days_of(year, 1, 1) > days)
		year--;
	while (days_of(year + 1, 1, 1) <= days)
		year++;
	return year;
}
