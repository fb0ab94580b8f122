/* figures: the figures of one collective: who came last, who waited, how long the transfer took. */
#ifndef FIGURES_H
#define FIGURES_H

#include "collective_match.h"
#include "rank_clocks.h"

enum figures_class { FIGURES_SKEW, FIGURES_TRANSFER, FIGURES_MIXED, FIGURES_INCONCLUSIVE };

extern const char *const figures_class_names[];

/* Times are in ns, bandwidths in bytes per ns, which are GB/s. */
struct figures {
	bool aligned;    /* all members are on the clock of the reference */
	bool own;        /* ts is on the own clock of the first member, not on that of the reference */
	int64_t ts, dur; /* from the earliest start to the latest end; if not aligned, those of the first member */
	/* The following are set if there are at least two members: */
	int64_t *wait;                                         /* by member; valid until the next figures_compute() */
	int64_t skew_start, skew_end, late, latency, transfer; /* skew_end and transfer only if aligned */
	size_t first, last;                                    /* members */
	double share;                                          /* -1 if all durations are 0 */
	enum figures_class class;
	int64_t bytes;                              /* -1 if unknown */
	double algbw, busbw, throughput, imbalance; /* -1 if unknown */
	/* private */
	int64_t *starts;
	size_t cap, starts_cap;
};

/* The data from which the figures are computed; the caller owns it. */
struct figures_source {
	struct job *job;
	struct collectives *collectives;
	const struct rank_clocks *clocks;
};

/* Sets only aligned, own, ts and dur: enough to sort collectives. */
void figures_place(struct figures *f, const struct figures_source *s, const struct collective *c);

/* Sets all figures. `missing`: a rank of the group has no member, so the collective is inconclusive. */
void figures_compute(struct figures *f, const struct figures_source *s, const struct collective *c, bool missing);

void figures_free(struct figures *f);

#endif
