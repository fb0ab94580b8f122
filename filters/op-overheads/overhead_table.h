/*
 * overhead_table: computes counts, means and deviations of operators' overheads; writes them as a table or an object.
 */
#ifndef OVERHEAD_TABLE_H
#define OVERHEAD_TABLE_H

#include "overheads.h"
#include "table/table.h"

/*
 * `shapes`: each shape has its own rows. `iqr`: leave out values that are more than 1.5 interquartile ranges outside
 * the quartiles.
 */
struct overhead_table *overhead_table_new(bool shapes, bool iqr);
void overhead_table_free(struct overhead_table *s);

const char *overhead_table_type(enum overhead type); /* returns "op" or "t1" to "t5" */

void overhead_table_add(struct overhead_table *s, const struct overheads *o, const struct overheads_value *v);

/*
 * Writes a table with a row for each type, name and shape: count, mean, std (of the population) in ns, and the launches
 * of an operator.
 */
void overhead_table_table(struct overhead_table *s, struct out *out, const struct table_options *to);

/*
 * Writes one object in the form that ml_perf_model reads. It contains t1, and for each name t2 to t5, as [mean, std] in
 * microseconds; it also contains the launches of each operator. With shapes, writes the form of the later version of
 * ml_perf_model: the values of each name and shape, as [mean, std, count].
 */
void overhead_table_json(struct overhead_table *s, struct out *out);

#endif
