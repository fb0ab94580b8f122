/*
 * path_search: finds the longest path through the starts and ends of the records of a window. The rules are those of
 * Holistic Trace Analysis (hta/analyzers/critical_path_analysis.py), applied in time order; see critical-path(1).
 */
#ifndef PATH_SEARCH_H
#define PATH_SEARCH_H

#include "path_log.h"

enum path_edge {
	PATH_UNSEEN,
	PATH_SOURCE,
	PATH_OPERATOR,
	PATH_DEPENDENCY,
	PATH_SYNC,
	PATH_LAUNCH_DELAY,
	PATH_KERNEL_DELAY
};

/* A point: 2 * event for the start of an event, 2 * event + 1 for its end. */
struct path_point {
	int64_t distance; /* sum of the weights of the best path to it, in ns */
	uint32_t from;    /* the point before it on that path */
	uint32_t by;      /* the event to which the edge between them is attributed; PATH_NONE if to none */
};

/* path_search_free(). */
struct path_search {
	struct path_point *points;
	unsigned char *edges;   /* enum path_edge of each point: that of the edge to it */
	uint32_t last;          /* the last point of the path, PATH_NONE if the window has no points */
	uint64_t without_cause; /* device records whose start depends on nothing */
};

/* `guess`: calls that wait for the device end at its last work that ended in them, without synchronisation records. */
void path_search_run(struct path_search *s, struct path_log *l, bool guess);

static inline int64_t path_point_time(const struct path_log *l, uint32_t point)
{
	return point & 1 ? l->events[point / 2].end : l->events[point / 2].ts;
}

void path_search_free(struct path_search *s);

#endif
