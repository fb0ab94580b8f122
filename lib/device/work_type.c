#include "device/work_type.h"

static bool add_rule(struct work_types *w, const char *regex, enum work_type type, struct fault *f)
{
	w->types[w->rules.n] = type;
	return name_match_regex(&w->rules, regex, f);
}

enum work_type work_types_init(struct work_types *w, const char *const regex[WORK_N], struct fault *f)
{
	enum work_type type;

	for (type = WORK_COMM; type < WORK_N; type++) {
		if (regex[type] && !add_rule(w, regex[type], type, f))
			return type;
	}
	w->n_given = w->rules.n;
	w->comm_given = regex[WORK_COMM];
	if (!regex[WORK_MEMORY])
		add_rule(w, "^(hip)?Memcpy|^(hip)?Memset|^dma", WORK_MEMORY, f);
	if (!regex[WORK_OTHER])
		add_rule(w,
		    "Memcpy|Memset|dma|Sync([^B]|$)|^Stream Wait Event|cuda.*LaunchKernel|^runFunction|^job_exe|"
		    "^packet|^pe_exe|^cpum..|^collective..",
		    WORK_OTHER, f);
	return type;
}

enum work_type work_types_of(struct work_types *w, enum event_kind kind, struct event *e)
{
	size_t rule = NAME_MATCH_NONE;
	enum kernel_class class;
	struct str name;

	if (kind == KIND_MEMCPY || kind == KIND_MEMSET)
		return WORK_MEMORY;
	if (kind != KIND_KERNEL)
		return WORK_OTHER;
	name = event_get(e, EVENT_NAME);
	if (w->n_given)
		rule = name_match_first(&w->rules, name);
	if (rule < w->n_given)
		return w->types[rule];
	class = kernel_names_find(name)->class;
	if (class == KERNEL_COMM)
		return w->comm_given ? WORK_COMPUTE : WORK_COMM;
	if (class == KERNEL_MEMORY || class == KERNEL_OTHER)
		rule = name_match_first(&w->rules, name);
	return rule == NAME_MATCH_NONE ? WORK_COMPUTE : w->types[rule];
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
