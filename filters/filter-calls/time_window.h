/* time_window: selects the part of a stream between two times. */
#ifndef TIME_WINDOW_H
#define TIME_WINDOW_H

#include "program/opt_value.h"
#include "record/event.h"

/*
 * The interval [from, to) on the trace's clock. A record without ts, or with a ts on a separate clock (`clock`), is in
 * no window. Zero-initialise.
 */
struct time_window {
	struct time_window_bound {
		bool given, relative;
		int128 at; /* wide enough for the sum of any two 64-bit times */
	} from, to;
	bool starts, inside; /* --starts, --inside; if both are false, records must overlap the window */
	bool relative, any;  /* `relative`: a bound is +T; `any`: `base` was set to the first ts */
	int64_t base;
};

/* Sets a bound to T or +T: the value of an option of type OPT_STAMP. */
void time_window_bound(struct time_window_bound *b, const struct opt_value *v);

/* Checks the options; call it after all of them have been read. Ends the program when they contradict each other. */
void time_window_check(struct time_window *w);

static inline bool time_window_given(const struct time_window *w)
{
	return w->from.given || w->to.given;
}

/* Returns true if time_window_holds() can be called: always if no bound is +T, else once the first ts has been read. */
static inline bool time_window_known(const struct time_window *w)
{
	return !w->relative || w->any;
}

/*
 * If `relative`, to be called with every record before time_window_holds(): +T is measured from the first ts. Returns
 * false when a record starts before that ts: the stream is not in ts order.
 */
bool time_window_base(struct time_window *w, struct event *e);

/* Returns true if the record is in the window. */
bool time_window_holds(const struct time_window *w, struct event *e);

#endif
