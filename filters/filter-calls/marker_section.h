/* marker_section: selects the part of a stream between two marker records, given by a name and by numbers. */
#ifndef MARKER_SECTION_H
#define MARKER_SECTION_H

#include "record/field.h"
#include "record/name_match.h"

/*
 * Markers are the records whose name matches, counted from 0. The section begins at marker `skip` and ends at marker
 * `skip` + `count`, or with the stream when count is 0. A record belongs to the section that contains its start; for a
 * device record whose call is known, the start of the call (api.ts). Records of the kind gpu_range are not markers:
 * they are the device's copies of annotations that have been counted already.
 */
struct marker_section {
	const char *marker; /* the regular expression; NULL: no section */
	int64_t skip, count;
	/* private */
	struct name_match names; /* the regular expression of the marker */
	struct field launch;
	int64_t seen;      /* number of markers so far */
	bool open, closed; /* open: the start of the section was found (`from`); closed: its end was found (`to`) */
	int64_t from, to;
};

/*
 * To be called after the first members were set. `fold`: ignore letter case. Ends the program when the marker is not a
 * regular expression, or when skip or count is given without a marker.
 */
void marker_section_init(struct marker_section *s, bool fold);
void marker_section_free(struct marker_section *s);

/* Returns true if the next record of the stream is in the section. It must be called for all records, in ts order. */
bool marker_section_next(struct marker_section *s, struct event *e);

/* Call it when all input was read: prints one line on standard error if there were fewer markers than requested. */
void marker_section_hint(const struct marker_section *s);

#endif
