#include "time_window.h"

#include "base/err.h"
#include "program/opt_value.h"

void time_window_bound(struct time_window_bound *b, const struct opt_value *v)
{
	*b = (struct time_window_bound){.given = true, .relative = v->text[0] == '+', .at = v->number};
}

void time_window_check(struct time_window *w)
{
	if (w->starts && w->inside)
		opt_excluded("--starts", "--inside");
	if ((w->starts || w->inside) && !time_window_given(w))
		opt_needs(w->starts ? "--starts" : "--inside", "--from or --until");
	if (w->from.given && w->to.given && w->from.relative == w->to.relative && w->from.at >= w->to.at)
		die("--until must be later than --from");
	w->relative = w->from.relative || w->to.relative;
}

bool time_window_base(struct time_window *w, struct event *e)
{
	if (!w->relative || !event_has_time(e))
		return true;
	if (!w->any) {
		w->any = true;
		w->base = e->ts;
		w->from.at += w->from.relative ? e->ts : 0;
		w->to.at += w->to.relative ? e->ts : 0;
	}
	return e->ts >= w->base;
}

bool time_window_holds(const struct time_window *w, struct event *e)
{
	int64_t end;

	if (!event_has_time(e))
		return false;
	if (w->to.given && e->ts >= w->to.at)
		return false;
	end = event_end(e);
	if (w->from.given && e->ts < w->from.at && (w->starts || w->inside || end <= w->from.at))
		return false;
	return !(w->inside && w->to.given && end > w->to.at);
}
