#include "nsys_payload.h"

#include "base/num_format.h"
#include "json/write.h"

#include <math.h>

enum { HEADER = 32 };

/* The types of fields. Types less than SIZE, except FLOAT, are integers, which are signed if their number is odd. */
enum { FLOAT = 19, DOUBLE = 20, SIZE = 22, ADDRESS = 23, TYPES };

/* The sizes of fields in bytes, indexed by type; 0 for a type that is not a plain number. */
static const unsigned char sizes[TYPES] = {0, 1, 1, 2, 2, 4, 4, 8, 8, 8, 8, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 0, 8, 8};

struct query *nsys_payload_query(struct database *db)
{
	return database_query(db, STR("SELECT type, name, \"offset\" FROM NVTX_PAYLOAD_SCHEMA_ENTRIES "
				      "WHERE domainId = ?1 AND schemaId = ?2 ORDER BY idx"));
}

/* Returns the number in the n bytes at p, n <= 8. */
static uint64_t number_at(const char *p, size_t n)
{
	uint64_t v = 0;

	while (n--)
		v = v << 8 | (unsigned char)p[n];
	return v;
}

/* Appends a number, unless it is a float that is not finite. */
static void put_number(struct buf *args, struct str name, const char *p, size_t type)
{
	const size_t n = sizes[type];
	const uint64_t v = number_at(p, n);
	const unsigned unused = (unsigned)(64 - 8 * n);
	const uint32_t low = (uint32_t)v;
	char digits[NUM_ROOM], *end;
	double real;
	float narrow;

	if (type == FLOAT) {
		memcpy(&narrow, &low, sizeof narrow);
		real = (double)narrow;
	} else {
		memcpy(&real, &v, sizeof real);
	}
	if ((type == FLOAT || type == DOUBLE) && !isfinite(real))
		return;
	if (type == FLOAT || type == DOUBLE)
		end = num_put_double(digits, real);
	else if (type < SIZE && type % 2)
		end = num_put_i64(digits, (int64_t)(v << unused) >> unused);
	else
		end = num_put_u64(digits, v);
	json_write_name(args, name);
	buf_add(args, digits, (size_t)(end - digits));
}

void nsys_payload_put(struct buf *args, struct query *q, struct str blob)
{
	struct query_value type, name, offset;
	size_t t, at;

	if (blob.n < HEADER)
		return;
	query_bind(q, 1, (int64_t)number_at(blob.p, 4));
	query_bind(q, 2, (int64_t)number_at(blob.p + 8, 4));
	json_write_begin(args, "payload", '{');
	while (query_next(q) == QUERY_ROW) {
		type = query_get(q, 0);
		name = query_get(q, 1);
		offset = query_get(q, 2);
		if (type.type != QUERY_INT || type.i < 0 || type.i >= TYPES || name.type != QUERY_TEXT || offset.i < 0)
			continue;
		t = (size_t)type.i;
		at = (size_t)offset.i;
		if (sizes[t] && at <= blob.n - HEADER && sizes[t] <= blob.n - HEADER - at)
			put_number(args, name.bytes, blob.p + HEADER + at, t);
	}
	json_write_end(args, '}');
}
