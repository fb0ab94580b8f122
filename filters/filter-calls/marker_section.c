#include "marker_section.h"

#include "base/err.h"
#include "program/opt_fields.h"
#include "program/opt_value.h"

#include <inttypes.h>

void marker_section_init(struct marker_section *s, bool fold)
{
	struct fault f;

	if (!s->marker && (s->skip || s->count))
		opt_needs(s->skip ? "--skip" : "--count", "--marker");
	if (!s->marker)
		return;
	s->names.fold = fold;
	opt_name_regex(&s->names, "--marker", s->marker);
	field_compile(&s->launch, STR("api.ts"), &f);
}

void marker_section_free(struct marker_section *s)
{
	if (!s->marker)
		return;
	name_match_free(&s->names);
	field_free(&s->launch);
}

bool marker_section_next(struct marker_section *s, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);
	struct value launch;

	if (event_has_time(e) && kind != KIND_GPU_RANGE &&
	    name_match_first(&s->names, event_get(e, EVENT_NAME)) != NAME_MATCH_NONE) {
		if (s->seen == s->skip) {
			s->open = true;
			s->from = e->ts;
		} else if (s->count && s->seen - s->skip == s->count) {
			s->closed = true;
			s->to = e->ts;
		}
		s->seen++;
	}
	if (!s->open)
		return false;
	if (event_kind_is_device(kind) && field_get(&s->launch, e, 0, &launch) && launch.type == VALUE_INT)
		return launch.i >= s->from && !(s->closed && launch.i >= s->to);
	return event_has_time(e) && e->ts >= s->from && !(s->closed && e->ts >= s->to);
}

void marker_section_hint(const struct marker_section *s)
{
	if (!s->seen)
		note("--marker '%s': no marker found", s->marker);
	else if (!s->open)
		note("--marker '%s': only %" PRId64 " markers found; --skip %" PRId64 " skips all of them", s->marker,
		    s->seen, s->skip);
	else if (s->count && s->seen - s->skip < s->count)
		note("--marker '%s': only %" PRId64 " markers found; the last section ends with the input", s->marker,
		    s->seen);
}
