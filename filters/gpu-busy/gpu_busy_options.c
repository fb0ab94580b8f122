/* gpu_busy_options: takes the options of gpu-busy that select its output, and prepares the modules that compute it. */
#include "program/opt_record.h"
#include "gpu_busy.h"

#include <string.h>

/* For each argument of --host: the kinds of records that it selects. */
static const uint32_t host_kinds[] = {1u << KIND_OP | 1u << KIND_API, 1u << KIND_API, 0};

/* Takes the field of --exposed. */
static void take_key(struct gpu_busy *f, const struct opt_value *v)
{
	field_free(&f->exposed_key);
	opt_field(&f->exposed_key, v->option, v->text);
	if (str_in(str_of(f->exposed_key.spec), (const char *const[]){"ts", "dur", "kind", "count", "share", NULL}))
		opt_invalid(v->option, str_of(v->text), "a field other than ts, dur, kind, count and share");
}

void gpu_busy_take_option(void *arg, const struct opt_value *v)
{
	struct gpu_busy *f = arg;

	if (v->opt->letter == WITHIN) {
		f->regex_within = v->text;
		opt_name_regex(&f->within, v->option, v->text);
		return;
	}
	if (v->opt->letter == ORIGIN) {
		f->busy_options.origin = v->number;
		f->has_origin = true;
		return;
	}
	if (f->mode && f->mode != v->opt->letter)
		opt_excluded(f->mode_option, v->option);
	memcpy(f->mode_option, v->option, sizeof f->mode_option);
	f->mode = v->opt->letter;
	if (f->mode == EVERY)
		f->busy_options.slice = v->number;
	if (f->mode == SETS)
		f->sets = (int)v->number;
	if (f->mode == EXPOSED)
		take_key(f, v);
}

/* Ends the program if an option is given without the option that it belongs to; sets the defaults of the others. */
static void set_defaults(struct gpu_busy *f)
{
	if (f->memory != SIZE_MAX && f->host < 0)
		opt_needs("--memory", "--host");
	if (f->busy_options.min >= 0 && f->mode != GAPS)
		opt_needs("--min", "--gaps");
	if (f->horizon >= 0 && f->mode != QUEUE)
		opt_needs("--horizon", "--queue");
	if (f->memory == SIZE_MAX)
		f->memory = 64 << 20;
	if (f->busy_options.min < 0)
		f->busy_options.min = 1;
	if (f->horizon < 0)
		f->horizon = 10000000000;
}

void gpu_busy_init(struct gpu_busy *f)
{
	struct places places = {.members = {EVENT_RANK, EVENT_DEV, EVENT_STREAM}};

	if (!f->kinds)
		f->kinds = 1u << KIND_KERNEL | 1u << KIND_MEMCPY | 1u << KIND_MEMSET;
	if (f->mode == BANDWIDTH)
		f->kinds &= 1u << KIND_MEMCPY | 1u << KIND_MEMSET;
	if (f->regex_within && f->mode && f->mode != GAPS)
		opt_excluded("--within", f->mode_option);
	if (f->regex_within && !f->mode)
		f->mode = WITHIN;
	if (f->range_kinds && !f->regex_within)
		opt_needs("-r", "--within");
	if (f->regex_within && !f->range_kinds)
		f->range_kinds = 1u << KIND_RANGE;
	f->types = work_types_new(f->regex);
	f->busy_options.gaps = f->mode == GAPS;
	f->busy_options.begins = f->mode == GAPS && f->regex_within;
	if (f->has_origin && f->mode != EVERY)
		opt_needs("--origin", "--every");
	if (f->host >= 0 && f->mode != GAPS)
		opt_needs("--host", "--gaps");
	set_defaults(f);
	if (f->host >= 0) {
		f->busy_options.host = f->idle_host = idle_host_new(f->memory);
		f->host_kinds = host_kinds[f->host] | 1u << KIND_RANGE;
	}
	places.n_members = f->level >= 0 ? (size_t)f->level + 1 : 2;
	f->busy = busy_time_new(&f->busy_options, &places, f->types, &f->out);
	if (f->mode == WITHIN || f->mode == WHOLE)
		f->windows = busy_windows_new(&places, f->busy_options.wait, f->mode == WHOLE, f->types, &f->out);
	if (f->mode == EXPOSED)
		f->exposed = exposed_time_new(&places, &f->exposed_key, f->types, &f->out);
	places.n_members = f->level >= 0 ? (size_t)f->level + 1 : 3;
	if (f->mode == BANDWIDTH)
		places.members[2] = EVENT_NAME;
	f->series = counter_series_new(
	    &places, f->mode == QUEUE ? STR("\"queue\"") : (struct str){NULL, 0}, f->horizon, &f->out);
}
