#include "rocprof_row.h"

#include "base/char_class.h"

static const struct rocprof_agent *find_node(const struct rocprof_agents *a, int64_t node)
{
	size_t i;

	for (i = 0; i < a->n; i++) {
		if (a->agent[i].node == node)
			return &a->agent[i];
	}
	return NULL;
}

void rocprof_agents_put(struct rocprof_agents *a, struct rocprof_agent agent)
{
	const struct rocprof_agent *old = find_node(a, agent.node);

	if (old)
		a->agent[old - a->agent] = agent;
	else if (a->n < ROCPROF_AGENTS_MAX)
		a->agent[a->n++] = agent;
}

int64_t rocprof_agents_count(const struct rocprof_agents *a, bool gpu, int64_t node)
{
	int64_t n = 0;
	size_t i;

	for (i = 0; i < a->n; i++)
		n += a->agent[i].gpu == gpu && a->agent[i].node != node;
	return n;
}

static struct rocprof_place place_of(const struct rocprof_agent *agent)
{
	return (struct rocprof_place){true, true, agent->gpu, agent->node, agent->index};
}

struct rocprof_place rocprof_agents_by_handle(const struct rocprof_agents *a, int64_t handle)
{
	size_t i;

	for (i = 0; i < a->n; i++) {
		if (a->agent[i].handle == handle)
			return place_of(&a->agent[i]);
	}
	return (struct rocprof_place){.known = false};
}

/*
 * The number of "Agent N" counts the agents that the process can use, unless the tool ran with --agent-index=absolute;
 * then it is the node.
 */
static const struct rocprof_agent *find_number(const struct rocprof_agents *a, int64_t number)
{
	size_t i;

	for (i = 0; i < a->n; i++) {
		if (a->agent[i].logical == number)
			return &a->agent[i];
	}
	return find_node(a, number);
}

static const struct rocprof_agent *find_index(const struct rocprof_agents *a, bool gpu, int64_t index)
{
	size_t i;

	for (i = 0; i < a->n; i++) {
		if (a->agent[i].gpu == gpu && a->agent[i].index == index)
			return &a->agent[i];
	}
	return NULL;
}

struct rocprof_place rocprof_agents_by_label(const struct rocprof_agents *a, struct str label)
{
	const bool gpu = str_starts(label, STR("GPU")), cpu = str_starts(label, STR("CPU"));
	const struct rocprof_agent *agent;
	size_t digits = label.n;
	int64_t number;

	while (digits && is_digit(label.p[digits - 1]))
		digits--;
	if (!rocprof_whole(str_from(label, digits), &number))
		return (struct rocprof_place){.known = false};
	agent = gpu || cpu ? find_index(a, gpu, number) : find_number(a, number);
	if (agent)
		return place_of(agent);
	return (struct rocprof_place){.known = gpu || cpu, .has_node = !gpu && !cpu, !cpu, number, number};
}
