/* column_meaning: the kind, the field and the unit of a column, found from its name and the kind of the records. */
#ifndef COLUMN_MEANING_H
#define COLUMN_MEANING_H

#include "base/units.h"
#include "record/field.h"
#include "table/source_kind.h"

/*
 * A column's kind, and the parts of its name. In dur_us_sum, the field is dur and the unit us. In a name without a
 * unit, unit_at and unit_end are both the offset at which a unit can be inserted.
 */
struct column_meaning {
	enum column_kind kind;
	const struct unit *unit;  /* the unit of its values; NULL: ns or bytes */
	size_t field_n;           /* length of the field's name; all columns of a field have the same unit */
	size_t unit_at, unit_end; /* offsets of the unit, including the underscore before it, and of its end */
};

/*
 * Returns the meaning of a column of that name. `source` has the kind of the records; fields in `given` are times or
 * sizes in all records. In a name, a time or size may be followed by its unit, and by aggregates that have the same
 * unit; in foreign records, only after fields in `given`. In all records, name and short are COLUMN_NAME.
 */
struct column_meaning column_meaning_of(
    struct str name, const struct source_kind *source, const struct field_units *given);

/* Appends the column's name with another unit, or without a unit if `unit` is NULL. */
void column_meaning_rename(struct buf *b, struct str name, const struct column_meaning *t, const struct unit *unit);

#endif
