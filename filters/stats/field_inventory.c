#include "field_inventory.h"

#include "base/int_math.h"
#include "json/string.h"
#include "json/iter.h"
#include "record/value_ids.h"

#include <stdlib.h>

/* EXAMPLE: maximum length of an example; bit KINDS_MOST stands for all further kinds */
enum { EXAMPLE = 40, KINDS_MOST = 63 };

struct inventory_path {
	struct buf text; /* in the syntax of -f: args.grid, ranges[] */
	size_t rank;     /* position of its top-level member, from rank_of() */
	bool args;       /* the path is the member args of the record */
	unsigned types;  /* types of its values, as bits 1u << enum type */
	uint64_t kinds, count;
	struct buf example; /* JSON */
};

enum type { INTEGER, NUMBER, STRING, BOOLEAN, NULL_TYPE, OBJECT, ARRAY, TYPES };
static const char *const type_names[TYPES] = {"integer", "number", "string", "boolean", "null", "object", "array"};

struct field_inventory {
	struct inventory_path *list;
	size_t n, cap;
	struct map children; /* maps the index of a path and a key to the index of the child path */
	struct value_ids kinds;
	struct buf key;
};

struct field_inventory *field_inventory_new(void)
{
	return mem_zero(1, sizeof(struct field_inventory));
}

void field_inventory_free(struct field_inventory *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		buf_free(&p->list[i].text);
		buf_free(&p->list[i].example);
	}
	free(p->list);
	map_free(&p->children);
	value_ids_free(&p->kinds);
	buf_free(&p->key);
	free(p);
}

static enum type type_of(struct str json)
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
static void name_path(struct inventory_path *path, const struct inventory_path *above, struct str key, bool element)
{
	bool alone = above && above->args && memchr(key.p, '.', key.n);

	if (above && !alone)
		buf_add(&path->text, above->text.p, above->text.n);
	if (element) {
		buf_lit(&path->text, "[]");
		return;
	}
	if (above && !alone)
		buf_char(&path->text, '.');
	buf_add(&path->text, key.p, key.n);
}

#define TOP ((size_t)-1)

/* Returns the path of a key of `above`; if `element`, the path of the elements of `above`. TOP is the record itself. */
static size_t child(struct field_inventory *p, size_t above, struct str key, bool element)
{
	size_t n;

	p->key.n = 0;
	buf_add(&p->key, &above, sizeof above);
	buf_char(&p->key, element ? '[' : '.');
	buf_add(&p->key, key.p, key.n);
	n = map_put(&p->children, (struct str){p->key.p, p->key.n});
	if (n < p->n)
		return n;
	p->list = mem_grow(p->list, &p->cap, n + 1, sizeof *p->list);
	p->list[n] = (struct inventory_path){.rank = above == TOP ? rank_of(key) : p->list[above].rank};
	p->list[n].args = above == TOP && str_eq(key, STR("args"));
	name_path(&p->list[n], above == TOP ? NULL : &p->list[above], key, element);
	p->n++;
	return n;
}

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

static void add_value(struct field_inventory *p, size_t path, struct str json, uint64_t kind, unsigned depth)
{
	struct str key, value;
	struct iter w;
	enum type type = type_of(json);

	p->list[path].count++;
	p->list[path].types |= 1u << type;
	p->list[path].kinds |= kind;
	if (!p->list[path].example.n && type != NULL_TYPE)
		make_example(&p->list[path].example, json);
	if ((type != OBJECT && type != ARRAY) || depth == FIELD_INVENTORY_DEPTH)
		return;
	iter_init(&w, json);
	while (iter_next(&w, &key, &value) > 0)
		add_value(p, child(p, path, key.p ? key : STR(""), type == ARRAY), value, kind, depth + 1);
}

void field_inventory_add(struct field_inventory *p, struct event *e)
{
	struct str kind = event_get(e, EVENT_KIND), key, value;
	uint64_t bit = 0;
	struct iter w;
	size_t n;

	if (kind.p) {
		n = value_ids_put(&p->kinds, kind);
		bit = 1ull << (n < KINDS_MOST ? n : KINDS_MOST);
	}
	iter_init(&w, e->raw);
	while (iter_next(&w, &key, &value) > 0)
		add_value(p, child(p, TOP, key, false), value, bit, 0);
}

/* --- printing --- */

static int compare(const void *a, const void *b)
{
	const struct inventory_path *const *left = a, *const *right = b;

	if ((*left)->rank != (*right)->rank)
		return (*left)->rank < (*right)->rank ? -1 : 1;
	return str_cmp(
	    (struct str){(*left)->text.p, (*left)->text.n}, (struct str){(*right)->text.p, (*right)->text.n});
}

/* Appends an item to a comma-separated list. */
static void list_one(struct buf *b, struct str one)
{
	if (b->n > 1)
		buf_char(b, ',');
	buf_add(b, one.p, one.n);
}

static void set_text(struct table *t, size_t column, struct buf *b)
{
	struct value v;

	buf_char(b, '"');
	value_of(&v, (struct str){b->p, b->n});
	table_set(t, column, &v);
	b->n = 1; /* keep the opening quote for the next text */
}

/* Appends a kind to a list that is written in a JSON string. A kind that is a string is appended without its quotes. */
static void list_kind(struct buf *b, struct str kind)
{
	struct buf quoted = {0};

	if (kind.p[0] != '"') {
		json_quote(&quoted, kind);
		kind = (struct str){quoted.p, quoted.n};
	}
	list_one(b, json_inner(kind));
	buf_free(&quoted);
}

/* Appends the kinds of a field. Kinds after the first KINDS_MOST kinds of the input are shown as "...". */
static void list_kinds(const struct field_inventory *p, const struct inventory_path *path, struct buf *b)
{
	size_t i;

	for (i = 0; i < p->kinds.n && i < KINDS_MOST; i++) {
		if (path->kinds >> i & 1)
			list_kind(b, value_ids_text(&p->kinds, i));
	}
	if (path->kinds >> KINDS_MOST)
		list_one(b, STR("..."));
}

static void print_example(const struct inventory_path *path, struct table *t, struct buf *b, bool text)
{
	struct str json = {path->example.p, path->example.n};
	struct value v;

	if (text && json.n && json.p[0] != '"') {
		b->n = 0;
		json_quote(b, json);
		json = (struct str){b->p, b->n};
	}
	value_of(&v, json);
	table_set(t, 4, &v);
}

static void print_path(
    const struct field_inventory *p, const struct inventory_path *path, struct table *t, struct buf *b, bool text)
{
	size_t i;

	b->n = 0;
	buf_char(b, '"');
	buf_add(b, path->text.p, path->text.n);
	set_text(t, 0, b);
	list_kinds(p, path, b);
	set_text(t, 1, b);
	for (i = 0; i < TYPES; i++) {
		if (path->types >> i & 1)
			list_one(b, str_of(type_names[i]));
	}
	set_text(t, 2, b);
	table_set_int(t, 3, (int128)path->count);
	print_example(path, t, b, text);
	table_row(t);
}

void field_inventory_print(const struct field_inventory *p, struct table *t, bool text)
{
	const struct inventory_path **order = mem_alloc((p->n + 1) * sizeof *order);
	struct buf scratch = {0};
	size_t i;

	table_column(t, STR("field"), COLUMN_ANY);
	table_column(t, STR("kinds"), COLUMN_ANY);
	table_column(t, STR("types"), COLUMN_ANY);
	table_column(t, STR("count"), COLUMN_ANY);
	table_column(t, STR("example"), COLUMN_ANY);
	table_kind(t, STR("\"fields\""));
	for (i = 0; i < p->n; i++)
		order[i] = &p->list[i];
	qsort(order, p->n, sizeof *order, compare);
	for (i = 0; i < p->n; i++)
		print_path(p, order[i], t, &scratch, text);
	buf_free(&scratch);
	free(order);
}
