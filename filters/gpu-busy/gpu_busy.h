/* gpu_busy: the state of the program gpu-busy: its options, and the modules that compute the output. */
#ifndef GPU_BUSY_H
#define GPU_BUSY_H

#include "busy_time.h"
#include "busy_windows.h"
#include "program/filter.h"
#include "program/opt_value.h"
#include "counter_series.h"
#include "exposed_time.h"
#include "record/name_match.h"

/* The options without letters that select the output, and ORIGIN. */
enum { EVERY = 256, SETS, WITHIN, WHOLE, GAPS, QUEUE, BANDWIDTH, TYPES, EXPOSED, ORIGIN };

/* The arguments of --sets. */
enum gpu_busy_sets { SETS_TYPES, SETS_STREAMS };

struct gpu_busy {
	struct input in;
	struct out out;
	int mode;             /* letter of the option that selects the output; 0: the sums */
	char mode_option[32]; /* name of this option, as in struct opt_value; not set if mode is 0 */
	int level;            /* -g: index in group_names; -1: not given */
	/* the work */
	uint32_t kinds;            /* -k */
	const char *regex[WORK_N]; /* --comm, --memory-ops, --other */
	struct work_types *types;
	/* sums, --sets, --every, --gaps */
	int sets;                              /* --sets: index in set_names */
	bool has_origin;                       /* --origin is given */
	struct busy_time_options busy_options; /* min is -1 if --min is not given */
	struct busy_time *busy;
	/* --gaps --host */
	int host;            /* --host: index in host_names; -1: not given */
	uint32_t host_kinds; /* kinds of records that idle_host needs; 0 without --host */
	size_t memory;       /* --memory; SIZE_MAX: not given */
	struct idle_host *idle_host;
	/* --within, --whole */
	const char *regex_within;
	struct name_match within;
	uint32_t range_kinds; /* -r; 0 without --within */
	bool begun;           /* with --gaps: a range matched --within */
	struct busy_windows *windows;
	/* --exposed */
	struct field exposed_key;
	struct exposed_time *exposed;
	/* --queue, --bandwidth */
	int64_t horizon; /* --horizon; -1: not given */
	struct counter_series *series;
	struct buf type; /* the member that --types adds */
};

#define TOO_MANY "more than 1000000 slices in which no work starts; only the first one is written"

/* Takes an option that selects the output, or --origin. `arg` is the struct gpu_busy. */
void gpu_busy_take_option(void *arg, const struct opt_value *v);

/* To be called after all options were read: checks them, and prepares the modules that compute the output. */
void gpu_busy_init(struct gpu_busy *f);

/* At the end of the input: writes the results that depend on all records, and prints messages. */
void gpu_busy_end(struct gpu_busy *f);

#endif
