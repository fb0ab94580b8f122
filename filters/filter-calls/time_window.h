/* time_window: a part of a stream: what lies between two times, or between two of its marker records. */
#ifndef TIME_WINDOW_H
#define TIME_WINDOW_H

#include "record/field.h"
#include "record/name_match.h"
#include "base/num.h"
#include "record/ts_order.h"

/*
 * [from, to) on the trace's clock. A record without ts, or with one on a clock of its own (`clock`),
 * lies nowhere. Zero-initialise.
 */
struct time_window {
	struct time_window_bound {
		bool given, relative;
		num_i128 at;         /* wide enough for every sum of two 64-bit times */
	} from, to;
	bool starts, within;         /* --starts, --within; else what overlaps */
	bool relative, any;          /* there is a +T; it counts from `base`, the first ts of the stream */
	int64_t base;
};

/* T or +T; ends the program when it is neither. */
void time_window_bound(struct time_window_bound *b, const char *option, const char *arg);

/* After the options: ends the program when they contradict each other. */
void time_window_check(struct time_window *w);

static inline bool time_window_given(const struct time_window *w)
{
	return w->from.given || w->to.given;
}

/* Whether time_window_holds() can be asked already: T is, +T is from the first ts on. */
static inline bool time_window_known(const struct time_window *w)
{
	return !w->relative || w->any;
}

/*
 * To be shown every record of the stream before time_window_holds() is asked of it, when `relative`: +T counts from the
 * first ts that comes. False when one starts before that: the stream is not in ts order.
 */
bool time_window_base(struct time_window *w, struct event *e);

/* Whether the record lies in the window. */
bool time_window_holds(const struct time_window *w, struct event *e);

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
