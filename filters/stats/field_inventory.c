#include "field_inventory_private.h"

#include "base/int_math.h"
#include "json/iter.h"
#include "json/string.h"

#include <stdlib.h>

const char *const inventory_type_names[TYPES] = {"integer", "number", "string", "boolean", "null", "object", "array"};

struct field_inventory *field_inventory_new(uint64_t part)
{
	struct field_inventory *p = mem_zero(1, sizeof *p);

	p->now.part = part;
	return p;
}

uint64_t field_inventory_records(const struct field_inventory *p)
{
	return p->now.index;
}

void field_inventory_free(struct field_inventory *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		buf_free(&p->list[i].name);
		buf_free(&p->list[i].example);
	}
	for (i = 0; i < p->n_kinds; i++)
		buf_free(&p->kinds[i].json);
	free(p->list);
	map_free(&p->children);
	buf_free(&p->key);
	buf_free(&p->text);
	buf_free(&p->last_kind);
	free(p);
}

enum inventory_type inventory_type_of(struct str json)
{
	struct value v;

	switch (json.p[0]) {
	case '{':
		return OBJECT;
	case '[':
		return ARRAY;
	case '"':
		return STRING;
	case 't':
	case 'f':
		return BOOLEAN;
	case 'n':
		return NULL_TYPE;
	default:
		value_of(&v, json);
		return v.type == VALUE_INT ? INTEGER : NUMBER;
	}
}

/* --- kinds --- */

/* Removes the last kind from the list, and returns its bit; its fields get the bit MORE_KINDS instead. */
static uint64_t drop_kind(struct field_inventory *p)
{
	struct inventory_kind *last = &p->kinds[--p->n_kinds];
	uint64_t *kinds;
	size_t i;

	for (i = 0; i < p->n; i++) {
		kinds = &p->list[i].kinds;
		if (*kinds & last->bit)
			*kinds = (*kinds & ~last->bit) | MORE_KINDS;
	}
	buf_free(&last->json);
	return last->bit;
}

static uint64_t insert_kind(struct field_inventory *p, size_t i, struct str json)
{
	const uint64_t bit = p->n_kinds == KINDS_MOST ? drop_kind(p) : 1ull << p->n_kinds;

	memmove(&p->kinds[i + 1], &p->kinds[i], (p->n_kinds++ - i) * sizeof *p->kinds);
	p->kinds[i] = (struct inventory_kind){.bit = bit};
	buf_add(&p->kinds[i].json, json.p, json.n);
	return bit;
}

uint64_t inventory_kind(struct field_inventory *p, struct str json)
{
	size_t low = 0, high = p->n_kinds, mid;
	int order;

	if (json_is_string(json) && memchr(json.p, '\\', json.n)) {
		p->key.n = 0;
		json_requote(&p->key, json, &p->text);
		json = (struct str){p->key.p, p->key.n};
	}
	while (low < high) {
		mid = low + (high - low) / 2;
		order = str_cmp(json, (struct str){p->kinds[mid].json.p, p->kinds[mid].json.n});
		if (!order)
			return p->kinds[mid].bit;
		if (order < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return low == KINDS_MOST ? MORE_KINDS : insert_kind(p, low, json);
}

/* --- fields --- */

/* Returns the position of a member: standard members in their order, attachments before args and src. */
static size_t rank_of(struct str key)
{
	size_t i;

	for (i = 0; i < EVENT_N; i++) {
		if (str_eq(key, str_of(event_member_name(i))))
			return i < EVENT_ARGS ? i : i + 1;
	}
	return EVENT_ARGS;
}

/*
 * A key with a dot would be read as two keys. A member of args with such a key is therefore named by the key alone,
 * since -f tries the whole name before it splits the name at dots.
 */
static void set_name(struct inventory_field *field, const struct inventory_field *above, struct str key, bool element)
{
	bool alone = above && above->args && memchr(key.p, '.', key.n);

	if (above && !alone)
		buf_add(&field->name, above->name.p, above->name.n);
	if (element) {
		buf_lit(&field->name, "[]");
		return;
	}
	if (above && !alone)
		buf_char(&field->name, '.');
	buf_add(&field->name, key.p, key.n);
}

/* Finds or adds the key in p->children: the index of `above`, then '.' and the key, or '['. */
static size_t put_child(struct field_inventory *p, size_t above, struct str key, bool element)
{
	p->key.n = 0;
	buf_add(&p->key, &above, sizeof above);
	buf_char(&p->key, element ? '[' : '.');
	buf_add(&p->key, key.p, key.n);
	return map_put(&p->children, (struct str){p->key.p, p->key.n});
}

bool inventory_key(const struct field_inventory *p, size_t field, struct str *key)
{
	*key = str_from(map_key(&p->children, field), sizeof(size_t) + 1);
	return key->p[-1] == '[';
}

size_t inventory_put(struct field_inventory *p, size_t above, struct str key, bool element)
{
	const size_t n = put_child(p, above, key, element);
	const struct inventory_field *parent;
	struct inventory_field *field;

	if (n < p->n)
		return n;
	p->list = mem_grow(p->list, &p->cap, n + 1, sizeof *p->list);
	p->n++;
	parent = above == TOP ? NULL : &p->list[above];
	field = &p->list[n];
	*field = (struct inventory_field){.above = above};
	field->depth = parent ? parent->depth + 1 : 0;
	field->rank = parent ? parent->rank : rank_of(key);
	field->args = !parent && str_eq(key, STR("args"));
	set_name(field, parent, key, element);
	return n;
}

int inventory_compare(const void *inventory, size_t a, size_t b)
{
	const struct field_inventory *p = inventory;
	const int depths = int_compare((int64_t)p->list[a].depth, (int64_t)p->list[b].depth);
	struct str left, right;

	while (p->list[a].depth > p->list[b].depth)
		a = p->list[a].above;
	while (p->list[b].depth > p->list[a].depth)
		b = p->list[b].above;
	if (a == b)
		return depths;
	while (p->list[a].above != p->list[b].above) {
		a = p->list[a].above;
		b = p->list[b].above;
	}
	left = str_from(map_key(&p->children, a), sizeof(size_t));
	right = str_from(map_key(&p->children, b), sizeof(size_t));
	return str_cmp(left, right);
}

/* --- adding --- */

/* Appends a value. A long value is cut, and dots are appended to it. */
static void make_example(struct buf *to, struct str json)
{
	struct buf plain = {0};
	bool string = json.p[0] == '"';
	uint32_t code;
	size_t at = 0, n;

	if (json.n <= EXAMPLE) {
		buf_add(to, json.p, json.n);
		return;
	}
	if (string)
		json_unescape(&plain, json_inner(json));
	else
		buf_add(&plain, json.p, json.n);
	while (at < plain.n) {
		n = utf8_decode((struct str){plain.p + at, plain.n - at}, &code);
		n = n ? n : 1;
		if (at + n > EXAMPLE - 3)
			break;
		at += n;
	}
	if (at < plain.n) {
		plain.n = at;
		buf_lit(&plain, "...");
	}
	json_quote(to, (struct str){plain.p, plain.n});
	buf_free(&plain);
}

static void add_value(struct field_inventory *p, size_t at, struct str json, uint64_t kind)
{
	const enum inventory_type type = inventory_type_of(json);
	struct inventory_field *field = &p->list[at];
	struct str key, value;
	struct iter w;

	field->count++;
	field->types |= 1u << type;
	field->kinds |= kind;
	if (!field->example.n && type != NULL_TYPE) {
		make_example(&field->example, json);
		field->example_at = p->now;
	}
	if ((type != OBJECT && type != ARRAY) || field->depth == FIELD_INVENTORY_DEPTH)
		return;
	iter_init(&w, json);
	while (iter_next(&w, &key, &value) > 0)
		add_value(p, inventory_put(p, at, key.p ? key : STR(""), type == ARRAY), value, kind);
}

void field_inventory_add(struct field_inventory *p, struct event *e)
{
	const struct str kind = event_get(e, EVENT_KIND);
	const uint64_t bit = kind.p ? inventory_kind(p, kind) : 0;
	struct str key, value;
	struct iter w;

	p->now.index++;
	iter_init(&w, e->raw);
	while (iter_next(&w, &key, &value) > 0)
		add_value(p, inventory_put(p, TOP, key, false), value, bit);
}
