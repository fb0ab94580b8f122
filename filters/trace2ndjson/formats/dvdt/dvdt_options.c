/* dvdt_options: the options that only this format reads. */
#include "dvdt.h"

enum { DROP_SOURCE = 256, TZ_OFFSET, YEAR };

const struct opt dvdt_options[] = {
    {DROP_SOURCE, "drop-source", OPT_FLAG, "dvdt: leave out the kernels' source text"},
    {TZ_OFFSET, "tz-offset", OPT_TEXT("[+-]H[:MM]"), "dvdt: how far the log's local time is ahead of UTC"},
    {YEAR, "year", OPT_COUNT("YEAR", 1), "dvdt: the year of the log's dates, which have none"},
    {0},
};

/* Up to two digits at *p, which moves behind them; -1 when there is none. */
static int64_t two_digits(const char **p)
{
	int64_t v = -1;
	int i;

	for (i = 0; i < 2 && **p >= '0' && **p <= '9'; i++, (*p)++)
		v = (v < 0 ? 0 : v * 10) + (**p - '0');
	return v;
}

/* "+2", "-5:30", "+0530" (as date +%z has it): ns ahead of UTC. */
static int64_t parse_zone(const struct opt_value *v)
{
	const bool west = v->text[0] == '-';
	const char *p = v->text + (west || v->text[0] == '+');
	int64_t hours = two_digits(&p), minutes = 0;

	if (*p) {
		p += *p == ':';
		minutes = two_digits(&p);
	}
	if (*p || hours < 0 || hours > 24 || minutes < 0 || minutes > 59)
		die("%s: '%s' is no offset like +2 or -5:30", v->option, v->text);
	return (west ? -1 : 1) * (hours * 60 + minutes) * 60 * 1000000000;
}

void dvdt_take(void *run, const struct opt_value *v)
{
	struct dvdt_run *d = run;

	switch (v->opt->letter) {
	case DROP_SOURCE:
		d->drop_source = true;
		break;
	case TZ_OFFSET:
		d->tz_offset = parse_zone(v);
		break;
	case YEAR:
		d->year = v->number;
		d->has_year = true;
		break;
	}
}
