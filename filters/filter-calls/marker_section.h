/* marker_section: the part of a stream between two of its marker records, chosen by their names and numbers. */
#ifndef MARKER_SECTION_H
#define MARKER_SECTION_H

#include "record/event.h"

/*
 * From the start of the skip-th record whose name matches to the start of the (skip + count)-th,
 * counted from 0; to the end of the stream when count is 0. A record belongs where it starts, one of
 * the device where its call (api.ts) did when that is known. Records of the kind gpu_range are no
 * markers: they are the device's copies of annotations that were counted already.
 */
struct marker_section_options {
	const char *marker; /* the expression, NULL when no section is asked for */
	int64_t skip, count;
};

/*
 * NULL without a marker. `fold`: letter case does not count. Ends the program when the marker is no regular expression,
 * or absent with skip or count.
 */
struct marker_section *marker_section_new(const struct marker_section_options *o, bool fold);
void marker_section_free(struct marker_section *s); /* s may be NULL */

/* Whether the next record of the stream is in the section; all of them must be shown, in ts order. */
bool marker_section_next(struct marker_section *s, struct event *e);

/* At the end: one line on stderr when there were fewer markers than asked for. */
void marker_section_hint(const struct marker_section *s);

#endif
