#include "plaidml.h"

#include "base/num_format.h"
#include "json/write.h"

#include <stdlib.h>

/* An entry of a map<K, V>: {1 key, 2 value}. An absent key or value is 0 or empty. */
struct entry {
	uint64_t size, count;
	struct str name, value;
	size_t at; /* the entry's position in the message: if several entries have the same key, the last one is used */
};

struct writer {
	struct buf *b;
	struct plaidml_stream *own;
	const char *fault;
};

static bool put_rows(struct writer *w, const struct plaidml_field *rows, struct str message);

static bool broken(struct writer *w, const char *why)
{
	w->fault = why;
	return false;
}

/* --- maps, in the order of their keys --- */

static int by_key(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int c = x->size < y->size ? -1 : x->size > y->size;

	if (!c)
		c = str_cmp(x->name, y->name);
	return c ? c : x->at < y->at ? -1 : x->at > y->at;
}

static bool read_entry(struct writer *w, struct entry *entry, struct str bytes)
{
	struct wire wire = wire_of(bytes);
	struct wire_field f;

	entry->name = entry->value = (struct str){"", 0};
	while (wire_next(&wire, &f) > 0) {
		if (f.no == 1 && f.type == WIRE_VARINT)
			entry->size = f.v;
		if (f.no == 1 && f.type == WIRE_LEN)
			entry->name = f.bytes;
		if (f.no == 2 && f.type == WIRE_VARINT)
			entry->count = f.v;
		if (f.no == 2 && f.type == WIRE_LEN)
			entry->value = f.bytes;
	}
	return !wire.fault || broken(w, wire.fault);
}

/*
 * Returns the *n entries of the map in field `no`, sorted by key and without duplicate keys. The caller frees them.
 * NULL when the map is damaged.
 */
static struct entry *read_map(struct writer *w, struct str message, uint32_t no, size_t *n)
{
	struct wire wire = wire_of(message);
	struct wire_field f;
	struct entry *e = NULL;
	size_t cap = 0, i, kept = 0;

	e = mem_grow(e, &cap, 1, sizeof *e);
	for (*n = 0; wire_next(&wire, &f) > 0;) {
		if (f.no != no || f.type != WIRE_LEN)
			continue;
		e = mem_grow(e, &cap, *n + 1, sizeof *e);
		e[*n] = (struct entry){.at = *n};
		if (!read_entry(w, &e[(*n)++], f.bytes)) {
			free(e);
			return NULL;
		}
	}
	qsort(e, *n, sizeof *e, by_key);
	for (i = 0; i < *n; i++) {
		if (i + 1 < *n && e[i].size == e[i + 1].size && str_eq(e[i].name, e[i + 1].name))
			continue;
		e[kept++] = e[i];
	}
	*n = kept;
	return e;
}

/* --- values --- */

static void put_uint(struct buf *b, const char *key, uint64_t v)
{
	char text[NUM_ROOM];

	if (v <= INT64_MAX)
		json_write_int(b, key, (int64_t)v);
	else
		json_write_text(b, key, (struct str){text, (size_t)(num_put_u64(text, v) - text)});
}

static void put_dtype(struct buf *b, const char *key, uint64_t v)
{
	static const struct {
		uint64_t v;
		const char *name;
	} types[] = {{2, "BOOLEAN"}, {16, "INT8"}, {17, "INT16"}, {18, "INT32"}, {19, "INT64"}, {32, "UINT8"},
	    {33, "UINT16"}, {34, "UINT32"}, {35, "UINT64"}, {49, "FLOAT16"}, {50, "FLOAT32"}, {51, "FLOAT64"}};
	size_t i;

	for (i = 0; i < sizeof types / sizeof *types; i++) {
		if (types[i].v == v) {
			json_write_text(b, key, str_of(types[i].name));
			return;
		}
	}
	put_uint(b, key, v);
}

static void put_value(struct buf *b, const struct plaidml_field *row, const char *key, uint64_t v)
{
	if (row->type == PLAIDML_BOOL)
		json_write_bool(b, key, v != 0);
	else if (row->type == PLAIDML_UINT)
		put_uint(b, key, v);
	else if (row->type == PLAIDML_DTYPE)
		put_dtype(b, key, v);
	else
		json_write_int(b, key, (int64_t)v);
}

static bool put_ref(struct writer *w, const char *key, struct str bytes)
{
	struct wire wire = {0};
	struct plaidml_ref ref;

	if (!plaidml_ref_read(&ref, bytes, w->own, false, &wire))
		return broken(w, wire.fault);
	if (ref.n) {
		json_write_key(w->b, key);
		plaidml_put_id(w->b, (struct str){ref.key, ref.n});
	}
	return true;
}

/* Writes the shape of a tensor. Logs since 2018 store the shape in a ProgramInput {1 shape, 2 consumed}. */
static bool put_shape(struct writer *w, struct str message)
{
	static const struct plaidml_field dim[] = {
	    {1, PLAIDML_UINT, false, "size", NULL}, {2, PLAIDML_NUMBER, false, "stride", NULL}, {0}};
	static const struct plaidml_field shape[] = {{1, PLAIDML_DTYPE, false, "type", NULL},
	    {3, PLAIDML_MESSAGE, true, "dims", dim}, {4, PLAIDML_BOOL, false, "is_const", NULL}, {0}};
	static const struct plaidml_field input[] = {{2, PLAIDML_BOOL, false, "consumed", NULL}, {0}};
	struct wire_field f;

	if (!wire_find(message, 1, WIRE_LEN, &f))
		return put_rows(w, shape, message);
	return put_rows(w, shape, f.bytes) && put_rows(w, input, message);
}

static bool put_map(struct writer *w, const struct plaidml_field *row, struct str message)
{
	struct entry *e;
	bool good = true;
	size_t n, i;

	e = read_map(w, message, row->no, &n);
	if (!e)
		return false;
	json_write_begin(w->b, row->name, '[');
	for (i = 0; good && i < n; i++) {
		if (row->type == PLAIDML_KEYS) {
			json_write_text(w->b, NULL, e[i].name);
			continue;
		}
		json_write_begin(w->b, NULL, '{');
		if (row->type == PLAIDML_SIZES) {
			put_uint(w->b, "size", e[i].size);
			put_uint(w->b, "count", e[i].count);
		} else {
			json_write_text(w->b, "name", e[i].name);
			good = put_shape(w, e[i].value);
		}
		json_write_end(w->b, '}');
	}
	json_write_end(w->b, ']');
	free(e);
	return good;
}

/*
 * Writes one occurrence of a field. It may have several values, because the numbers of a repeated field may be packed.
 */
static bool put_field(struct writer *w, const struct plaidml_field *row, const struct wire_field *f)
{
	const char *key = row->many ? NULL : row->name;
	struct str rest = f->bytes;
	uint64_t v;
	int got;

	switch (row->type) {
	case PLAIDML_TEXT:
		json_write_text(w->b, key, f->bytes);
		return true;
	case PLAIDML_ID:
		return put_ref(w, key, f->bytes);
	case PLAIDML_MESSAGE:
		json_write_begin(w->b, key, '{');
		if (!put_rows(w, row->of, f->bytes))
			return false;
		json_write_end(w->b, '}');
		return true;
	default:
		if (f->type == WIRE_VARINT) {
			put_value(w->b, row, key, f->v);
			return true;
		}
		while ((got = wire_packed(&rest, &v)) > 0)
			put_value(w->b, row, key, v);
		return got == 0 || broken(w, "list of packed numbers ends inside a number");
	}
}

/*
 * Whether a field of the message has the number and a wire type of the row. A repeated field of numbers may be packed.
 */
static bool fits(const struct plaidml_field *row, const struct wire_field *f)
{
	bool bytes = row->type == PLAIDML_TEXT || row->type == PLAIDML_ID || row->type == PLAIDML_MESSAGE;

	if (f->no != row->no)
		return false;
	return f->type == WIRE_LEN ? bytes || row->many : f->type == WIRE_VARINT && !bytes;
}

static bool put_list(struct writer *w, const struct plaidml_field *row, struct str message)
{
	struct wire wire = wire_of(message);
	struct wire_field f;
	bool any = false;

	while (wire_next(&wire, &f) > 0) {
		if (!fits(row, &f))
			continue;
		if (!any)
			json_write_begin(w->b, row->name, '[');
		any = true;
		if (!put_field(w, row, &f))
			return false;
	}
	if (any)
		json_write_end(w->b, ']');
	return true;
}

static bool put_one(struct writer *w, const struct plaidml_field *row, struct str message)
{
	struct wire wire = wire_of(message);
	struct wire_field f, last;
	bool any = false;

	while (wire_next(&wire, &f) > 0) {
		if (fits(row, &f)) {
			last = f;
			any = true;
		}
	}
	if (any)
		return put_field(w, row, &last);
	if (row->type == PLAIDML_PLACE)
		json_write_int(w->b, row->name, 0);
	return true;
}

static bool put_rows(struct writer *w, const struct plaidml_field *rows, struct str message)
{
	const char *fault;
	size_t at;

	if (!wire_sound(message, &fault, &at))
		return broken(w, fault);
	for (; rows->name; rows++) {
		if (rows->type == PLAIDML_SIZES || rows->type == PLAIDML_KEYS || rows->type == PLAIDML_SHAPES) {
			if (!put_map(w, rows, message))
				return false;
		} else if (rows->many ? !put_list(w, rows, message) : !put_one(w, rows, message)) {
			return false;
		}
	}
	return true;
}

bool plaidml_message_put(
    struct buf *b, const struct plaidml_field *rows, struct str message, struct plaidml_stream *own, const char **fault)
{
	struct writer w = {.b = b, .own = own};
	bool good = put_rows(&w, rows, message);

	*fault = w.fault;
	return good;
}
