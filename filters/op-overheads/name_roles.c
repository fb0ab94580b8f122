#include "name_roles.h"

#include "base/mem.h"

#include <stdlib.h>

static bool is_hidden(struct str name)
{
	static const char *const hidden[] = {"\"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags\"",
	    "\"cudaPeakAtLastError\"", "\"cudaStreamGetCaptureInfo\"", "\"cudaEventQuery\"", "\"cudaEventRecord\"",
	    NULL};

	return str_in(name, hidden);
}

static bool is_module(struct str name)
{
	static const char *const modules[] = {"\"##", "\"__", "\"module::", "\"DLRM ", "\"DistributedDataParallel"};
	size_t i;

	for (i = 0; i < sizeof modules / sizeof *modules; i++) {
		if (str_starts(name, str_of(modules[i])))
			return true;
	}
	return false;
}

uint32_t name_roles_put(struct name_roles *r, struct str json)
{
	size_t known = r->cap, name;
	unsigned char *role;

	if (!json.n || json.p[0] != '"')
		json = STR("\"\"");
	name = value_ids_put(&r->ids, json);
	r->roles = mem_grow(r->roles, &r->cap, name + 1, 1);
	if (known < r->cap)
		memset(r->roles + known, 0, r->cap - known);
	role = &r->roles[name];
	if (*role)
		return (uint32_t)name;
	*role = NAME_ROLE_LOOKED;
	*role |= is_module(json) ? 0 : NAME_ROLE_OPERATOR;
	*role |= is_hidden(json) ? NAME_ROLE_HIDDEN : 0;
	*role |= name_match_first(r->launches, json) != NAME_MATCH_NONE ? NAME_ROLE_LAUNCH : 0;
	*role |= name_match_first(r->bounds, json) != NAME_MATCH_NONE ? NAME_ROLE_BOUND : 0;
	*role |= str_eq(json, STR("\"aten::to\"")) ? NAME_ROLE_CONVERSION : 0;
	return (uint32_t)name;
}

void name_roles_free(struct name_roles *r)
{
	value_ids_free(&r->ids);
	free(r->roles);
}
