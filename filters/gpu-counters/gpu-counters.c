/*
 * gpu-counters: writes how the lengths of queues of devices, or the bandwidths of their copies, change over time.
 *
 * in:  {"ts":200,"dur":10,"kind":"memcpy","name":"Memcpy HtoD","dev":0,"stream":7,"bytes":120,"api":{"ts":190}}
 * out: {"ts":190,"kind":"counter","name":"queue","dev":0,"stream":7,"value":1}     (gpu-counters queue)
 *      {"ts":200,"kind":"counter","name":"queue","dev":0,"stream":7,"value":0}
 */
#include "program/input_options.h"
#include "program/work_options.h"
#include "counter_series.h"
#include "program/filter.h"

#include <inttypes.h>

struct gpu_counters {
	struct input in;
	struct out out;
	bool bandwidth; /* the first operand; otherwise queue */
	struct work_options work;
	int64_t horizon; /* --horizon; -1: not given */
	struct counter_series *series;
};

static const struct opt options[] = {
    {0, "per", OPT_CHOICE("all|dev|stream", work_per_names), OPT_TO(struct gpu_counters, work.per),
	"measure each rank (all), device (dev) or stream (default); bandwidth:\n"
	"instead of each stream, each kind of copy"},
    {0},
};

static const struct opt more_options[] = {
    {0, "horizon", OPT_TIME("T", 0), OPT_TO(struct gpu_counters, horizon),
	"with queue: maximum time from the launch of work to its start\n"
	"(default 10s)"},
    {0},
};

static const struct opt_program program = {
    "Writes the lengths of queues (queue, default) or the bandwidths of copies in GB/s (bandwidth), one\n"
    "record for each change.\n"
    "Needs input in ts order.",
    "[queue|bandwidth] [--per all|dev|stream] [-k KIND,...] [--horizon T] [FILE...]",
    "trace2ndjson run.json.gz | ts-sort | corr-join --sorted --lead 250ms | gpu-counters queue",
};

/* Reads the options and the first operand; returns the other operands, which are files. */
static char **read_command_line(struct gpu_counters *f, int argc, char **argv)
{
	const struct opt_table tables[] = {
	    {options, f, NULL}, WORK_OPTIONS(&f->work), {more_options, f, NULL}, INPUT_OPTIONS(&f->in), {0}};
	char **operands = opt_read(&program, argc, argv, tables);

	if (operands[0] && str_in(str_of(operands[0]), (const char *const[]){"queue", "bandwidth", NULL})) {
		f->bandwidth = operands[0][0] == 'b';
		opt_need_input(&program, ++operands);
	}
	if (f->horizon >= 0 && f->bandwidth)
		opt_needs("--horizon", "queue");
	return operands;
}

static void init(struct gpu_counters *f)
{
	struct places places = work_options_places(&f->work);
	const struct str name = f->bandwidth ? (struct str){NULL, 0} : STR("\"queue\"");

	if (f->bandwidth)
		places.members[2] = EVENT_NAME;
	f->series = counter_series_new(&places, name, f->horizon < 0 ? 10000000000 : f->horizon, &f->out);
}

static bool is_work(const struct gpu_counters *f, enum event_kind kind)
{
	return work_options_take_kind(&f->work, kind) && (!f->bandwidth || kind == KIND_MEMCPY || kind == KIND_MEMSET);
}

static void take_queued(struct gpu_counters *f, struct event *e)
{
	switch (counter_series_queue(f->series, e)) {
	case COUNTER_SERIES_EARLY:
		input_lost(&f->in, "device record starts before its call (clocks disagree); left out of its queue");
		break;
	case COUNTER_SERIES_FAR:
		input_lost(&f->in, "device record starts more than --horizon after its call; left out of its queue");
		break;
	case COUNTER_SERIES_WITHOUT:
	case COUNTER_SERIES_TAKEN:
		break;
	}
}

static void end_series(struct gpu_counters *f)
{
	const uint64_t without = counter_series_without(f->series);

	counter_series_end(f->series);
	if (without && !f->bandwidth)
		warn("%" PRIu64 " device records have no call (api) and are left out of all queues%s", without,
		    work_options_join_hint(" queue"));
	if (without && f->bandwidth)
		warn("%" PRIu64 " copies and memsets left out: bandwidth unknown (no bytes or no dur)", without);
}

int main(int argc, char **argv)
{
	struct gpu_counters f = {.in.times = INPUT_TIMED, .work.per = WORK_PER_STREAM, .horizon = -1};
	struct event e;
	char **operands;

	err_init(argv[0]);
	operands = read_command_line(&f, argc, argv);
	init(&f);
	input_stop_on_signal();
	input_uses_members(&f.in,
	    work_options_kinds(&f.work) & (f.bandwidth ? 1u << KIND_MEMCPY | 1u << KIND_MEMSET : UINT32_MAX),
	    INPUT_MEMBERS | (uint32_t)f.bandwidth << EVENT_ARGS);
	filter_open(&f.in, operands, &f.out);
	while (input_next(&f.in, &e)) {
		if (!is_work(&f, event_get_kind(&e)) || !event_has_time(&e) || !input_in_order(&f.in, e.ts))
			continue;
		if (f.bandwidth)
			counter_series_bandwidth(f.series, &e);
		else
			take_queued(&f, &e);
	}
	if (filter_in_order(&f.in, argv, operands))
		end_series(&f);
	counter_series_free(f.series);
	return filter_close(&f.in);
}
