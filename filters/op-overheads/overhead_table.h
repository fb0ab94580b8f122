/* overhead_table: counts, means and deviations of operators' overheads, and their output as a table or one object. */
#ifndef OVERHEAD_TABLE_H
#define OVERHEAD_TABLE_H

#include "overheads.h"
#include "table/table.h"

/*
 * `shapes`: values are apart by shape; `iqr`: leaves out what is outside the quartiles by more than 1.5 times what is
 * between them.
 */
struct overhead_table *overhead_table_new(bool shapes, bool iqr);
void overhead_table_free(struct overhead_table *s);

const char *overhead_table_type(enum overhead type); /* "op", "t1" ... */

void overhead_table_add(struct overhead_table *s, const struct overheads *o, const struct overheads_value *v);

/* Rows: type, name, shape, count, mean, std (of all, not of a sample) in ns, and the launches of an operator. */
void overhead_table_table(struct overhead_table *s, struct out *out, const struct table_options *to);

/*
 * One object as ml_perf_model reads it, in microseconds: t1, and by name t2 to t5, as [mean, std]; and the launches of
 * each operator. By shape, as its later version: by name and shape, and [mean, std, count].
 */
void overhead_table_json(struct overhead_table *s, struct out *out);

#endif
