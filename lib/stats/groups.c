#include "stats/groups_private.h"

#include "base/num_format.h"

#include <stdlib.h>

/* --- keys --- */

static struct groups_key *add_key(struct groups *g)
{
	g->keys = mem_grow(g->keys, &g->keys_cap, g->n_keys + 1, sizeof *g->keys);
	g->keys[g->n_keys] = (struct groups_key){.spec = NULL};
	g->tuple = mem_resize(g->tuple, g->n_keys + 1, sizeof *g->tuple);
	return &g->keys[g->n_keys++];
}

static bool has_key(const struct groups *g, struct str spec)
{
	size_t i;

	for (i = 0; i < g->n_keys; i++) {
		if (str_eq(spec, str_of(g->keys[i].spec)))
			return true;
	}
	return false;
}

bool groups_add_key(struct groups *g, struct str spec, struct fault *fault)
{
	struct groups_key *key;

	if (has_key(g, spec))
		return true;
	key = add_key(g);
	key->spec = str_dup(spec);
	if (!field_compile(&key->field, key->spec, fault)) {
		free(key->spec);
		g->n_keys--;
		return false;
	}
	g->each |= key->field.each;
	return true;
}

void groups_cycle(struct groups *g, uint64_t length)
{
	size_t i;

	g->cycle = length;
	for (i = 0; i < g->n_keys; i++) {
		if (!str_eq(str_of(g->keys[i].spec), STR("cycle")))
			continue;
		field_free(&g->keys[i].field);
		free(g->keys[i].spec);
		g->keys[i] = (struct groups_key){.spec = NULL};
		return;
	}
	add_key(g);
}

struct field *groups_key_field(const struct groups *g, size_t key)
{
	return g->keys[key].spec ? &g->keys[key].field : NULL;
}

const char *groups_key_name(const struct groups *g, size_t key)
{
	if (key >= g->n_keys)
		return NULL;
	return g->keys[key].spec ? g->keys[key].field.spec : "cycle";
}

/* --- a record's groups --- */

static void add_now(struct groups_key *key, struct str text)
{
	key->now = mem_grow(key->now, &key->cap, key->n + 1, sizeof *key->now);
	key->now[key->n++] = (uint32_t)value_ids_put(&key->values, text);
}

/* Stores all values of a key in a record. If the record has no value, stores an empty text. */
static void gather(const struct groups *g, struct groups_key *key, struct event *e)
{
	char text[NUM_ROOM];
	struct value v;

	key->n = 0;
	if (!key->spec) {
		add_now(key, (struct str){text, (size_t)(num_put_u64(text, g->records % g->cycle) - text)});
		return;
	}
	while (field_get(&key->field, e, key->n, &v)) {
		add_now(key, v.text);
		if (!key->field.each)
			return;
	}
	if (!key->n)
		add_now(key, STR(""));
}

static void add_found(struct groups *g, size_t group)
{
	if (group >= g->n)
		g->n = group + 1;
	if (g->each) {
		/* If the values of a key are ["a","b","a"], the record is in the group of "a" only once. */
		size_t before = g->last_cap;

		g->last = mem_grow(g->last, &g->last_cap, group + 1, sizeof *g->last);
		memset(g->last + before, 0, (g->last_cap - before) * sizeof *g->last);
		if (g->last[group] == g->records + 1)
			return;
		g->last[group] = g->records + 1;
	}
	g->found = mem_grow(g->found, &g->found_cap, g->n_found + 1, sizeof *g->found);
	g->found[g->n_found++] = (uint32_t)group;
}

static void add_tuple(struct groups *g)
{
	add_found(g, map_put(&g->tuples, (struct str){(const char *)g->tuple, g->n_keys * sizeof *g->tuple}));
}

/* Adds the record to the subtotal of all records with the same values of the first n keys. */
static void add_subtotal(struct groups *g, size_t n)
{
	size_t i;

	for (i = n; i < g->n_keys; i++)
		g->tuple[i] = GROUPS_ANY;
	add_tuple(g);
}

/*
 * Combines the values of the key with the index `key` and of all later keys, and adds the group of each combination.
 * g->tuple holds one value of each preceding key.
 */
static void combine(struct groups *g, size_t key)
{
	size_t i;

	if (key == g->n_keys) {
		add_tuple(g);
		return;
	}
	if (key && g->keys[key - 1].subtotal)
		add_subtotal(g, key);
	for (i = 0; i < g->keys[key].n; i++) {
		g->tuple[key] = g->keys[key].now[i];
		combine(g, key + 1);
	}
}

/* Handles the usual case, one key with one value, without lists. */
static size_t one_group(struct groups *g, struct event *e, const uint32_t **found)
{
	struct groups_key *key = &g->keys[0];
	struct value v;
	size_t group;

	field_get(&key->field, e, 0, &v);
	group = value_ids_put(&key->values, v.type == VALUE_NONE ? STR("") : v.text);
	if (group >= g->n)
		g->n = group + 1;
	g->tuple[0] = (uint32_t)group;
	g->records++;
	*found = g->tuple;
	return 1;
}

size_t groups_of(struct groups *g, struct event *e, const uint32_t **found)
{
	size_t i;

	if (g->n_keys == 1 && g->keys[0].spec && !g->each)
		return one_group(g, e, found);
	g->n_found = 0;
	for (i = 0; i < g->n_keys; i++)
		gather(g, &g->keys[i], e);
	if (g->n_keys == 1) {
		/* The id of the value is the number of the group. */
		for (i = 0; i < g->keys[0].n; i++)
			add_found(g, g->keys[0].now[i]);
	} else {
		combine(g, 0);
	}
	g->records++;
	*found = g->found;
	return g->n_found;
}

void groups_key(const struct groups *g, size_t group, size_t key, struct value *v)
{
	uint32_t value = (uint32_t)group;

	if (g->n_keys > 1)
		memcpy(&value, map_key(&g->tuples, group).p + key * sizeof value, sizeof value);
	if (value == GROUPS_ANY)
		*v = (struct value){.type = VALUE_NONE};
	else
		value_of(v, value_ids_text(&g->keys[key].values, value));
}

bool groups_subtotal(struct groups *g, struct str name)
{
	size_t i;

	for (i = 0; i + 1 < g->n_keys; i++) {
		if (!str_eq(name, str_of(g->keys[i].spec)))
			continue;
		g->n_subtotals += !g->keys[i].subtotal;
		g->keys[i].subtotal = true;
		return true;
	}
	return false;
}

/* --- as rows --- */

void groups_columns(
    const struct groups *g, struct table *t, const struct report_source *source, const struct field_units *given)
{
	struct column_type type;
	const char *name;
	size_t i;

	for (i = 0; (name = groups_key_name(g, i)); i++) {
		type = column_type(str_of(name), source, given);
		table_none(t, table_column_of(t, str_of(name), &type), "(none)");
	}
}

void groups_cells(const struct groups *g, struct table *t, size_t group)
{
	struct value v;
	size_t i;

	for (i = 0; i < g->n_keys; i++) {
		groups_key(g, group, i, &v);
		table_set(t, i, &v);
	}
}

void groups_cells_other(const struct groups *g, struct table *t)
{
	const struct value other = {.type = VALUE_STRING, .text = STR("\"(other)\"")};
	const struct value empty = {.type = VALUE_STRING, .text = STR("\"\"")};
	size_t i;

	for (i = 0; i < g->n_keys; i++)
		table_set(t, i, i ? &empty : &other);
}

struct column_type groups_column_type(
    const struct aggregate_set *a, size_t column, const struct report_source *source, const struct field_units *given)
{
	const size_t n = strlen(aggregate_column_name(a, column));
	struct column_type type = {COLUMN_ANY, NULL, n, n, n};
	enum aggregate_unit unit = aggregate_unit(a, column);

	if (unit == AGGREGATE_OTHER)
		return type;
	if (unit == AGGREGATE_FRACTION) {
		type.kind = COLUMN_SHARE;
		return type;
	}
	type = column_type(str_of(aggregate_column_field(a, column)->spec), source, given);
	if (unit == AGGREGATE_DISTANCE && type.kind == COLUMN_STAMP)
		type.kind = COLUMN_TIME;
	return type;
}

bool groups_result(struct table *t, size_t cell, const struct aggregate_set *a, size_t column, size_t group)
{
	struct aggregate_scale scale;
	struct aggregate_result r;
	struct value v;

	table_scale_of(t, cell, &scale.times, &scale.over);
	aggregate_result(a, column, group, scale, &r);
	if (r.type == AGGREGATE_TEXT) {
		value_of(&v, r.text);
		table_set(t, cell, &v);
	} else if (r.type == AGGREGATE_NUMBER && r.approx) {
		table_set_approx(t, cell, number_double(&r.number));
	} else if (r.type == AGGREGATE_NUMBER && r.number.whole) {
		table_set_int(t, cell, r.number.i);
	} else if (r.type == AGGREGATE_NUMBER) {
		table_set_scaled(t, cell, r.number.d);
	}
	return !r.huge;
}

void groups_free(struct groups *g)
{
	size_t i;

	for (i = 0; i < g->n_keys; i++) {
		if (g->keys[i].spec)
			field_free(&g->keys[i].field);
		free(g->keys[i].spec);
		free(g->keys[i].now);
		value_ids_free(&g->keys[i].values);
	}
	free(g->keys);
	free(g->tuple);
	free(g->found);
	free(g->last);
	map_free(&g->tuples);
	*g = (struct groups){0};
}
