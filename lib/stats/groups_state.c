#include "stats/groups_state.h"

#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"
#include "stats/groups_private.h"

/* --- keys that were requested --- */

void groups_ask_write(const struct groups *g, struct buf *object)
{
	size_t i;

	json_write_begin(object, "keys", '[');
	for (i = 0; i < g->n_keys; i++)
		json_write_text(object, NULL, str_of(g->keys[i].spec));
	json_write_end(object, ']');
	json_write_begin(object, "subtotals", '[');
	for (i = 0; i < g->n_keys; i++) {
		if (g->keys[i].subtotal)
			json_write_text(object, NULL, str_of(g->keys[i].spec));
	}
	json_write_end(object, ']');
}

static bool add_key(struct groups *g, struct str spec)
{
	struct fault fault;

	return groups_add_key(g, spec, &fault);
}

/* Calls `add` with each string of an array. Returns false when this fails or the array contains anything else. */
static bool read_strings(struct groups *g, struct str array, bool (*add)(struct groups *g, struct str spec))
{
	struct buf text = {0};
	struct str json, name;
	struct iter w;
	bool good = iter_array(&w, array);

	while (good && iter_element(&w, &json))
		good = json_name(&text, json, &name) && add(g, name);
	buf_free(&text);
	return good;
}

bool groups_ask_read(struct groups *g, struct str keys, struct str subtotals)
{
	return read_strings(g, keys, add_key) && read_strings(g, subtotals, groups_subtotal);
}

/* --- the keys of a group --- */

void groups_key_write(const struct groups *g, size_t group, struct buf *object)
{
	const size_t n = groups_count_keys(g, group);
	struct value v;
	size_t i;

	json_write_begin(object, "key", '[');
	for (i = 0; i < n; i++) {
		groups_key(g, group, i, &v);
		json_write_json(object, NULL, v.type == VALUE_NONE ? STR("null") : v.text);
	}
	json_write_end(object, ']');
}

size_t groups_key_read(struct groups *g, struct str array)
{
	struct str json;
	struct iter w;
	size_t n = 0, i, group;

	if (!iter_array(&w, array))
		return GROUPS_NONE;
	while (iter_element(&w, &json)) {
		if (n == g->n_keys)
			return GROUPS_NONE;
		g->tuple[n] = (uint32_t)value_ids_put(&g->keys[n].values, str_eq(json, STR("null")) ? STR("") : json);
		n++;
	}
	if (n < g->n_keys && (!n || !g->keys[n - 1].subtotal))
		return GROUPS_NONE;
	for (i = n; i < g->n_keys; i++)
		g->tuple[i] = GROUPS_ANY;
	if (g->n_keys == 1)
		group = g->tuple[0]; /* the id of the value is the number of the group */
	else
		group = map_put(&g->tuples, (struct str){(const char *)g->tuple, g->n_keys * sizeof *g->tuple});
	if (group >= g->n)
		g->n = group + 1;
	return group;
}
