/* delay_report: decides which set of ranks costs most, and writes the records of a job: job, sets, ranks, steps. */
#ifndef DELAY_REPORT_H
#define DELAY_REPORT_H

#include "set_delays.h"

void delay_report_write(struct set_delays *d, struct rank_table *t, struct out *out);

#endif
