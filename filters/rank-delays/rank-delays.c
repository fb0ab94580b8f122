/*
 * rank-delays: by how much ranks, process groups, pipeline stages and hosts delay the steps of a job.
 *
 * RANKS: {"ts":0,"dur":900,"rank":0,"step":1,"compute_time":500,"comm_only":400} ... one line a rank and step
 *        {"rank":0,"group":"1","list":"[0, 1]","desc":"dp"} ... one line a rank and process group
 * in:    the records of coll-join
 * out:   {"kind":"rank-delays/job","dur":900, ... ,"name":"rank 1","late":80, ... }
 *        {"kind":"rank-delays/set","set":"rank","name":"rank 1","ranks":[1],"late":80, ... } ... one line a set
 *        and a line for each rank (rank-delays/rank), rank and step (.../step) and slow step (.../slow)
 */
#include "delay_report.h"
#include "rank_table.h"
#include "set_delays.h"
#include "program/filter.h"
#include "program/input_options.h"

#include <inttypes.h>

struct rank_delays {
	struct input in, file; /* file: RANKS */
	struct out out;
	struct rank_table table;
	struct set_delays delays;
};

static const struct opt_program program = {
    "Measures by how much ranks, process groups, pipeline stages and hosts delay the steps of a job.",
    "RANKS [COLLECTIVES...]",
    "coll-join ranks.ndjson | rank-delays windows.ndjson",
    .reads = "table, records (collective)",
    .writes = "records (rank-delays)",
    .needs = "several ranks, coll-join",
};

static void read_ranks(struct rank_delays *r, char *path)
{
	char *operands[] = {path, NULL};
	const char *wrong;
	struct event e;

	r->file.options = r->in.options;
	r->file.times = INPUT_TIMED;
	r->file.report = filter_report;
	input_open(&r->file, operands, &r->out);
	while (input_next(&r->file, &e)) {
		wrong = rank_table_add(&r->table, &e);
		if (wrong)
			die("%s:%" PRIu64 ": %s", r->file.file, r->file.line, wrong);
	}
	rank_table_complete(&r->table);
}

int main(int argc, char **argv)
{
	struct rank_delays r = {.in.times = INPUT_TIMED};
	const struct opt_table tables[] = {INPUT_OPTIONS(&r.in), {0}};
	char **operands;
	struct event e;
	uint64_t records = 0;
	int status, file;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	if (!*operands)
		die("RANKS is missing; try %s -h", err_prog());
	opt_need_input(&program, operands + 1);
	input_stop_on_signal();
	filter_open_output(&r.out);
	read_ranks(&r, *operands);
	file = filter_close_input(&r.file);
	if (file == STATUS_FAIL)
		quit(STATUS_FAIL);
	r.in.report = filter_report;
	input_open(&r.in, operands + 1, &r.out);
	for (; input_next(&r.in, &e); records++)
		set_delays_add(&r.delays, &r.table, &e);
	set_delays_complete(&r.delays, &r.table);
	if (r.table.n_traces && (records || !r.in.failed))
		delay_report_write(&r.delays, &r.table, &r.out);
	else if (records)
		note("no steps of ranks in %s; delays are shares of a step", *operands);
	set_delays_free(&r.delays);
	rank_table_free(&r.table);
	status = filter_close(&r.in);
	return status > file ? status : file;
}
