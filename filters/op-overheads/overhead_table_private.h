/*
 * overhead_table_private: declarations that overhead_table.c and overhead_table_json.c share; no other file includes
 * it.
 */
#ifndef OVERHEAD_TABLE_PRIVATE_H
#define OVERHEAD_TABLE_PRIVATE_H

#include "base/map.h"
#include "overhead_table.h"
#include "record/value_ids.h"
#include "stats/accumulator.h"

/* The overheads that have the same type, operator and shape. For T4, a call takes the place of the operator. */
struct overhead_table_row {
	enum overhead type;
	size_t name, shape; /* indexes of texts, or OVERHEAD_TABLE_NONE */
	struct accumulator_numbers numbers;
	struct accumulator_spread spread;
	struct quantile values; /* with iqr: all values, until the outliers are left out */
	/* root and seq of the first operator that has launches; `launches` has the names of its launches */
	uint64_t root, seq;
	struct buf launches; /* the launches as elements of an array, each preceded by a comma */
};

#define OVERHEAD_TABLE_NONE SIZE_MAX

struct overhead_table {
	bool shapes, iqr;
	struct value_ids texts; /* names and shapes */
	struct map rows;
	struct overhead_table_row *list;
	size_t cap;
};

/*
 * Removes the outliers and returns the indexes of all s->rows.n rows, sorted by type, name and shape. The caller frees
 * the array.
 */
size_t *overhead_table_by_name(struct overhead_table *s);

/* Return the mean and the standard deviation (of a population) of a row's values, in ns. */
double overhead_table_mean(const struct overhead_table_row *r);
double overhead_table_deviation(const struct overhead_table_row *r);

#endif
