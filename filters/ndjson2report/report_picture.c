/* report_picture: reads the marks of the picture of a section. */
#include "report_private.h"

#include <math.h>
#include <stdlib.h>

static bool drop(struct report_record *record, const struct report_problems *p, const char *why)
{
	report_record_free(record);
	report_lost(p, why);
	return false;
}

/* Returns the index of the lane of that name, which is added if it is new; REPORT_LANES if there is no room for it. */
static size_t lane_of_name(struct report_picture *picture, struct str name)
{
	size_t i;

	for (i = picture->n_lanes; i-- > 0;) {
		if (str_eq(picture->lanes[i], name))
			return i;
	}
	if (picture->n_lanes == REPORT_LANES)
		return REPORT_LANES;
	picture->lanes = mem_grow(picture->lanes, &picture->cap_lanes, picture->n_lanes + 1, sizeof *picture->lanes);
	picture->lanes[picture->n_lanes] = name;
	return picture->n_lanes++;
}

/* Returns the share of the height of a mark: 1 if it is absent or not a number; from 0 to 1. */
static double share_of(const struct report_record *record)
{
	const struct value v = report_record_get(record, STR("share"));

	if (!report_is_number(&v) || v.d > 1)
		return 1;
	return v.d > 0 ? v.d : 0;
}

/* Returns where a mark begins in its lane: on the preceding mark of the lane, if that begins at the same time. */
static double base_of(const struct report_picture *picture, const struct report_mark *mark)
{
	const size_t last = picture->last[mark->lane];
	const struct report_mark *below = last ? &picture->marks[last - 1] : NULL;

	if (!below || picture->nested || below->at.d < mark->at.d || below->at.d > mark->at.d)
		return 0;
	return below->base + below->share;
}

bool report_picture_add(struct report_picture *picture, struct report_record *record, const struct report_problems *p)
{
	const struct str lane = report_member_text(record, "lane", p);
	const bool nested = report_record_get(record, STR("depth")).type != VALUE_NONE;
	struct report_mark mark = {.name = report_member_text(record, "name", p), .share = share_of(record)};

	if (picture->n == REPORT_MARKS)
		return drop(record, p, "more than 5000 marks in a section; skipped");
	mark.at = report_record_get(record, STR("at"));
	mark.dur = report_record_get(record, STR("dur"));
	if (!report_is_number(&mark.at) || !report_is_number(&mark.dur) || mark.dur.d < 0 || !isfinite(mark.at.d))
		return drop(record, p, "mark without the numbers at and dur; skipped");
	if (picture->n && picture->nested != nested)
		return drop(record, p, "marks with and without a depth in a section; skipped");
	mark.lane = nested ? report_member_count(record, "depth", p) : lane_of_name(picture, lane);
	if (mark.lane >= REPORT_LANES)
		return drop(record, p, "more than 100 lanes in a picture; skipped");
	picture->nested = nested;
	if (nested && mark.lane >= picture->n_lanes)
		picture->n_lanes = mark.lane + 1;
	mark.partial = report_record_get(record, STR("share")).type != VALUE_NONE;
	mark.base = base_of(picture, &mark);
	mark.count = report_member_count(record, "count", p);
	mark.color = report_member_color(record, p);
	mark.record = *record;
	record->size += sizeof mark;
	picture->marks = mem_grow(picture->marks, &picture->cap, picture->n + 1, sizeof *picture->marks);
	picture->marks[picture->n++] = mark;
	picture->last[mark.lane] = picture->n;
	return true;
}

void report_picture_free(struct report_picture *picture)
{
	size_t i;

	for (i = 0; i < picture->n; i++)
		report_record_free(&picture->marks[i].record);
	free(picture->marks);
	free(picture->lanes);
}
