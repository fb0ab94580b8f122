#include "marker_section.h"

#include "base/err.h"
#include "cli/name_options.h"

#include <inttypes.h>

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
		return event_has_time(e);
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

	if (event_has_time(e)) {
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
