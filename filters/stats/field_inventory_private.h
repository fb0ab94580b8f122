/* field_inventory_private: the state of a field inventory, shared by the files field_inventory*.c. */
#ifndef FIELD_INVENTORY_PRIVATE_H
#define FIELD_INVENTORY_PRIVATE_H

#include "field_inventory.h"

#include "base/map.h"
#include "base/mem.h"
#include "stats/state_text.h"

enum inventory_type { INTEGER, NUMBER, STRING, BOOLEAN, NULL_TYPE, OBJECT, ARRAY, TYPES };
extern const char *const inventory_type_names[TYPES];

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
	/* of the partial result that is being read */
	uint64_t number, n_read;
	uint64_t bits[KINDS_MOST]; /* the bits of its kinds */
	size_t n_bits;
	struct buf last_kind;
};

/* Returns the type of a value. */
enum inventory_type inventory_type_of(struct str json);

/* Returns the bit of a kind in inventory_field.kinds. */
uint64_t inventory_kind(struct field_inventory *p, struct str json);

/*
 * Finds or adds the field with a key (as written between its quotes) in the field `above`, or in the record for TOP; if
 * `element`, the elements of `above`. Returns its index.
 */
size_t inventory_put(struct field_inventory *p, size_t above, struct str key, bool element);

/* Gets the key of a field, and returns whether it is that of elements. */
bool inventory_key(const struct field_inventory *p, size_t field, struct str *key);

/*
 * Compares two fields as for qsort(): by their keys, from the top. A field precedes the fields in it. `inventory` is a
 * struct field_inventory.
 */
int inventory_compare(const void *inventory, size_t a, size_t b);

#endif
