/* time_window: the part of a stream that lies between two times. */
#ifndef TIME_WINDOW_H
#define TIME_WINDOW_H

#include "cli/opt_value.h"
#include "record/event.h"

/*
 * [from, to) on the trace's clock. A record without ts, or with one on a clock of its own (`clock`),
 * lies nowhere. Zero-initialise.
 */
struct time_window {
	struct time_window_bound {
		bool given, relative;
		int128 at;         /* wide enough for every sum of two 64-bit times */
	} from, to;
	bool starts, within;         /* --starts, --within; else what overlaps */
	bool relative, any;          /* there is a +T; it counts from `base`, the first ts of the stream */
	int64_t base;
};

/* T or +T: the value of an option of type OPT_STAMP. */
void time_window_bound(struct time_window_bound *b, const struct opt_value *v);

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

#endif
