/* progress: shows on standard error how much of a large input has been read. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "io/source.h"

#include <time.h>

struct progress {
	bool on; /* the progress is shown: standard error is a terminal, or --progress=always is given */
	bool shown;
	uint64_t events;
	uint64_t countdown;
	struct timespec began, last;
};

/* The values of --progress. PROGRESS_AUTO: shows the progress only when standard error is a terminal. */
enum progress_when { PROGRESS_AUTO, PROGRESS_ALWAYS, PROGRESS_NEVER };
extern const char *const progress_names[]; /* NULL follows the last name */
void progress_init(struct progress *p, enum progress_when when);

void progress_show(struct progress *p, const struct source *src, const char *file);

/* Counts n events; from time to time, updates the line on the terminal. */
static inline void progress_events(struct progress *p, uint64_t n, const struct source *src, const char *file)
{
	p->events += n;
	if (p->on && (p->countdown -= p->countdown < n ? p->countdown : n) == 0)
		progress_show(p, src, file);
}

/* Erases the line. */
void progress_erase(struct progress *p);

#endif
