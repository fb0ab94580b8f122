#include "marker_section.h"

#include "base/err.h"
#include "program/opt_record.h"
#include "program/opt_value.h"
#include "record/field.h"

#include <inttypes.h>
#include <stdlib.h>

struct marker_section {
	struct marker_section_options asked;
	struct name_match names; /* the regular expression of the marker */
	struct field launch;
	int64_t seen;      /* number of markers so far */
	bool open, closed; /* open: the start of the section was found (`from`); closed: its end was found (`to`) */
	int64_t from, to;
};

struct marker_section *marker_section_new(const struct marker_section_options *o, bool fold)
{
	struct marker_section *s;
	struct fault f;

	if (!o->marker && (o->skip || o->count))
		opt_needs(o->skip ? "--skip" : "--count", "--marker");
	if (!o->marker)
		return NULL;
	s = mem_zero(1, sizeof *s);
	s->asked = *o;
	s->names.fold = fold;
	opt_name_regex(&s->names, "--marker", o->marker);
	field_compile(&s->launch, STR("api.ts"), &f);
	return s;
}

void marker_section_free(struct marker_section *s)
{
	if (!s)
		return;
	name_match_free(&s->names);
	field_free(&s->launch);
	free(s);
}

bool marker_section_next(struct marker_section *s, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);
	struct value launch;

	if (event_has_time(e) && kind != KIND_GPU_RANGE &&
	    name_match_first(&s->names, event_get(e, EVENT_NAME)) != NAME_MATCH_NONE) {
		if (s->seen == s->asked.skip) {
			s->open = true;
			s->from = e->ts;
		} else if (s->asked.count && s->seen - s->asked.skip == s->asked.count) {
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
	const struct marker_section_options *o = &s->asked;

	if (!s->seen)
		note("--marker '%s': no marker found", o->marker);
	else if (!s->open)
		note("--marker '%s': only %" PRId64 " markers found; --skip %" PRId64 " skips all of them", o->marker,
		    s->seen, o->skip);
	else if (o->count && s->seen - o->skip < o->count)
		note("--marker '%s': only %" PRId64 " markers found; the last section ends with the input", o->marker,
		    s->seen);
}
