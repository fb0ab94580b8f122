#include "work_type.h"

#include "base/mem.h"
#include "program/opt_record.h"

#include <stdlib.h>

/* Rules in the order in which they are tried; names that no rule matches are computation. */
static const struct work_type_rule {
	enum work_type type;
	const char *option, *regex;
} rules[] = {
    {WORK_COMM, "--comm", "^nccl|^hip|^hccl|ncclKernel"},
    {WORK_MEMORY, "--memory-ops", "^(hip)?Memcpy|^(hip)?Memset|^dma"},
    {WORK_OTHER, "--other",
	"Memcpy|Memset|dma|Sync|^Stream Wait Event|cuda.*LaunchKernel|^runFunction|^job_exe|^packet|^pe_exe|^cpum..|"
	"^collective.."},
};

struct work_types {
	struct name_match rules;
};

struct work_types *work_types_new(const char *const regex[WORK_N])
{
	struct work_types *w = mem_zero(1, sizeof *w);
	size_t i;

	for (i = 0; i < sizeof rules / sizeof *rules; i++) {
		const char *own = regex[rules[i].type];

		opt_name_regex(&w->rules, rules[i].option, own ? own : rules[i].regex);
	}
	return w;
}

enum work_type work_types_of(struct work_types *w, enum event_kind kind, struct event *e)
{
	size_t rule;

	if (kind == KIND_MEMCPY || kind == KIND_MEMSET)
		return WORK_MEMORY;
	if (kind != KIND_KERNEL)
		return WORK_OTHER;
	rule = name_match_first(&w->rules, event_get(e, EVENT_NAME));
	return rule == NAME_MATCH_NONE ? WORK_COMPUTE : rules[rule].type;
}

const char *work_type_name(enum work_type type)
{
	static const char *const names[WORK_N] = {"COMPUTATION", "COMMUNICATION", "MEMORY", "OTHER"};

	return names[type];
}

void work_types_free(struct work_types *w)
{
	name_match_free(&w->rules);
	free(w);
}
