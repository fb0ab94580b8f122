/*
 * gpu-counters: writes how the lengths of queues of devices, or the bandwidths of their copies, change over time.
 *
 * in:  {"ts":200,"dur":10,"kind":"memcpy","name":"Memcpy HtoD","dev":0,"stream":7,"bytes":120,"api":{"ts":190}}
 * out: {"ts":190,"kind":"counter","name":"queue","dev":0,"stream":7,"value":1}     (gpu-counters queue)
 *      {"ts":200,"kind":"counter","name":"queue","dev":0,"stream":7,"value":0}
 */
#include "program/input_options.h"
#include "program/work_options.h"
#include "base/num_parse.h"
#include "json/iter.h"
#include "json/write.h"
#include "program/filter.h"
#include "record/event_api.h"
#include "step_counter.h"

#include <inttypes.h>

struct gpu_counters {
	struct input in;
	struct out out;
	bool bandwidth; /* the first operand; otherwise queue */
	struct work_options work;
	int64_t horizon;       /* --horizon; -1: not given */
	struct places devices; /* the places of counters; for bandwidth, the last member is the name */
	uint64_t without;      /* number of records without a call, or without bytes */
	struct step_counter *levels;
	struct buf text, attachments;
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
    "record for each change.",
    "[queue|bandwidth] [--per all|dev|stream] [-k KIND,...] [--horizon T] [FILE...]",
    "trace2ndjson run.json.gz | ts-sort | corr-join --sorted --lead 250ms | gpu-counters queue",
    .reads = "records (kernel, memcpy, memset)",
    .writes = "records (counter)",
    .needs = "ts order, corr-join for queue",
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
	f->horizon = f->horizon < 0 ? 10000000000 : f->horizon;
	f->devices = work_options_places(&f->work);
	if (f->bandwidth)
		f->devices.members[2] = EVENT_NAME;
	return operands;
}

/* Writes the changes up to ts. */
static void write_until(struct gpu_counters *f, int64_t ts)
{
	struct step_counter_step step;
	struct event e;
	double value;

	while (step_counter_next(f->levels, ts, &step, &value)) {
		event_clear(&e);
		event_set_ts(&e, step.ts);
		event_set_kind(&e, KIND_COUNTER);
		if (!f->bandwidth)
			event_set(&e, EVENT_NAME, STR("\"queue\""));
		places_set(&f->devices, step.which, &e);
		json_write_double(&f->attachments, "value", value);
		event_write_attached(&f->out, &e, &f->attachments);
	}
}

/* The queue of the record's place is one record longer from the launch of the record to its start. */
static void take_queued(struct gpu_counters *f, struct event *e)
{
	const size_t which = places_put_event(&f->devices, e);
	struct event_api launch;

	event_walk(e);
	if (!event_api_find(&launch, e)) {
		f->without++;
		return;
	}
	if (launch.ts > e->ts) {
		input_lost(&f->in, "device record starts before its call (clocks disagree); left out of its queue");
		return;
	}
	write_until(f, int_sub(e->ts, f->horizon));
	if (!step_counter_add(f->levels, launch.ts, which, 1) || !step_counter_add(f->levels, e->ts, which, -1))
		input_lost(&f->in, "device record starts more than --horizon after its call; left out of its queue");
}

/* Gets the bandwidth of a copy in GB/s: from its args, or else from its bytes and dur. */
static bool find_bandwidth(struct event *e, double *v)
{
	const struct str args = event_get(e, EVENT_ARGS);
	const int64_t dur = event_duration(e);
	double bytes;

	if (args.p && num_double(iter_find(args, STR("memory bandwidth (GB/s)")), v))
		return *v >= 0;
	if (!num_double(event_get(e, EVENT_BYTES), &bytes) || !dur)
		return false;
	*v = bytes / (double)dur;
	return *v >= 0;
}

/* Adds the bandwidth to the counter of copies with the same text before " (" in their names. */
static void take_copy(struct gpu_counters *f, struct event *e)
{
	enum { LEAST = 1000 }; /* a microsecond, the resolution of old profilers: no copy was shorter */
	const struct str name = event_get(e, EVENT_NAME);
	const size_t n = str_find(name, STR(" ("));
	const int64_t dur = event_duration(e);
	size_t which;
	double v;

	write_until(f, e->ts);
	if (!find_bandwidth(e, &v)) {
		f->without++;
		return;
	}
	buf_set(&f->text, str_head(name, n));
	if (n < name.n)
		buf_char(&f->text, '"');
	which = places_put(&f->devices,
	    (struct str[]){event_get(e, EVENT_RANK), event_get(e, EVENT_DEV), buf_str(&f->text)}, f->devices.n_members);
	step_counter_add(f->levels, e->ts, which, v);
	step_counter_add(f->levels, int_add(e->ts, dur > LEAST ? dur : LEAST), which, -v);
}

int main(int argc, char **argv)
{
	struct gpu_counters f = {.in.times = INPUT_TIMED, .work.per = WORK_PER_STREAM, .horizon = -1};
	uint32_t kinds;
	struct event e;
	char **operands;

	err_init(argv[0]);
	operands = read_command_line(&f, argc, argv);
	f.levels = step_counter_new();
	kinds = work_options_kinds(&f.work) & (f.bandwidth ? 1u << KIND_MEMCPY | 1u << KIND_MEMSET : UINT32_MAX);
	input_stop_on_signal();
	input_uses_members(&f.in, kinds, INPUT_MEMBERS | (uint32_t)f.bandwidth << EVENT_ARGS);
	filter_open(&f.in, operands, &f.out);
	while (input_next(&f.in, &e)) {
		const enum event_kind kind = event_get_kind(&e);

		if (kind != KIND_N && kinds >> kind & 1 && event_has_time(&e) && input_in_order(&f.in, e.ts))
			(f.bandwidth ? take_copy : take_queued)(&f, &e);
	}
	if (filter_in_order(&f.in, argv, operands)) {
		write_until(&f, INT64_MAX);
		filter_hint_kinds(&f.in, kinds, f.in.timed);
		if (f.without && !f.bandwidth)
			warn("%" PRIu64 " device records have no call (api) and are left out of all queues%s",
			    f.without, work_options_join_hint(" queue"));
		if (f.without && f.bandwidth)
			warn("%" PRIu64 " copies and memsets left out: bandwidth unknown (no bytes or no dur)",
			    f.without);
	}
	places_free(&f.devices);
	step_counter_free(f.levels);
	bufs_free(&f.text, &f.attachments);
	return filter_close(&f.in);
}
