/* match_report: reports on standard error which kernels have no collective, and which ranks have no clock. */
#ifndef MATCH_REPORT_H
#define MATCH_REPORT_H

#include "rank_clocks.h"

/* The result of the match; the caller owns what the members point to. */
struct match_report {
	const struct collectives *collectives;
	const struct rank_clocks *clocks; /* after rank_clocks_find() */
	bool has_blocks;                  /* the option --block is given */
};

/* Prints the report. Returns whether a kernel is not matched, or a rank has no member kernels or no clock. */
bool match_report_print(const struct match_report *m);

#endif
