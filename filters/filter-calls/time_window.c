#include "time_window.h"

#include "cli/options.h"

#include <inttypes.h>

/* Whether it has a ts that can be compared with those of others. */
static bool is_timed(struct event *e)
{
	return event_get(e, EVENT_TS).p && !event_get(e, EVENT_CLOCK).p;
}

/* --- between two times --- */

void time_window_bound(struct time_window_bound *b, const char *option, const char *arg)
{
	b->given = true;
	b->relative = arg[0] == '+';
	b->at = opt_time(option, arg + b->relative, INT64_MIN);
}

void time_window_check(struct time_window *w)
{
	if (w->starts && w->within)
		die("--starts and --within exclude each other");
	if ((w->starts || w->within) && !time_window_given(w))
		die("%s needs --from or --to", w->starts ? "--starts" : "--within");
	if (w->from.given && w->to.given && w->from.relative == w->to.relative && w->from.at >= w->to.at)
		die("--to must be later than --from");
	w->relative = w->from.relative || w->to.relative;
}

bool time_window_base(struct time_window *w, struct event *e)
{
	if (!w->relative || !is_timed(e))
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
	num_i128 end;

	if (!is_timed(e))
		return false;
	if (w->to.given && e->ts >= w->to.at)
		return false;
	end = e->ts;
	if (event_get(e, EVENT_DUR).p)
		end += e->dur; /* a negative one changes nothing: it lies where it starts */
	if (w->from.given && e->ts < w->from.at && (w->starts || w->within || end <= w->from.at))
		return false;
	return !(w->within && w->to.given && end > w->to.at);
}

/* --- between two markers --- */

void marker_section_check(struct marker_section *s, bool fold)
{
	struct fault f;

	if (!s->marker && (s->skip || s->count))
		die("%s needs --marker", s->skip ? "--skip" : "--count");
	if (!s->marker)
		return;
	s->names.fold = fold;
	name_match_option(&s->names, "--marker", s->marker);
	field_compile(&s->launch, "api.ts", &f);
}

/* When it starts, for a device record when it was launched; false when that is not known. */
static bool find_start(struct marker_section *s, struct event *e, enum event_kind kind, int64_t *start)
{
	struct value launch;

	*start = e->ts;
	if (!event_kind_is_device(kind) || !field_get(&s->launch, e, 0, &launch) || launch.type != VALUE_INT)
		return is_timed(e);
	*start = launch.i;
	return true;
}

static void take_marker(struct marker_section *s, int64_t ts)
{
	if (s->seen == s->skip) {
		s->open = true;
		s->from = ts;
	} else if (s->count && s->seen - s->skip == s->count) {
		s->closed = true;
		s->to = ts;
	}
	s->seen++;
}

enum marker_section_answer marker_section_next(struct marker_section *s, struct event *e)
{
	enum event_kind kind = event_get_kind(e);
	int64_t start;

	if (is_timed(e)) {
		if (!ts_order_keeps(&s->order, e->ts))
			return MARKER_SECTION_DISORDER;
		if (kind != KIND_GPU_RANGE && name_match_first(&s->names, event_get(e, EVENT_NAME)) != NAME_MATCH_NONE)
			take_marker(s, e->ts);
	}
	if (!s->open || !find_start(s, e, kind, &start))
		return MARKER_SECTION_OUT;
	return start >= s->from && !(s->closed && start >= s->to) ? MARKER_SECTION_IN : MARKER_SECTION_OUT;
}

void marker_section_hint(const struct marker_section *s)
{
	if (!s->marker)
		return;
	if (!s->open)
		note("--marker '%s': found %" PRId64 " times, nothing lies behind --skip %" PRId64, s->marker, s->seen,
		    s->skip);
	else if (s->count && s->seen - s->skip < s->count)
		note("--marker '%s': found %" PRId64 " times, kept to the end of the input", s->marker, s->seen);
}
