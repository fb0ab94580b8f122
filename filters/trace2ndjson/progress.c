#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

enum { EVERY = 4096 };

const char *const progress_names[] = {"auto", "always", "never", NULL};

void progress_init(struct progress *p, enum progress_when when)
{
	*p = (struct progress){.countdown = EVERY};
	p->on = when == PROGRESS_ALWAYS || (when == PROGRESS_AUTO && isatty(STDERR_FILENO));
	clock_gettime(CLOCK_MONOTONIC, &p->began);
	p->last = p->began;
}

static double seconds(const struct timespec *from, const struct timespec *to)
{
	return (double)(to->tv_sec - from->tv_sec) + (double)(to->tv_nsec - from->tv_nsec) * 1e-9;
}

void progress_show(struct progress *p, const struct source *src, const char *file)
{
	struct timespec now;
	uint64_t done, all;
	double taken, rate;
	char line[200];
	int n;

	p->countdown = EVERY;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (seconds(&p->last, &now) < 0.2)
		return;
	p->last = now;
	done = src->read;
	all = src->size;
	taken = seconds(&p->began, &now);
	rate = (double)done / taken;
	n = snprintf(line, sizeof line, "\r%.60s: %.1f MB", file, (double)done / 1e6);
	if (all)
		n += snprintf(line + n, sizeof line - (size_t)n, " of %.1f MB, %.0f %%", (double)all / 1e6,
		    100.0 * (double)done / (double)all);
	n += snprintf(line + n, sizeof line - (size_t)n, ", %.0f MB/s, %" PRIu64 " events", rate / 1e6, p->events);
	if (all > done && rate > 0)
		n += snprintf(line + n, sizeof line - (size_t)n, ", %.0f s left", (double)(all - done) / rate);
	n += snprintf(line + n, sizeof line - (size_t)n, "\033[K");
	p->shown |= write(STDERR_FILENO, line, (size_t)n) > 0;
}

void progress_erase(struct progress *p)
{
	static const char erase[] = "\r\033[K";

	if (p->shown && write(STDERR_FILENO, erase, sizeof erase - 1) > 0)
		p->shown = false;
}
