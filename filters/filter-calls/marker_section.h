/* marker_section: the part of a stream between two of its marker records, chosen by their names and numbers. */
#ifndef MARKER_SECTION_H
#define MARKER_SECTION_H

#include "record/field.h"
#include "record/name_match.h"
#include "record/ts_order.h"

/*
 * From the start of the skip-th record whose name matches to the start of the (skip + count)-th,
 * counted from 0; to the end of the stream when count is 0. A record belongs where it starts, one of
 * the device where its call (api.ts) did when that is known. Records of the kind gpu_range are no
 * markers: they are the device's copies of annotations that were counted already.
 */
struct marker_section {
	const char *marker; /* the expression, NULL when no section is asked for */
	int64_t skip, count;
	struct name_match names; /* its */
	struct field launch;
	struct ts_order order;
	int64_t seen;       /* markers so far */
	bool open, closed;  /* their first and last one came, at `from` and `to` */
	int64_t from, to;
};

/* Compiles the marker; ends the program when it is no regular expression, or absent with skip or count. */
void marker_section_check(struct marker_section *s, bool fold);

enum marker_section_answer { MARKER_SECTION_OUT, MARKER_SECTION_IN, MARKER_SECTION_DISORDER /* ts went back */ };

/* Where the next record of the stream belongs; all of them must be shown, in ts order. */
enum marker_section_answer marker_section_next(struct marker_section *s, struct event *e);

/* At the end: one line on stderr when there were fewer markers than asked for. */
void marker_section_hint(const struct marker_section *s);

#endif
