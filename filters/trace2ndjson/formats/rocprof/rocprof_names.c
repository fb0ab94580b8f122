#include "rocprof_row.h"

#include <stdlib.h>

void rocprof_names_put(struct rocprof_names *names, struct str id, struct str text)
{
	const size_t i = map_put(&names->ids, id);

	names->text_of = mem_grow(names->text_of, &names->cap, names->ids.n, sizeof *names->text_of);
	names->text_of[i] = map_put(&names->texts, text);
}

struct str rocprof_names_get(const struct rocprof_names *names, struct str id)
{
	const size_t i = map_find(&names->ids, id);

	return i == MAP_NONE ? (struct str){NULL, 0} : map_key(&names->texts, names->text_of[i]);
}

void rocprof_names_free(struct rocprof_names *names)
{
	map_free(&names->ids);
	map_free(&names->texts);
	free(names->text_of);
	*names = (struct rocprof_names){.cap = 0};
}
