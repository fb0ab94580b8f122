/* column_type: finds what a column of a table holds, by its name and the kind of the records. */
#ifndef COLUMN_TYPE_H
#define COLUMN_TYPE_H

#include "base/units.h"
#include "record/field.h"
#include "table/report_kind.h"

/*
 * A column's kind, and the parts of its name: in dur_us_sum, the field is dur, the unit is us, and _sum follows. In a
 * name without a unit, unit_at and unit_end are the place where a unit is inserted.
 */
struct column_type {
	enum column_kind kind;
	const struct unit *unit;  /* the unit of its values; NULL: ns or bytes */
	size_t field_n;           /* length of the field's name; columns of one field share a unit */
	size_t unit_at, unit_end; /* the part with the unit, with the underscore before it */
};

/*
 * Returns the type of a column of that name. `source` tells the kind of the records: see report_source_member().
 * Fields in `given` are times or sizes in any record. A time or size may be followed by its unit, by an aggregate that
 * keeps the unit, or by both. Names of foreign records are otherwise not interpreted, except that name and short are
 * COLUMN_NAME.
 */
struct column_type column_type(struct str name, const struct report_source *source, const struct field_units *given);

/* Appends the column's name with another unit, or without a unit if `unit` is NULL. */
void column_type_name(struct buf *b, struct str name, const struct column_type *t, const struct unit *unit);

#endif
