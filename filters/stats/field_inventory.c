/*
 * In partial results, each field has a line, which follows the line of the field that it is in:
 *
 *	{"path":["args"],"kinds":["kernel"],"types":32,"count":2,"example":[1,1,{"grid":[1,2]}]}
 *	{"path":["args","grid"],"kinds":["kernel"],"types":64,"count":1,"example":[1,1,[1,2]]}
 *	{"path":["args","grid",[]],"kinds":["kernel"],"types":1,"count":2,"example":[1,1,1]}
 *
 * In a path, [] stands for the elements of an array. The member "types" has the bits of enum inventory_type,
 * and "more" is set if there are further kinds.
 */
#include "field_inventory.h"

#include "base/int_math.h"
#include "base/map.h"
#include "base/num_parse.h"
#include "base/order.h"
#include "program/filter.h"
#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"
#include "stats/state_text.h"

#include <stdlib.h>

enum inventory_type { INTEGER, NUMBER, STRING, BOOLEAN, NULL_TYPE, OBJECT, ARRAY, TYPES };
static const char *const type_names[TYPES] = {"integer", "number", "string", "boolean", "null", "object", "array"};

/*
 * The kinds of the records, at most KINDS_MOST: the first ones in alphabetical order, so that they do not depend on the
 * order of the records. MORE_KINDS is the bit of all other kinds.
 */
enum { KINDS_MOST = 63 };
#define MORE_KINDS (1ull << KINDS_MOST)

struct inventory_kind {
	struct buf json;
	uint64_t bit; /* in inventory_field.kinds */
};

/* EXAMPLE: maximum length of an example; EXAMPLE_JSON: maximum length of its JSON, with quotes, dots and escapes */
enum { EXAMPLE = 40, EXAMPLE_JSON = 2 + 6 * EXAMPLE };

/* A field: a member of records, a member of another field, or the elements of another field. */
struct inventory_field {
	struct buf name; /* in the syntax of -f: args.grid, ranges[] */
	size_t above;    /* index of the field that it is in, or TOP */
	size_t depth;    /* number of fields above it */
	size_t rank;     /* position of its top-level member in the table */
	bool args;       /* the field is the member args of the record */
	unsigned types;  /* types of its values, as bits 1u << enum inventory_type */
	uint64_t kinds;  /* kinds of its records, as bits */
	uint64_t count;
	struct buf example; /* JSON; empty if all values are null */
	struct record_position example_at;
	uint64_t seen; /* the number of the last partial result that has the field */
};

#define TOP ((size_t)-1)

struct field_inventory {
	struct inventory_field *list;
	size_t n, cap;
	struct map children;                     /* maps the index of a field and a key to the index of the child */
	struct inventory_kind kinds[KINDS_MOST]; /* ascending */
	size_t n_kinds;
	struct record_position now; /* the record that was added last */
	struct buf key, text;       /* scratch memory */
	uint64_t number, n_read;    /* the number of the partial result that is being read, and of the fields in it */
	bool has_more_kinds;        /* a field in partial results has further kinds */
};

struct field_inventory *field_inventory_new(uint64_t part)
{
	struct field_inventory *p = mem_zero(1, sizeof *p);

	p->now.part = part;
	return p;
}

void field_inventory_free(struct field_inventory *p)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		bufs_free(&p->list[i].name, &p->list[i].example);
	for (i = 0; i < p->n_kinds; i++)
		buf_free(&p->kinds[i].json);
	free(p->list);
	map_free(&p->children);
	bufs_free(&p->key, &p->text);
	free(p);
}

static enum inventory_type type_of(struct str json)
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

/* Returns the bit of a kind in inventory_field.kinds; adds the kind if it is new. */
static uint64_t kind_bit(struct field_inventory *p, struct str json)
{
	int order;
	uint64_t bit;
	size_t i;

	if (json_is_string(json) && memchr(json.p, '\\', json.n)) {
		p->key.n = 0;
		json_requote(&p->key, json, &p->text);
		json = buf_str(&p->key);
	}
	for (i = 0; i < p->n_kinds; i++) {
		order = str_cmp(json, buf_str(&p->kinds[i].json));
		if (!order)
			return p->kinds[i].bit;
		if (order < 0)
			break;
	}
	if (i == KINDS_MOST)
		return MORE_KINDS;
	bit = p->n_kinds == KINDS_MOST ? drop_kind(p) : 1ull << p->n_kinds;
	memmove(&p->kinds[i + 1], &p->kinds[i], (p->n_kinds++ - i) * sizeof *p->kinds);
	p->kinds[i] = (struct inventory_kind){.bit = bit};
	buf_add(&p->kinds[i].json, json.p, json.n);
	return bit;
}

/* --- fields --- */

/*
 * Finds or adds the field with a key (as written between its quotes) in the field `above`, or in the record for TOP; if
 * `element`, the elements of `above`. Returns its index.
 */
static size_t put_field(struct field_inventory *p, size_t above, struct str key, bool element)
{
	const struct inventory_field *parent;
	struct inventory_field *field;
	enum event_member member;
	size_t n;

	/* The key in p->children is the index of `above`, then '.' and the key, or '['. */
	p->key.n = 0;
	buf_add(&p->key, &above, sizeof above);
	buf_char(&p->key, element ? '[' : '.');
	buf_add(&p->key, key.p, key.n);
	n = map_put(&p->children, buf_str(&p->key));
	if (n < p->n)
		return n;
	p->list = mem_grow(p->list, &p->cap, n + 1, sizeof *p->list);
	p->n++;
	field = &p->list[n];
	*field = (struct inventory_field){.above = above};
	if (above == TOP) {
		member = event_member(key);
		/* Standard members come in their order, attachments before args and src. */
		field->rank = member < EVENT_ARGS ? member : member == EVENT_N ? EVENT_ARGS : member + 1;
		field->args = member == EVENT_ARGS;
		buf_add(&field->name, key.p, key.n);
		return n;
	}
	parent = &p->list[above];
	field->depth = parent->depth + 1;
	field->rank = parent->rank;
	/*
	 * A key with a dot would be read as two keys. A member of args with such a key is therefore named by the key
	 * alone, since -f tries the whole name before it splits the name at dots.
	 */
	if (!parent->args || !memchr(key.p, '.', key.n)) {
		buf_add(&field->name, parent->name.p, parent->name.n);
		buf_add(&field->name, element ? "[]" : ".", element ? 2 : 1);
	}
	buf_add(&field->name, key.p, key.n);
	return n;
}

/* Compares two fields by their keys, from the top. A field precedes the fields in it. */
static int compare_fields(const void *inventory, size_t a, size_t b)
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
		n = utf8_decode(str_from(buf_str(&plain), at), &code);
		n = n ? n : 1;
		if (at + n > EXAMPLE - 3)
			break;
		at += n;
	}
	if (at < plain.n) {
		plain.n = at;
		buf_lit(&plain, "...");
	}
	json_quote(to, buf_str(&plain));
	buf_free(&plain);
}

/* Adds a value of a field, and everything nested in it. */
static void add_value(struct field_inventory *p, size_t at, struct str json, uint64_t kind)
{
	const enum inventory_type type = type_of(json);
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
		add_value(p, put_field(p, at, key.p ? key : STR(""), type == ARRAY), value, kind);
}

/* --- the table --- */

/* The order of the rows. */
static int compare_rows(const void *inventory, size_t a, size_t b)
{
	const struct field_inventory *p = inventory;
	const struct inventory_field *left = &p->list[a], *right = &p->list[b];
	int order = int_compare((int64_t)left->rank, (int64_t)right->rank);

	if (!order)
		order = str_cmp(buf_str(&left->name), buf_str(&right->name));
	return order ? order : compare_fields(p, a, b); /* two fields can have the same name: a.b, and b in a */
}

/* Appends an item to a comma-separated list. */
static void list_one(struct buf *b, struct str one)
{
	if (b->n > 1)
		buf_char(b, ',');
	buf_add(b, one.p, one.n);
}

/* Sets a cell to the text that was appended to an opening quote, and begins the next text. */
static void set_text(struct table *t, size_t column, struct buf *b)
{
	buf_char(b, '"');
	table_set_json(t, column, buf_str(b));
	b->n = 1;
}

/*
 * Appends the kinds of a field to the text in a JSON string; strings are appended without their quotes. Kinds that are
 * not in p->kinds are shown as "...".
 */
static void list_kinds(const struct field_inventory *p, const struct inventory_field *field, struct buf *b)
{
	const struct inventory_kind *kind;
	struct buf quoted = {0};

	for (kind = p->kinds; p->n_kinds && kind < p->kinds + p->n_kinds; kind++) {
		struct str json = buf_str(&kind->json);

		if (!(field->kinds & kind->bit))
			continue;
		if (json.p[0] != '"')
			json = json_quoted(&quoted, json);
		list_one(b, json_inner(json));
	}
	if (field->kinds & MORE_KINDS)
		list_one(b, STR("..."));
	buf_free(&quoted);
}

static void print_field(
    const struct field_inventory *p, const struct inventory_field *field, struct table *t, struct buf *b, bool text)
{
	struct str example = buf_str(&field->example);
	size_t i;

	b->n = 0;
	buf_char(b, '"');
	buf_add(b, field->name.p, field->name.n);
	set_text(t, 0, b);
	list_kinds(p, field, b);
	set_text(t, 1, b);
	for (i = 0; i < TYPES; i++) {
		if (field->types >> i & 1)
			list_one(b, str_of(type_names[i]));
	}
	set_text(t, 2, b);
	table_set_int(t, 3, (int128)field->count);
	if (text && example.n && example.p[0] != '"')
		example = json_quoted(b, example);
	table_set_json(t, 4, example);
	table_row(t);
}

void field_inventory_print(const struct field_inventory *p, struct table *t, bool text)
{
	size_t *order = order_sort(p->n, compare_rows, p), i;
	struct buf scratch = {0};

	table_column(t, STR("field"), COLUMN_ANY);
	table_column(t, STR("kinds"), COLUMN_ANY);
	table_column(t, STR("types"), COLUMN_ANY);
	table_column(t, STR("count"), COLUMN_ANY);
	table_column(t, STR("example"), COLUMN_ANY);
	table_kind(t, STR("\"fields\""));
	for (i = 0; i < p->n; i++)
		print_field(p, &p->list[order[i]], t, &scratch, text);
	buf_free(&scratch);
	free(order);
}

/* --- partial results --- */

/* The examples are those of the first records. */
static bool is_ordered(const struct partial *p)
{
	(void)p;
	return true;
}

/* Writes the keys from the top to the field. */
static void write_path(const struct field_inventory *inventory, size_t field, struct buf *line)
{
	const struct str key = str_from(map_key(&inventory->children, field), sizeof(size_t) + 1);

	if (inventory->list[field].above != TOP)
		write_path(inventory, inventory->list[field].above, line);
	if (key.p[-1] == '[') {
		json_write_json(line, NULL, STR("[]"));
		return;
	}
	json_write_json(line, NULL, STR("\""));
	buf_add(line, key.p, key.n);
	buf_char(line, '"');
}

static void write_field(const struct field_inventory *inventory, size_t i, struct buf *line)
{
	const struct inventory_field *field = &inventory->list[i];
	size_t k;

	json_write_begin(line, NULL, '{');
	json_write_begin(line, "path", '[');
	write_path(inventory, i, line);
	json_write_end(line, ']');
	json_write_begin(line, "kinds", '[');
	for (k = 0; k < inventory->n_kinds; k++) {
		if (field->kinds & inventory->kinds[k].bit)
			json_write_json(line, NULL, buf_str(&inventory->kinds[k].json));
	}
	json_write_end(line, ']');
	if (field->kinds & MORE_KINDS)
		json_write_bool(line, "more", true);
	json_write_int(line, "types", field->types);
	json_write_int(line, "count", (int64_t)field->count);
	if (field->example.n)
		state_position_write(line, "example", field->example_at, buf_str(&field->example));
	json_write_end(line, '}');
}

static uint64_t write_state(struct partial *p, struct out *out)
{
	const struct field_inventory *inventory = p->arg;
	size_t *order = order_sort(inventory->n, compare_fields, inventory), i;
	struct buf line = {0};

	for (i = 0; i < inventory->n; i++) {
		line.n = 0;
		write_field(inventory, order[i], &line);
		out_line(out, buf_str(&line));
	}
	buf_free(&line);
	free(order);
	return inventory->n;
}

/* Reads kinds in ascending order. Returns false when the array has anything else. */
static bool read_kinds(struct field_inventory *inventory, struct str array, struct inventory_field *field)
{
	struct str json, last = {NULL, 0};
	struct iter w;
	size_t n = 0;

	if (!iter_array(&w, array))
		return false;
	for (; iter_element(&w, &json); last = json) {
		if (++n > KINDS_MOST || (last.p && str_cmp(last, json) >= 0))
			return false;
		field->kinds |= kind_bit(inventory, json);
	}
	return true;
}

/* Reads the example. Returns false when it is not that of a field with these types. */
static bool read_example(struct str array, struct inventory_field *field, struct str *example)
{
	enum inventory_type type;

	*example = (struct str){NULL, 0};
	if (!array.p)
		return field->types == 1u << NULL_TYPE;
	if (!state_position_read(array, &field->example_at, example) || example->n > EXAMPLE_JSON)
		return false;
	type = type_of(*example);
	/* A long value is shortened to a string. */
	return type != NULL_TYPE && (type == STRING ? field->types != 1u << NULL_TYPE : field->types >> type & 1);
}

/*
 * Finds or adds the field with the path. Returns NULL if the path is not possible in this partial result.
 */
static struct inventory_field *read_path(struct field_inventory *inventory, struct str array)
{
	const struct inventory_field *f;
	size_t field = TOP;
	struct str json;
	struct iter w;
	bool element;

	if (!iter_array(&w, array))
		return NULL;
	while (iter_element(&w, &json)) {
		element = str_eq(json, STR("[]"));
		f = field == TOP ? NULL : &inventory->list[field];
		if ((!element && !json_is_string(json)) || (!f && element))
			return NULL;
		/* The partial result must have a field with such a type, which contains this one. */
		if (f && (f->seen != inventory->number || f->depth == FIELD_INVENTORY_DEPTH ||
			     !(f->types >> (element ? ARRAY : OBJECT) & 1)))
			return NULL;
		field = put_field(inventory, field, element ? STR("") : json_inner(json), element);
	}
	return field == TOP ? NULL : &inventory->list[field];
}

static const char *read_field(struct field_inventory *inventory, struct str line)
{
	struct inventory_field read = {0}, *field;
	uint64_t types;
	const struct str more = iter_find(line, STR("more"));
	struct str example;

	if (!num_count(iter_find(line, STR("count")), &read.count) || !read.count)
		return "a count is absent or not an integer >= 1";
	if (!num_count(iter_find(line, STR("types")), &types) || !types || types >> TYPES)
		return "the types are absent or impossible";
	read.types = (unsigned)types;
	if (!read_kinds(inventory, iter_find(line, STR("kinds")), &read) ||
	    !read_example(iter_find(line, STR("example")), &read, &example) || (more.p && !str_eq(more, STR("true"))))
		return "an absent member, or an impossible value";
	read.kinds |= more.p ? MORE_KINDS : 0;
	inventory->has_more_kinds |= more.p != NULL;
	field = read_path(inventory, iter_find(line, STR("path")));
	if (!field)
		return "the path is not valid, or the field that contains it is missing";
	if (field->seen == inventory->number)
		return "the field occurs twice";
	if (read.count > INT64_MAX - field->count)
		return STATE_REFUSED_VALUES;
	field->seen = inventory->number;
	field->types |= read.types;
	field->kinds |= read.kinds;
	field->count += read.count;
	if (example.p && (!field->example.n || record_position_before(read.example_at, field->example_at))) {
		buf_set(&field->example, example);
		field->example_at = read.example_at;
	}
	inventory->n_read++;
	return NULL;
}

static const char *read_line(struct partial *p, struct str name, struct str line)
{
	struct field_inventory *inventory = p->arg;

	if (inventory->number != p->number) {
		inventory->number = p->number;
		inventory->n_read = 0;
	}
	return str_eq(name, STR("path")) ? read_field(inventory, line) : STATE_REFUSED_LINE;
}

static const char *read_end(struct partial *p, struct str line, uint64_t count, uint64_t records)
{
	struct field_inventory *inventory = p->arg;
	const uint64_t n = inventory->number == p->number ? inventory->n_read : 0;

	(void)line;
	if (n != count || (n && !records))
		return "the counts are not those of the fields; lines are missing";
	return inventory->has_more_kinds && inventory->n_kinds < KINDS_MOST ? "a field has more kinds than there are"
									    : NULL;
}

const struct partial_state field_inventory_state = {
    .count = "fields",
    .is_ordered = is_ordered,
    .write = write_state,
    .read = read_line,
    .read_end = read_end,
};

int field_inventory_report(struct group_report *r)
{
	struct field_inventory *fields = field_inventory_new(r->part);
	struct partial partial = {&field_inventory_state, fields, "stats --fields", &r->in, .part = r->part};
	struct str kind, key, value;
	struct event e = {0};
	struct table *t;
	struct iter w;
	uint64_t bit;

	if (r->merge)
		partial_merge(&partial, r->operands);
	while (!r->merge && input_next(&r->in, &e)) {
		kind = event_get(&e, EVENT_KIND);
		bit = kind.p ? kind_bit(fields, kind) : 0;
		fields->now.index++;
		iter_init(&w, e.raw);
		while (iter_next(&w, &key, &value) > 0)
			add_value(fields, put_field(fields, TOP, key, false), value, bit);
	}
	if (r->partial) {
		partial.records += fields->now.index;
		partial_write(&partial, &r->out);
	} else {
		t = table_begin(&r->out, &r->table);
		field_inventory_print(fields, t, r->human);
		table_end(t);
	}
	partial_free(&partial);
	field_inventory_free(fields);
	return filter_close(&r->in);
}
