/* overhead_table: counts, means and deviations of operators' overheads, and their output as a table or one object. */
#ifndef OVERHEAD_TABLE_H
#define OVERHEAD_TABLE_H

#include "stats/accumulator.h"
#include "record/value_ids.h"
#include "overheads.h"
#include "table/table.h"

struct overhead_table_row;

/* Zero-initialise, set what is asked for; overhead_table_free() or keep it. */
struct overhead_table {
	bool iqr;              /* leave out what is outside the quartiles by more than 1.5 times what is between them */
	/* its own */
	bool shapes;
	struct value_ids texts;     /* names and shapes */
	struct map rows;
	struct overhead_table_row *list;
	size_t cap;
};

const char *overhead_table_type(enum overhead type); /* "op", "t1" ... */

void overhead_table_add(struct overhead_table *s, const struct overheads *o, const struct overhead_value *v);

/* Rows: type, name, shape, count, mean, std (of all, not of a sample) in ns, and the launches of an operator. */
void overhead_table_table(struct overhead_table *s, struct out *out, const struct table_options *to);

/*
 * One object as ml_perf_model reads it, in microseconds: t1, and by name t2 to t5, as [mean, std]; and the launches of
 * each operator. By shape, as its later version: by name and shape, and [mean, std, count].
 */
void overhead_table_json(struct overhead_table *s, struct out *out);

void overhead_table_free(struct overhead_table *s);

#endif
