/*
 * gpu-exposed: divides the time in which communication runs without computation by a field of the communication.
 *
 * in:  {"ts":100,"dur":50,"kind":"kernel","name":"gemm","dev":0,"stream":7}
 *      {"ts":120,"dur":50,"kind":"kernel","name":"cross_device_reduce_1stage","dev":0,"stream":9}
 * out: {"dur":20,"kind":"gpu-exposed","name":"cross_device_reduce_1stage","dev":0,"count":1,"share":1}   (-g name)
 */
#include "program/input_options.h"
#include "program/work_options.h"
#include "device/exposed_time.h"
#include "program/filter.h"
#include "program/opt_fields.h"

struct gpu_exposed {
	struct input in;
	struct out out;
	struct work_options work;
	struct work_types types;
	struct field key; /* -g */
	bool times;       /* --times */
	struct exposed_time *exposed;
};

static const struct opt options[] = {
    {'g', "group", OPT_TEXT("KEY"), OPT_TAKE,
	"divide the time by this field of communication kernels, such as range\n"
	"(default short)"},
    {0, "times", OPT_FLAG, OPT_TO(struct gpu_exposed, times),
	"write the records of communication and of the host; communication gets\n"
	"the member exposed: its exposed time in ns"},
    {0},
};

static const struct opt_program program = {
    "Measures the time in which communication runs without computation, for each value of a field.",
    "[-g KEY | --times] [--per all|dev|stream] [-k KIND,...] [--comm REGEX] [--memory-ops REGEX] [--other REGEX] "
    "[--kernel-names FILE] [FILE...]",
    "trace2ndjson run.json.gz | ts-sort | gpu-exposed | ndjson2table",
    .reads = "records (kernel, memcpy, memset)",
    .writes = "records (gpu-exposed)",
    .needs = "ts order",
};

/* -g */
static void take_option(void *arg, const struct opt_value *v)
{
	struct gpu_exposed *f = arg;

	if (f->key.spec)
		field_free(&f->key);
	opt_field(&f->key, v->option, v->text);
	if (str_in(str_of(f->key.spec), (const char *const[]){"ts", "dur", "kind", "count", "share", NULL}))
		opt_invalid(v->option, str_of(v->text), "a field other than ts, dur, kind, count and share");
}

int main(int argc, char **argv)
{
	struct gpu_exposed f = {.in.times = INPUT_TIMED, .work.per = WORK_PER_DEV};
	const struct opt_table tables[] = {
	    {options, &f, take_option}, WORK_OPTIONS(&f.work), WORK_TYPE_OPTIONS(&f.work), INPUT_OPTIONS(&f.in), {0}};
	enum event_kind kind;
	bool works = false; /* there are device records */
	struct places places;
	struct event e;
	char **operands;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	if (f.key.spec && f.times)
		opt_excluded("-g", "--times");
	if (!f.key.spec)
		opt_field(&f.key, "-g", "short");
	places = work_options_places(&f.work);
	work_options_types(&f.work, &f.types);
	f.exposed = exposed_time_new(&places, f.times ? NULL : &f.key, false, &f.out);
	input_stop_on_signal();
	/* The key may be in any part of a record. */
	input_uses_members(&f.in, work_options_kinds(&f.work), INPUT_MEMBERS | 1u << EVENT_ARGS | 1u << EVENT_SRC);
	filter_open(&f.in, operands, &f.out);
	while (input_next(&f.in, &e)) {
		kind = event_get_kind(&e);
		if (!work_options_take_kind(&f.work, kind) || !event_has_time(&e)) {
			if (f.times)
				event_copy(&f.out, &e);
			continue;
		}
		if (!input_in_order(&f.in, e.ts))
			continue;
		works = true;
		exposed_time_add(f.exposed, &e, work_types_of(&f.types, kind, &e));
	}
	if (filter_in_order(&f.in, argv, operands)) {
		exposed_time_write(f.exposed);
		filter_hint_kinds(&f.in, work_options_kinds(&f.work), works);
		if (f.key.records)
			filter_hint_field(&f.key, true);
		else if (works && !f.times)
			note("no communication");
	}
	exposed_time_free(f.exposed);
	field_free(&f.key);
	work_types_free(&f.types);
	return filter_close(&f.in);
}
