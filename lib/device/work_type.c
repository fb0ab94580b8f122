#include "device/work_type.h"

enum work_type work_types_init(struct work_types *w, const char *const regex[WORK_N], struct fault *f)
{
	static const char *const defaults[WORK_N] = {
	    [WORK_COMM] = "^nccl|^hip|^hccl|ncclKernel",
	    [WORK_MEMORY] = "^(hip)?Memcpy|^(hip)?Memset|^dma",
	    [WORK_OTHER] = "Memcpy|Memset|dma|Sync([^B]|$)|^Stream Wait Event|cuda.*LaunchKernel|^runFunction|^job_exe|"
			   "^packet|^pe_exe|^cpum..|^collective..",
	};
	enum work_type type;

	for (type = WORK_COMM; type < WORK_N; type++) {
		if (!name_match_regex(&w->rules, regex[type] ? regex[type] : defaults[type], f))
			break;
	}
	return type;
}

enum work_type work_types_of(struct work_types *w, enum event_kind kind, struct event *e)
{
	size_t rule;

	if (kind == KIND_MEMCPY || kind == KIND_MEMSET)
		return WORK_MEMORY;
	if (kind != KIND_KERNEL)
		return WORK_OTHER;
	rule = name_match_first(&w->rules, event_get(e, EVENT_NAME));
	return rule == NAME_MATCH_NONE ? WORK_COMPUTE : (enum work_type)(WORK_COMM + rule);
}

const char *work_type_name(enum work_type type)
{
	static const char *const names[WORK_N] = {"COMPUTATION", "COMMUNICATION", "MEMORY", "OTHER"};

	return names[type];
}

void work_types_free(struct work_types *w)
{
	name_match_free(&w->rules);
}
