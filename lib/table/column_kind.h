/* column_kind: finds what a column of a table holds, by its name. */
#ifndef COLUMN_KIND_H
#define COLUMN_KIND_H

#include "record/field.h"

enum column_kind {
	COLUMN_ANY,   /* any values: right-aligned if all cells are numbers */
	COLUMN_TIME,  /* ns: formats for people choose one unit for the column and put it in the header */
	COLUMN_STAMP, /* a point in time, ns: never rounded, and scaled only by -u */
	COLUMN_SIZE,  /* bytes, as COLUMN_TIME */
	COLUMN_SHARE, /* a fraction: a percentage in formats for people */
	COLUMN_NAME,  /* kernel and function names: formats for people shorten them unless `wide` is set */
};

/*
 * Returns the kind of a column of that name: ts, end and names ending in _ts are stamps, as are buckets of these;
 * field_base(), with `given`, decides about other times and sizes; share and FIELD_share are shares; name and short are
 * names.
 */
enum column_kind column_kind(struct str name, const struct field_units *given);

#endif
