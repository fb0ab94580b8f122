/*
 * field_inventory_state: the inventory in partial results. A line for each kind, ascending, is followed by a line for
 * each field, which follows the line of the field that it is in:
 *
 *	{"kind":"kernel"}
 *	{"path":["args"],"kinds":[0],"types":["object"],"count":2,"example":[1,1,{"grid":[1,2]}]}
 *	{"path":["args","grid"],"kinds":[0],"types":["array"],"count":1,"example":[1,1,[1,2]]}
 *	{"path":["args","grid",[]],"kinds":[0],"types":["integer"],"count":2,"example":[1,1,1]}
 *
 * In a path, [] stands for the elements of an array. The member "kinds" has numbers of the lines of kinds, and "more"
 * is set if there are further kinds.
 */
#include "field_inventory_private.h"

#include "base/num_parse.h"
#include "base/order.h"
#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"
#include "stats/state_refused.h"

#include <stdlib.h>

/* The question has no members: the program in `of` is enough. */
static void write_question(const struct partial *p, struct buf *line)
{
	(void)p;
	(void)line;
}

static const char *read_question(struct partial *p, struct str line)
{
	(void)p;
	(void)line;
	return NULL;
}

/* The examples are those of the first records. */
static bool is_ordered(const struct partial *p)
{
	(void)p;
	return true;
}

/* --- writing --- */

static void write_kinds(const struct field_inventory *inventory, struct out *out, struct buf *line)
{
	const struct inventory_kind *kind;

	for (kind = inventory->kinds; kind < inventory->kinds + inventory->n_kinds; kind++) {
		line->n = 0;
		json_write_begin(line, NULL, '{');
		json_write_json(line, "kind", json_write_str(&kind->json));
		json_write_end(line, '}');
		out_line(out, json_write_str(line));
	}
}

/* Writes the keys from the top to the field. */
static void write_path(const struct field_inventory *inventory, size_t field, struct buf *line)
{
	struct str key;

	if (inventory->list[field].above != TOP)
		write_path(inventory, inventory->list[field].above, line);
	if (inventory_key(inventory, field, &key)) {
		json_write_json(line, NULL, STR("[]"));
		return;
	}
	json_write_json(line, NULL, STR("\""));
	buf_add(line, key.p, key.n);
	buf_char(line, '"');
}

static void write_sets(const struct field_inventory *inventory, const struct inventory_field *field, struct buf *line)
{
	size_t i;

	json_write_begin(line, "kinds", '[');
	for (i = 0; i < inventory->n_kinds; i++) {
		if (field->kinds & inventory->kinds[i].bit)
			json_write_int(line, NULL, (int64_t)i);
	}
	json_write_end(line, ']');
	if (field->kinds & MORE_KINDS)
		json_write_bool(line, "more", true);
	json_write_begin(line, "types", '[');
	for (i = 0; i < TYPES; i++) {
		if (field->types >> i & 1)
			json_write_text(line, NULL, str_of(inventory_type_names[i]));
	}
	json_write_end(line, ']');
}

static void write_field(const struct field_inventory *inventory, size_t i, struct buf *line)
{
	const struct inventory_field *field = &inventory->list[i];

	json_write_begin(line, NULL, '{');
	json_write_begin(line, "path", '[');
	write_path(inventory, i, line);
	json_write_end(line, ']');
	write_sets(inventory, field, line);
	json_write_int(line, "count", (int64_t)field->count);
	if (field->example.n)
		state_position_write(line, "example", field->example_at, json_write_str(&field->example));
	json_write_end(line, '}');
}

static uint64_t write_state(struct partial *p, struct out *out)
{
	const struct field_inventory *inventory = p->arg;
	size_t *order = order_sort(inventory->n, inventory_compare, inventory), i;
	struct buf line = {0};

	write_kinds(inventory, out, &line);
	for (i = 0; i < inventory->n; i++) {
		line.n = 0;
		write_field(inventory, order[i], &line);
		out_line(out, json_write_str(&line));
	}
	buf_free(&line);
	free(order);
	return inventory->n;
}

/* --- reading --- */

static const char *read_kind(struct field_inventory *inventory, struct str line)
{
	const struct str json = iter_find(line, STR("kind"));

	if (inventory->n_bits == KINDS_MOST || inventory->n_read)
		return "too many kinds, or a kind after a field";
	if (inventory->n_bits && str_cmp(json_write_str(&inventory->last_kind), json) >= 0)
		return "the kinds are not in ascending order";
	inventory->last_kind.n = 0;
	buf_add(&inventory->last_kind, json.p, json.n);
	inventory->bits[inventory->n_bits++] = inventory_kind(inventory, json);
	return NULL;
}

/* Reads the numbers of kinds. Returns false when the array has anything else. */
static bool read_kinds(const struct field_inventory *inventory, struct str array, struct inventory_field *field)
{
	struct str element;
	struct iter w;
	uint64_t kind;

	if (!iter_array(&w, array))
		return false;
	while (iter_element(&w, &element)) {
		if (!num_count(element, &kind) || kind >= inventory->n_bits)
			return false;
		field->kinds |= inventory->bits[kind];
	}
	return true;
}

/* Returns the bit of a type, or 0 if there is no such type. */
static unsigned type_bit(struct str json)
{
	size_t i;

	for (i = 0; i < TYPES && json_is_string(json); i++) {
		if (str_eq(json_inner(json), str_of(inventory_type_names[i])))
			return 1u << i;
	}
	return 0;
}

/* Reads the names of types. Returns false when the array has anything else. */
static bool read_types(struct str array, struct inventory_field *field)
{
	struct str element;
	struct iter w;
	unsigned bit = 1;

	if (!iter_array(&w, array))
		return false;
	while (bit && iter_element(&w, &element)) {
		bit = type_bit(element);
		field->types |= bit;
	}
	return bit && field->types;
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
	type = inventory_type_of(*example);
	/* A long value is shortened to a string. */
	return type != NULL_TYPE && (type == STRING ? field->types != 1u << NULL_TYPE : field->types >> type & 1);
}

/* Returns whether the partial result can have members of a field, or elements; TOP is the record. */
static bool can_contain(const struct field_inventory *inventory, size_t field, bool element)
{
	const struct inventory_field *f;

	if (field == TOP)
		return !element;
	f = &inventory->list[field];
	return f->seen == inventory->number && f->depth < FIELD_INVENTORY_DEPTH &&
	       f->types >> (element ? ARRAY : OBJECT) & 1;
}

/*
 * Finds or adds the field with the path. Returns NULL if the path is not possible, or if the partial result did not
 * have the field that contains this one.
 */
static struct inventory_field *read_path(struct field_inventory *inventory, struct str array)
{
	size_t field = TOP;
	struct str json;
	struct iter w;
	bool element;

	if (!iter_array(&w, array))
		return NULL;
	while (iter_element(&w, &json)) {
		element = str_eq(json, STR("[]"));
		if ((!element && !json_is_string(json)) || !can_contain(inventory, field, element))
			return NULL;
		field = inventory_put(inventory, field, element ? STR("") : json_inner(json), element);
	}
	return field == TOP ? NULL : &inventory->list[field];
}

static void merge_field(struct inventory_field *to, const struct inventory_field *from, struct str example)
{
	to->types |= from->types;
	to->kinds |= from->kinds;
	to->count += from->count;
	if (!example.p || (to->example.n && !record_position_before(from->example_at, to->example_at)))
		return;
	to->example.n = 0;
	buf_add(&to->example, example.p, example.n);
	to->example_at = from->example_at;
}

static const char *read_field(struct field_inventory *inventory, struct str line)
{
	struct inventory_field read = {0}, *field;
	const struct str more = iter_find(line, STR("more"));
	struct str example;

	if (!num_count(iter_find(line, STR("count")), &read.count) || !read.count)
		return "a count is absent or not an integer >= 1";
	if (!read_kinds(inventory, iter_find(line, STR("kinds")), &read) ||
	    !read_types(iter_find(line, STR("types")), &read) ||
	    !read_example(iter_find(line, STR("example")), &read, &example) ||
	    (more.p && (!str_eq(more, STR("true")) || inventory->n_bits < KINDS_MOST)))
		return "an absent member, or an impossible value";
	read.kinds |= more.p ? MORE_KINDS : 0;
	field = read_path(inventory, iter_find(line, STR("path")));
	if (!field)
		return "the path is not valid, or the field that contains it is missing";
	if (field->seen == inventory->number)
		return "the field occurs twice";
	if (read.count > INT64_MAX - field->count)
		return STATE_REFUSED_VALUES;
	field->seen = inventory->number;
	merge_field(field, &read, example);
	inventory->n_read++;
	return NULL;
}

static const char *read_line(struct partial *p, struct str name, struct str line)
{
	struct field_inventory *inventory = p->arg;

	if (inventory->number != p->number) {
		inventory->number = p->number;
		inventory->n_read = inventory->n_bits = 0;
	}
	if (str_eq(name, STR("kind")))
		return read_kind(inventory, line);
	return str_eq(name, STR("path")) ? read_field(inventory, line) : STATE_REFUSED_LINE;
}

static const char *read_end(struct partial *p, struct str line, uint64_t count, uint64_t records)
{
	struct field_inventory *inventory = p->arg;
	const uint64_t n = inventory->number == p->number ? inventory->n_read : 0;

	(void)line;
	return n != count || (n && !records) ? "the counts are not those of the fields; lines are missing" : NULL;
}

const struct partial_state field_inventory_state = {
    .count = "fields",
    .write_question = write_question,
    .read_question = read_question,
    .is_ordered = is_ordered,
    .write = write_state,
    .read = read_line,
    .read_end = read_end,
};
