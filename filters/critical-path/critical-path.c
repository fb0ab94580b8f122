/*
 * critical-path: finds the chain of work that determines how long a window took, on the host and on the device.
 *
 * in:  {"ts":100,"dur":9,"kind":"api","name":"cudaLaunchKernel","pid":7,"tid":7,"corr":5}
 *      {"ts":130,"dur":40,"kind":"kernel","name":"gemm","dev":0,"stream":7,"corr":5,"api":{"name":"cudaLaunchKernel",
 *       "ts":100,"dur":9,"pid":7,"tid":7}}
 * out: {"ts":100,"dur":70,"kind":"critical-path","name":"critical path","pid":"critical path","tid":0,"assume":"none",
 *       "total":70,"covered":70,"before":0,"points":3,"without_cause":0,"cpu":0,"data_loading":0,
 *       "gpu_compute":40,"gpu_communication":0,"kernel_delay":0,"launch_delay":30}
 *      {"ts":100,"dur":30,"kind":"edge","name":"gemm","pid":"critical path","tid":0,"edge":"launch_delay","weight":30,
 *       "bound":"launch_delay"}
 *      {"ts":130,"dur":40,"kind":"edge","name":"gemm","pid":"critical path","tid":0,"edge":"operator","weight":40,
 *       "bound":"gpu_compute"}
 */
#include "json/write.h"
#include "path_search.h"
#include "program/filter.h"
#include "program/input_options.h"
#include "program/kernel_names_option.h"
#include "program/opt_fields.h"
#include "record/record_line.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MARKER = 256, DATA_LOAD };

enum bound {
	BOUND_CPU,
	BOUND_DATA,
	BOUND_COMPUTE,
	BOUND_COMM,
	BOUND_KERNEL,
	BOUND_LAUNCH,
	BOUNDS,
	BOUND_NONE = BOUNDS
};

static const char *const bound_names[] = {
    "cpu", "data_loading", "gpu_compute", "gpu_communication", "kernel_delay", "launch_delay", ""};
static const char *const edge_names[] = {"", "", "operator", "dependency", "sync", "launch_delay", "kernel_delay"};

static const char *const assume_words[] = {"none", "calls", NULL};

struct critical_path {
	struct input in;
	struct out out;
	struct path_log log;
	struct name_match marker, data_load;
	const char *marker_regex;
	int64_t skip, count;
	bool calls; /* --assume calls */
	struct buf line;
	bool any;
};

#define TO(member) OPT_TO(struct critical_path, member)
static const struct opt options[] = {
    {MARKER, "marker", OPT_TEXT("REGEX"), OPT_TAKE,
	"window: from the start of the first range or operator whose name\n"
	"matches (a marker) to its end (default: all records)"},
    {0, "skip", OPT_COUNT("N", 0), TO(skip), "with --marker: start at marker N, counted from 0 (default 0)"},
    {0, "count", OPT_COUNT("M", 1), TO(count), "with --marker: end with the M-th marker of the window (default 1)"},
    {0, "assume", OPT_CHOICE("WHAT", assume_words), TO(calls),
	"for a trace without synchronisation records: none: the host never waits\n"
	"for the device; calls: calls named Synchronize wait for the work that\n"
	"ended in them"},
    {DATA_LOAD, "data-load", OPT_TEXT("REGEX"), OPT_TAKE, "count host records with matching names as data_loading"},
    {0},
};

static const struct opt_program program = {
    "Finds the chain of work that determines how long a window took.",
    "[--marker REGEX [--skip N] [--count M]] [--assume none|calls] [--data-load REGEX] [FILE...]",
    "trace-join run.json.gz | critical-path --marker ProfilerStep --skip 1",
    .reads = "records (op, api, python, range, kernel, memcpy, memset, sync)",
    .writes = "records (critical-path, edge)",
    .needs = "ts order, corr-join",
};

static void take_option(void *arg, const struct opt_value *v)
{
	struct critical_path *c = arg;
	struct name_match *names = v->opt->letter == MARKER ? &c->marker : &c->data_load;
	struct fault f;

	if (!name_match_regex(names, v->text, &f))
		opt_regex_refused(v->option, v->text, &f);
	if (v->opt->letter == MARKER) {
		c->marker_regex = v->text;
		c->log.marker = names;
	} else {
		c->log.data_load = names;
	}
}

/* --- results --- */

static enum bound bound_of(struct critical_path *c, enum path_edge edge, uint32_t by)
{
	const struct path_log *l = &c->log;
	struct str name;

	if (edge == PATH_KERNEL_DELAY)
		return BOUND_KERNEL;
	if (edge == PATH_LAUNCH_DELAY)
		return BOUND_LAUNCH;
	if (edge != PATH_OPERATOR)
		return BOUND_NONE;
	if (by == PATH_NONE)
		return BOUND_CPU;
	name = map_key(&l->names, l->events[by].name);
	if (l->events[by].flags & PATH_DEVICE)
		return kernel_names_find(name)->class == KERNEL_COMM ? BOUND_COMM : BOUND_COMPUTE;
	return name_match_first(&c->data_load, name) == NAME_MATCH_NONE ? BOUND_CPU : BOUND_DATA;
}

/* Writes a process and thread, so that a viewer shows all records in one lane. */
static void write_lane(struct critical_path *c)
{
	json_write_text(&c->line, "pid", STR("critical path"));
	json_write_int(&c->line, "tid", 0);
}

static void write_edge(struct critical_path *c, const struct path_search *s, uint32_t point)
{
	const struct path_point *p = &s->points[point];
	const enum path_edge edge = (enum path_edge)s->edges[point];
	const int64_t start = path_point_time(&c->log, p->from);

	record_line_begin(&c->line, NULL);
	json_write_int(&c->line, "ts", start);
	json_write_int(&c->line, "dur", int_sub(path_point_time(&c->log, point), start));
	json_write_text(&c->line, "kind", STR("edge"));
	if (p->by != PATH_NONE)
		json_write_json(&c->line, "name", map_key(&c->log.names, c->log.events[p->by].name));
	write_lane(c);
	json_write_text(&c->line, "edge", str_of(edge_names[edge]));
	json_write_int(&c->line, "weight", p->distance - s->points[p->from].distance);
	if (bound_of(c, edge, p->by) != BOUND_NONE)
		json_write_text(&c->line, "bound", str_of(bound_names[bound_of(c, edge, p->by)]));
	record_line_end(&c->line, &c->out);
}

/* Writes the first record: the window, the total, and its parts. */
static void write_total(struct critical_path *c, const struct path_search *s, const uint32_t *path, size_t n)
{
	int64_t parts[BOUNDS + 1] = {0}, *part, weight, covered = 0, from, to;
	const struct path_point *p;
	size_t i;

	for (i = 1; i < n; i++) {
		p = &s->points[path[i]];
		weight = p->distance - s->points[p->from].distance;
		part = &parts[bound_of(c, (enum path_edge)s->edges[path[i]], p->by)];
		*part = int_add(*part, weight);
		from = path_point_time(&c->log, p->from);
		to = path_point_time(&c->log, path[i]);
		to = to < c->log.end ? to : c->log.end;
		covered = int_add(covered, weight && to > from ? int_sub(to, from) : 0);
	}
	record_line_begin(&c->line, NULL);
	json_write_int(&c->line, "ts", c->log.begin);
	json_write_int(&c->line, "dur", int_sub(c->log.end, c->log.begin));
	json_write_text(&c->line, "kind", STR("critical-path"));
	json_write_text(&c->line, "name", STR("critical path"));
	write_lane(c);
	json_write_text(&c->line, "assume", str_of(c->log.any_sync ? "recorded" : c->calls ? "calls" : "none"));
	json_write_int(&c->line, "total", n ? s->points[path[n - 1]].distance : 0);
	json_write_int(&c->line, "covered", covered);
	json_write_int(&c->line, "before", n ? int_sub(path_point_time(&c->log, path[0]), c->log.begin) : 0);
	json_write_int(&c->line, "points", (int64_t)n);
	json_write_int(&c->line, "without_cause", (int64_t)s->without_cause);
	for (i = 0; i < BOUNDS; i++)
		json_write_int(&c->line, bound_names[i], parts[i]);
	record_line_end(&c->line, &c->out);
}

static void write_path(struct critical_path *c, const struct path_search *s)
{
	uint32_t *path, point;
	size_t n = 0, i;

	for (point = s->last; point != PATH_NONE; point = s->points[point].from)
		n++;
	path = mem_alloc((n + 1) * sizeof *path);
	for (point = s->last, i = n; point != PATH_NONE; point = s->points[point].from)
		path[--i] = point;
	write_total(c, s, path, n);
	for (i = 1; i < n; i++)
		write_edge(c, s, path[i]);
	free(path);
}

/* Returns whether there is an answer; otherwise says why not. */
static bool can_answer(struct critical_path *c)
{
	if (!path_log_end(&c->log)) {
		warn("%" PRId64 " ranges match '%s' (--marker); the window needs %" PRId64, c->log.found,
		    c->marker_regex, c->log.last + 1);
	} else if (c->log.ranks.n > 1) {
		warn("records of several ranks; select one: filter-calls -w rank==0");
	} else if (!c->log.any_sync && !opt_given("assume")) {
		warn("no synchronisation records: when the host waited for the device is unknown; record with "
		     "experimental_config=torch.profiler._ExperimentalConfig(enable_cuda_sync_events=True), or guess: "
		     "--assume calls");
	} else {
		return true;
	}
	return false;
}

static void answer(struct critical_path *c)
{
	struct path_search s;

	if (!c->any)
		return;
	if (!can_answer(c)) {
		c->in.diagnostics.lost = true;
		return;
	}
	if (c->log.uncalled)
		note("%" PRIu64 " device %s no call in the trace and cannot be on the path", c->log.uncalled,
		    c->log.uncalled == 1 ? "record has" : "records have");
	path_search_run(&s, &c->log, c->calls && !c->log.any_sync);
	write_path(c, &s);
	path_search_free(&s);
}

int main(int argc, char **argv)
{
	struct critical_path c = {.in.times = INPUT_TIMED, .count = 1};
	const struct opt_table tables[] = {{options, &c, take_option}, KERNEL_NAMES_OPTION, INPUT_OPTIONS(&c.in), {0}};
	const uint32_t kinds = 1u << KIND_KERNEL | 1u << KIND_MEMCPY | 1u << KIND_MEMSET | 1u << KIND_SYNC |
			       1u << KIND_API | 1u << KIND_OP | 1u << KIND_RANGE | 1u << KIND_PYTHON;
	struct event e;
	char **operands;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	if (!c.log.marker && opt_given("skip count"))
		opt_needs(opt_given("skip count"), "--marker");
	c.log.first = c.skip;
	c.log.last = int_interval_end(c.skip, c.count - 1);
	kernel_names_option_read();
	input_uses_members(&c.in, kinds, INPUT_MEMBERS);
	input_uses_members(&c.in, 1u << KIND_SYNC, INPUT_MEMBERS | 1u << EVENT_ARGS);
	filter_open(&c.in, operands, &c.out);
	input_stop_on_signal();
	while (input_next(&c.in, &e)) {
		if (!event_has_time(&e) || event_get_kind(&e) >= KIND_N || !(kinds >> event_get_kind(&e) & 1) ||
		    !input_in_order(&c.in, e.ts))
			continue;
		c.any = true;
		path_log_add(&c.log, &e);
	}
	if (filter_in_order(&c.in, argv, operands)) {
		filter_hint_kinds(&c.in, kinds, c.any);
		answer(&c);
	}
	path_log_free(&c.log);
	name_match_free(&c.marker);
	name_match_free(&c.data_load);
	buf_free(&c.line);
	return filter_close(&c.in);
}
