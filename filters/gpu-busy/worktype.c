#include "worktype.h"

/* In the order they are asked; what none of them matches is computation. */
static const struct rule {
	enum worktype type;
	const char *option, *regex;
} rules[] = {
    {WORK_COMM, "--comm", "^nccl|^hip|^hccl|ncclKernel"},
    {WORK_MEMORY, "--memory", "^(hip)?Memcpy|^(hip)?Memset|^dma"},
    {WORK_OTHER, "--other",
	"Memcpy|Memset|dma|Sync|^Stream Wait Event|cuda.*LaunchKernel|^runFunction|^job_exe|^packet|^pe_exe|^cpum..|"
	"^collective.."},
};

void worktypes_ready(struct worktypes *w)
{
	size_t i;

	for (i = 0; i < sizeof rules / sizeof *rules; i++) {
		const char *regex = w->regex[rules[i].type];

		match_option(&w->rules, rules[i].option, regex ? regex : rules[i].regex);
	}
}

enum worktype worktypes_of(struct worktypes *w, enum event_kind kind, struct event *e)
{
	size_t rule;

	if (kind == KIND_MEMCPY || kind == KIND_MEMSET)
		return WORK_MEMORY;
	if (kind != KIND_KERNEL)
		return WORK_OTHER;
	rule = match_first(&w->rules, event_get(e, EVENT_NAME));
	return rule == MATCH_NONE ? WORK_COMPUTE : rules[rule].type;
}

const char *worktype_name(enum worktype type)
{
	static const char *const names[WORK_N] = {"COMPUTATION", "COMMUNICATION", "MEMORY", "OTHER"};

	return names[type];
}

void worktypes_free(struct worktypes *w)
{
	match_free(&w->rules);
}
