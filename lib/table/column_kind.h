/* column_kind: determines the kind of values in a table's column from the column's name. */
#ifndef COLUMN_KIND_H
#define COLUMN_KIND_H

#include "record/field.h"

enum column_kind {
	COLUMN_ANY,   /* any values: right-aligned if all cells are numbers */
	COLUMN_TIME,  /* a time in ns: human formats choose one unit for the column and put it in the header */
	COLUMN_STAMP, /* a point in time in ns: never rounded, and scaled only by -u */
	COLUMN_SIZE,  /* bytes, as COLUMN_TIME */
	COLUMN_SHARE, /* a fraction: human formats show a percentage */
	COLUMN_NAME,  /* kernel and function names: human formats shorten them unless `wide` is set */
};

/*
 * Returns the kind of a column of that name:
 * - COLUMN_STAMP: ts, end, names ending in _ts, and buckets of these;
 * - COLUMN_SHARE: share and FIELD_share;
 * - COLUMN_NAME: name and short;
 * - other times and sizes: field_base() decides, with `given`.
 */
enum column_kind column_kind(struct str name, const struct field_units *given);

#endif
