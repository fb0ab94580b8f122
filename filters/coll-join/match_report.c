#include "match_report.h"

#include "base/err.h"

#include <inttypes.h>

/* Reports the reasons why kernels are not matched. Returns whether there is such a kernel. */
static bool report_unmatched(const struct match_report *m)
{
	uint64_t counts[COLLECTIVE_WHYS] = {0};
	bool any = false;
	size_t i;

	for (i = 0; i < m->collectives->job->n; i++)
		counts[m->collectives->job->kernels[i].why]++;
	for (i = COLLECTIVE_MATCHED + 1; i < COLLECTIVE_WHYS; i++) {
		if (!counts[i])
			continue;
		warn("member kernels that cannot be matched: %" PRIu64 ", because: %s", counts[i],
		    collective_why_names[i]);
		any = true;
	}
	return any;
}

/*
 * Reports the ranks for which `is` returns true: the first one, and how many more there are. Returns whether there is
 * such a rank.
 */
static bool report_ranks(
    const struct match_report *m, bool (*is)(const struct match_report *m, size_t rank), const char *what)
{
	const struct job *j = m->collectives->job;
	struct buf first = {0};
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < j->n_ranks; i++) {
		if (is(m, i) && n++ == 0)
			job_write_rank(j, j->ranks[i].rank, &first);
	}
	if (n > 1)
		warn("%.*s: %s (and %" PRIu64 " more)", (int)first.n, first.p, what, n - 1);
	else if (n)
		warn("%.*s: %s", (int)first.n, first.p, what);
	buf_free(&first);
	return n > 0;
}

static bool is_empty(const struct match_report *m, size_t rank)
{
	return !m->collectives->job->ranks[rank].kernels;
}

static bool is_apart(const struct match_report *m, size_t rank)
{
	return !m->clocks->list[rank].ok && m->clocks->list[rank].count == 0 && !is_empty(m, rank) &&
	       !job_is_process(m->collectives->job->ranks[rank].rank);
}

static bool is_contradictory(const struct match_report *m, size_t rank)
{
	return !m->clocks->list[rank].ok && m->clocks->list[rank].count > 0;
}

bool match_report_print(const struct match_report *m)
{
	bool lost;

	if (m->collectives->job->doubles)
		note("member kernels that are in the input twice: %" PRIu64 "; one of each is used",
		    m->collectives->job->doubles);
	if (m->collectives->by_stream && !m->has_blocks && m->collectives->job->n_ranks > 1)
		note("no member kernel has a process group: all %zu ranks count as one group; see --block",
		    m->collectives->job->n_ranks);
	lost = report_ranks(m, is_empty, "no member kernels; see -e");
	lost |= report_unmatched(m);
	lost |= report_ranks(m, is_apart,
	    m->clocks->mode == RANK_CLOCKS_FILE
		? "no clock in the file of --clocks; its collectives are not aligned"
		: "no chain of common collectives to the lowest rank; its clock is unknown");
	lost |= report_ranks(m, is_contradictory, "its collectives contradict each other; its clock is unknown");
	return lost;
}
