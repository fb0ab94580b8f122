/* dvdt_options: the options of the dvdt format. */
#include "dvdt.h"

#define TO(member) OPT_TO(struct dvdt_run, member)
const struct opt dvdt_options[] = {
    {0, "drop-source", OPT_FLAG, TO(drop_source), "dvdt: leave out the source text of programs"},
    {0, "tz-offset", OPT_TEXT("[+-]H[:MM]"), OPT_TAKE, "dvdt: offset of the log's local time from UTC (default 0)"},
    {0, "year", OPT_COUNT("YEAR", 1), TO(year), "dvdt: year of the log's dates (default: the year of the calls)"},
    {0},
};

/* Reads up to two digits at *p, and moves *p to the byte after them; -1 when there are no digits. */
static int64_t two_digits(const char **p)
{
	int64_t v = -1;
	int i;

	for (i = 0; i < 2 && **p >= '0' && **p <= '9'; i++, (*p)++)
		v = (v < 0 ? 0 : v * 10) + (**p - '0');
	return v;
}

/* Takes the value of --tz-offset: "+2", "-5:30", or "+0530" (as date +%z prints it). */
void dvdt_take_zone(void *run, const struct opt_value *v)
{
	struct dvdt_run *d = run;
	const bool west = v->text[0] == '-';
	const char *p = v->text + (west || v->text[0] == '+');
	int64_t hours = two_digits(&p), minutes = 0;

	if (*p) {
		p += *p == ':';
		minutes = two_digits(&p);
	}
	if (*p || hours < 0 || hours > 24 || minutes < 0 || minutes > 59)
		opt_invalid(v->option, str_of(v->text), "an offset such as +2 or -5:30");
	d->tz_offset = (west ? -1 : 1) * (hours * 60 + minutes) * 60 * 1000000000;
}
