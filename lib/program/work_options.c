#include "program/work_options.h"

#include "program/opt_fields.h"

#include <inttypes.h>
#include <stdio.h>

const char *const work_per_names[] = {"all", "dev", "stream", NULL};

#define TO(member) OPT_TO(struct work_options, member)

const struct opt work_option_rows[] = {
    {0, "per", OPT_CHOICE("all|dev|stream", work_per_names), TO(per),
	"measure each rank (all), device (dev, default) or stream"},
    {'k', "kind", OPT_SET("KIND,...", event_kind_names), TO(kinds),
	"count device records of these kinds as work\n"
	"(default kernel,memcpy,memset)"},
    {0},
};

const struct opt work_type_option_rows[] = {
    {0, "comm", OPT_TEXT("REGEX"), TO(regex[WORK_COMM]), "count kernels with matching names as communication"},
    {0, "memory-ops", OPT_TEXT("REGEX"), TO(regex[WORK_MEMORY]),
	"count kernels with matching names as memory operations"},
    {0, "other", OPT_TEXT("REGEX"), TO(regex[WORK_OTHER]),
	"count kernels with matching names as other work, not as computation"},
    {0},
};

uint32_t work_options_kinds(const struct work_options *o)
{
	return o->kinds ? o->kinds : 1u << KIND_KERNEL | 1u << KIND_MEMCPY | 1u << KIND_MEMSET;
}

bool work_options_take_kind(const struct work_options *o, enum event_kind kind)
{
	return kind != KIND_N && work_options_kinds(o) >> kind & 1;
}

struct places work_options_places(const struct work_options *o)
{
	return (struct places){.members = {EVENT_RANK, EVENT_DEV, EVENT_STREAM}, .n_members = (size_t)o->per + 1};
}

void work_options_types(const struct work_options *o, struct work_types *types)
{
	static const char *const names[WORK_N] = {
	    [WORK_COMM] = "--comm", [WORK_MEMORY] = "--memory-ops", [WORK_OTHER] = "--other"};
	struct fault fault;
	const enum work_type wrong = work_types_init(types, o->regex, &fault);

	kernel_names_option_read();
	if (wrong != WORK_N)
		opt_regex_refused(names[wrong], o->regex[wrong], &fault);
}

const char *work_options_join_hint(const char *options)
{
	static char hint[160];

	if (strcmp(err_command(), err_prog()) == 0)
		snprintf(hint, sizeof hint, "; run: ... | ts-sort | corr-join --sorted --lead 250ms | %s%s", err_prog(),
		    options);
	return hint;
}

void work_options_report_idle(const struct idle_counts *counts)
{
	if (counts->causeless)
		note("%" PRIu64
		     " idle intervals end with work that has no call (api); their causes are guessed from their "
		     "lengths%s",
		    counts->causeless, work_options_join_hint(""));
	if (counts->early)
		warn("%" PRIu64
		     " idle intervals end with work that starts before its call (clocks disagree); host_wait may "
		     "not be their cause",
		    counts->early);
}
