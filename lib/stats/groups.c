#include "stats/groups.h"

#include "base/num_format.h"
#include "base/order.h"
#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"
#include "record/value_ids.h"

#include <stdlib.h>

struct groups_key {
	struct field field;
	char *spec;    /* text of the key; NULL for the key `cycle` */
	bool subtotal; /* there are subtotals for this key */
	struct value_ids values;
	uint32_t *now; /* ids of the key's values in the current record */
	size_t n, cap;
};

#define GROUPS_ANY UINT32_MAX /* in the tuple of a subtotal: the id for each key that the subtotal lacks */

/* --- keys --- */

static struct groups_key *add_key(struct groups *g)
{
	g->keys = mem_grow(g->keys, &g->keys_cap, g->n_keys + 1, sizeof *g->keys);
	g->keys[g->n_keys] = (struct groups_key){.spec = NULL};
	g->tuple = mem_resize(g->tuple, g->n_keys + 1, sizeof *g->tuple);
	return &g->keys[g->n_keys++];
}

/* Returns the index of the key with this text; n_keys if no key has it. To be called before groups_cycle(). */
static size_t key_of_spec(const struct groups *g, struct str spec)
{
	size_t i;

	for (i = 0; i < g->n_keys && !str_eq(spec, str_of(g->keys[i].spec)); i++)
		;
	return i;
}

bool groups_add_key(struct groups *g, struct str spec, struct fault *fault)
{
	struct groups_key *key;

	if (key_of_spec(g, spec) < g->n_keys)
		return true;
	key = add_key(g);
	key->spec = str_dup(spec);
	if (!field_compile(&key->field, str_of(key->spec), fault)) {
		free(key->spec);
		g->n_keys--;
		return false;
	}
	g->each |= key->field.each;
	return true;
}

void groups_cycle(struct groups *g, uint64_t length)
{
	const size_t i = key_of_spec(g, STR("cycle"));

	g->cycle = length;
	if (i == g->n_keys) {
		add_key(g);
		return;
	}
	field_free(&g->keys[i].field);
	free(g->keys[i].spec);
	g->keys[i] = (struct groups_key){.spec = NULL};
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
	char number[NUM_ROOM];
	struct str text;

	key->n = 0;
	if (!key->spec) {
		add_now(key, (struct str){number, (size_t)(num_put_u64(number, g->records % g->cycle) - number)});
		return;
	}
	while (field_get_text(&key->field, e, key->n, &text)) {
		add_now(key, text);
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
		g->last = mem_grow_zero(g->last, &g->last_cap, group + 1, sizeof *g->last);
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
	if (key && g->keys[key - 1].subtotal) { /* of all records with the same values of the preceding keys */
		for (i = key; i < g->n_keys; i++)
			g->tuple[i] = GROUPS_ANY;
		add_tuple(g);
	}
	for (i = 0; i < g->keys[key].n; i++) {
		g->tuple[key] = g->keys[key].now[i];
		combine(g, key + 1);
	}
}

size_t groups_of(struct groups *g, struct event *e, const uint32_t **found)
{
	struct groups_key *key = g->keys;
	struct str text;
	size_t i;

	if (g->n_keys == 1 && key->spec && !g->each) { /* the usual case */
		if (!field_get_text(&key->field, e, 0, &text))
			text = STR("");
		g->tuple[0] = (uint32_t)value_ids_put(&key->values, text);
		if (g->tuple[0] >= g->n)
			g->n = (size_t)g->tuple[0] + 1;
		g->records++;
		*found = g->tuple;
		return 1;
	}
	g->n_found = 0;
	for (i = 0; i < g->n_keys; i++)
		gather(g, &g->keys[i], e);
	if (g->n_keys == 1) {
		/* The id of the value is the number of the group. */
		for (i = 0; i < key->n; i++)
			add_found(g, key->now[i]);
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
	const size_t i = key_of_spec(g, name);

	if (i + 1 >= g->n_keys)
		return false;
	g->n_subtotals += !g->keys[i].subtotal;
	g->keys[i].subtotal = true;
	return true;
}

/* --- subtotals --- */

/* Returns how many keys a group has: all of them, unless it is a subtotal. */
static size_t count_keys(const struct groups *g, size_t group)
{
	size_t n = g->n_keys;
	uint32_t id;

	for (; g->n_subtotals; n--) {
		memcpy(&id, map_key(&g->tuples, group).p + (n - 1) * sizeof id, sizeof id);
		if (id != GROUPS_ANY)
			break;
	}
	return n;
}

size_t groups_level(const struct groups *g, size_t group)
{
	size_t level = 1, n, i;

	if (!g->n_subtotals)
		return level;
	n = count_keys(g, group);
	for (i = 0; i + 1 < n; i++)
		level += g->keys[i].subtotal;
	return level;
}

bool groups_parent(const struct groups *g, size_t group, size_t *parent)
{
	const struct str text = {(const char *)g->tuple, g->n_keys * sizeof *g->tuple};
	size_t n = 0, i;

	if (g->n_subtotals) {
		for (n = count_keys(g, group) - 1; n && !g->keys[n - 1].subtotal;)
			n--;
	}
	*parent = GROUPS_NONE;
	if (!n)
		return true;
	memcpy(g->tuple, map_key(&g->tuples, group).p, text.n);
	for (i = n; i < g->n_keys; i++)
		g->tuple[i] = GROUPS_ANY;
	*parent = map_find(&g->tuples, text);
	return *parent != GROUPS_NONE;
}

size_t *groups_parents(const struct groups *g)
{
	size_t *parents, i;

	if (!g->n_subtotals)
		return NULL;
	parents = mem_zero(g->n, sizeof *parents);
	for (i = 0; i < g->n; i++)
		groups_parent(g, i, &parents[i]);
	return parents;
}

/* --- order --- */

/* Compares the values of a key. Equal numbers that are different keys are ordered by their texts. */
static int compare_key(const struct groups *g, size_t a, size_t b, size_t key)
{
	struct value left, right;
	int order;

	groups_key(g, a, key, &left);
	groups_key(g, b, key, &right);
	order = value_rank(&left) - value_rank(&right);
	if (!order && value_rank(&left) == 0)
		order = value_compare_numbers(&left, &right);
	return order ? order : str_cmp(left.text, right.text);
}

static int compare_keys(const struct groups *g, size_t a, size_t b)
{
	size_t key;
	int c = 0;

	for (key = 0; key < g->n_keys && !c; key++)
		c = compare_key(g, a, b, key);
	return c;
}

/* Compares groups by their keys, and groups with equal keys by the number of their keys. */
static int compare_all_keys(const void *arg, size_t a, size_t b)
{
	const struct groups *g = arg;
	const size_t n_a = count_keys(g, a), n_b = count_keys(g, b);
	const int c = compare_keys(g, a, b);

	return c ? c : (n_a < n_b) - (n_a > n_b);
}

size_t *groups_sort_keys(const struct groups *g)
{
	return order_sort(g->n, compare_all_keys, g);
}

/* The data of a group that determine its position. */
struct ordered {
	struct aggregate_result result;
	uint64_t records; /* number of records; 0 if the order does not depend on it */
};

struct ordering {
	const struct groups *groups;
	struct groups_order order;
	struct ordered *list;  /* by group */
	const size_t *parents; /* by group; NULL if there are no subtotals */
};

static int compare_groups(const void *arg, size_t a, size_t b)
{
	static const int rank[] = {[AGGREGATE_NUMBER] = 0, [AGGREGATE_TEXT] = 1, [AGGREGATE_ABSENT] = 2};
	const struct ordering *by = arg;
	const struct ordered *left = &by->list[a], *right = &by->list[b];
	int c;

	if (by->order.by == GROUPS_BY_KEY)
		c = compare_key(by->groups, a, b, by->order.which);
	else if (left->result.type != right->result.type)
		c = rank[left->result.type] - rank[right->result.type];
	else if (left->result.type == AGGREGATE_NUMBER)
		c = number_compare(&right->result.number, &left->result.number);
	else
		c = str_cmp(left->result.text, right->result.text);
	if (!c)
		c = (left->records < right->records) - (left->records > right->records);
	return c ? c : compare_keys(by->groups, a, b);
}

/*
 * Compares groups when there are subtotals. A subtotal precedes its own groups. Other groups are compared by their
 * ancestors directly below the smallest subtotal that contains both.
 */
static int compare_rows(const void *arg, size_t a, size_t b)
{
	const struct ordering *by = arg;
	const size_t level_a = groups_level(by->groups, a), level_b = groups_level(by->groups, b);
	size_t i;

	for (i = level_b; i < level_a; i++)
		a = by->parents[a];
	for (i = level_a; i < level_b; i++)
		b = by->parents[b];
	if (a == b)
		return (level_a > level_b) - (level_a < level_b);
	while (by->parents[a] != by->parents[b]) {
		a = by->parents[a];
		b = by->parents[b];
	}
	return compare_groups(arg, a, b);
}

size_t *groups_sort(
    const struct groups *g, const struct aggregate_set *a, struct groups_order order, const size_t *parents)
{
	const struct ordering by = {g, order, mem_zero(g->n, sizeof *by.list), parents};
	size_t *numbers, i;

	for (i = 0; i < g->n; i++) {
		if (order.by == GROUPS_BY_RESULT)
			aggregate_result(a, order.which, i, (struct aggregate_scale){1, 1}, &by.list[i].result);
		if (order.by == GROUPS_BY_RECORDS || order.then_records)
			by.list[i].records = aggregate_records(a, i);
	}
	numbers = order_sort(g->n, parents ? compare_rows : compare_groups, &by);
	free(by.list);
	return numbers;
}

/* --- as rows --- */

void groups_columns(
    const struct groups *g, struct table *t, const struct source_kind *source, const struct field_units *given)
{
	struct column_meaning meaning;
	const char *name;
	size_t i;

	for (i = 0; (name = groups_key_name(g, i)); i++) {
		meaning = column_meaning_of(str_of(name), source, given);
		table_none(t, table_column_of(t, str_of(name), &meaning), "(none)");
	}
}

void groups_cells(const struct groups *g, struct table *t, size_t group, bool human)
{
	const size_t n = group == GROUPS_NONE ? 0 : human ? count_keys(g, group) : g->n_keys;
	struct value v;
	size_t i;

	for (i = 0; i < n; i++) {
		groups_key(g, group, i, &v);
		table_set(t, i, &v);
	}
	for (; i < g->n_keys; i++)
		table_set_json(t, i, i || group != GROUPS_NONE ? STR("\"\"") : STR("\"(other)\""));
}

struct column_meaning groups_column_meaning(
    const struct aggregate_set *a, size_t column, const struct source_kind *source, const struct field_units *given)
{
	const struct aggregate_column *c = &a->columns[column];
	const enum aggregate_unit unit = c->function->unit;
	const size_t n = strlen(c->name);
	struct column_meaning meaning = {COLUMN_ANY, NULL, n, n, n};

	if (unit == AGGREGATE_OTHER)
		return meaning;
	if (unit == AGGREGATE_FRACTION) {
		meaning.kind = COLUMN_SHARE;
		return meaning;
	}
	meaning = column_meaning_of(str_of(aggregate_field_at(a, c->field)->spec), source, given);
	if (unit == AGGREGATE_DISTANCE && meaning.kind == COLUMN_STAMP)
		meaning.kind = COLUMN_TIME;
	return meaning;
}

bool groups_result(struct table *t, size_t cell, const struct aggregate_set *a, size_t column, size_t group)
{
	struct aggregate_scale scale;
	struct aggregate_result r;

	table_scale_of(t, cell, &scale.times, &scale.over);
	aggregate_result(a, column, group, scale, &r);
	if (r.type == AGGREGATE_TEXT)
		table_set_json(t, cell, r.text);
	else if (r.type == AGGREGATE_NUMBER && r.approx)
		table_set_approx(t, cell, number_double(&r.number));
	else if (r.type == AGGREGATE_NUMBER && r.number.whole)
		table_set_int(t, cell, r.number.i);
	else if (r.type == AGGREGATE_NUMBER)
		table_set_scaled(t, cell, r.number.d);
	return !r.huge;
}

/* --- in partial results --- */

/* Appends an array of the texts of all keys, or of those that have subtotals. */
static void write_specs(const struct groups *g, const char *name, bool subtotals, struct buf *object)
{
	size_t i;

	json_write_begin(object, name, '[');
	for (i = 0; i < g->n_keys; i++) {
		if (!subtotals || g->keys[i].subtotal)
			json_write_text(object, NULL, str_of(g->keys[i].spec));
	}
	json_write_end(object, ']');
}

void groups_write_question(const struct groups *g, struct buf *object)
{
	write_specs(g, "keys", false, object);
	write_specs(g, "subtotals", true, object);
}

/* Adds each string of an array as a key, or as a subtotal. Returns false when this fails. */
static bool read_specs(struct groups *g, struct str array, bool subtotals)
{
	struct buf text = {0};
	struct str json, name;
	struct fault fault;
	struct iter w;
	bool good = iter_array(&w, array);

	while (good && iter_element(&w, &json))
		good = json_name(&text, json, &name) &&
		       (subtotals ? groups_subtotal(g, name) : groups_add_key(g, name, &fault));
	buf_free(&text);
	return good;
}

bool groups_read_question(struct groups *g, struct str keys, struct str subtotals)
{
	return read_specs(g, keys, false) && read_specs(g, subtotals, true);
}

void groups_key_write(const struct groups *g, size_t group, struct buf *object)
{
	const size_t n = count_keys(g, group);
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

void groups_free(struct groups *g)
{
	size_t i;

	for (i = 0; i < g->n_keys; i++) {
		if (g->keys[i].spec)
			field_free(&g->keys[i].field);
		mem_free(g->keys[i].spec, g->keys[i].now);
		value_ids_free(&g->keys[i].values);
	}
	mem_free(g->keys, g->tuple, g->found, g->last);
	map_free(&g->tuples);
	*g = (struct groups){0};
}
