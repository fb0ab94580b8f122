#include "gpu_busy.h"

#include <inttypes.h>

/* A pipeline that joins device records to their calls, even if the clocks of host and device differ. */
#define JOINED "... | ts-sort | corr-join --sorted --lead 250ms | "

static void finish_windows(struct gpu_busy *f)
{
	const struct busy_windows_counts *counts = busy_windows_counts(f->windows);

	busy_windows_write(f->windows);
	if (counts->outside)
		note("%" PRIu64 " device records left out: no range of their rank matches '%s' (--within)",
		    counts->outside, f->regex_within);
	if (counts->workless)
		note("%" PRIu64 " ranges left out: no device records of their rank", counts->workless);
	if (counts->written)
		return;
	if (f->mode == WHOLE)
		warn("no device records");
	else
		warn("no device records in ranges that match '%s' (--within)", f->regex_within);
	f->in.diagnostics.lost = true;
}

static void finish_exposed(struct gpu_busy *f)
{
	exposed_time_write(f->exposed);
	if (f->exposed_key.records)
		filter_hint_field(&f->exposed_key, true);
	else
		note("no communication");
}

void gpu_busy_end(struct gpu_busy *f)
{
	const uint64_t without = counter_series_without(f->series);
	/* If a script runs this program, the script has already joined the records, so messages suggest no command. */
	const bool script = strcmp(err_command(), err_prog()) != 0;
	const char *run = script ? "" : "; run: " JOINED, *filter = script ? "" : err_prog();

	if (!busy_time_end(f->busy))
		input_lost(&f->in, TOO_MANY);
	counter_series_end(f->series);
	if (f->windows)
		finish_windows(f);
	else if (f->exposed)
		finish_exposed(f);
	else if (!f->mode)
		busy_time_write_sums(f->busy);
	else if (f->mode == SETS)
		(f->sets == SETS_STREAMS ? busy_time_write_streams : busy_time_write_types)(f->busy);
	if (f->busy_options.begins && !f->begun) {
		warn("no range matches '%s' (--within)", f->regex_within);
		f->in.diagnostics.lost = true;
	}
	if (f->windows || !f->mode || f->mode == GAPS)
		idle_counts_report(
		    f->windows ? &busy_windows_counts(f->windows)->idle : busy_time_counts(f->busy), run, filter);
	if (without && f->mode == QUEUE)
		warn("%" PRIu64 " device records have no call (api) and are left out of all queues%s%s%s", without, run,
		    filter, script ? "" : " --queue");
	if (without && f->mode == BANDWIDTH)
		warn("%" PRIu64 " copies and memsets left out: bandwidth unknown (no bytes or no dur)", without);
}
