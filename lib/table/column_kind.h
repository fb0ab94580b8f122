/* column_kind: what a column of a table holds, by its name. */
#ifndef COLUMN_KIND_H
#define COLUMN_KIND_H

#include "record/field.h"

enum column_kind {
	COLUMN_ANY,    /* as it is: right-aligned where all cells are numbers */
	COLUMN_TIME,   /* ns: human formats choose one unit for the column and put it in the header */
	COLUMN_STAMP,  /* a point in time, ns: never rounded, and scaled only by -u */
	COLUMN_SIZE,   /* bytes, as COLUMN_TIME */
	COLUMN_SHARE,  /* a fraction: percent in human formats */
	COLUMN_NAME,   /* kernel and function names: human formats shorten them unless `wide` */
};

/*
 * What a column of that name holds: ts, end and what ends in _ts (buckets too) are stamps, other times
 * and sizes as field_base() has it, which takes `given`; share and FIELD_share are shares, name and short names.
 */
enum column_kind column_kind(struct str name, const struct field_units *given);

#endif
