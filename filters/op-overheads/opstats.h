/* opstats: counts, means and deviations of operators' overheads, and the ways in which they are told. */
#ifndef OPSTATS_H
#define OPSTATS_H

#include "stats/acc.h"
#include "record/keys.h"
#include "overheads.h"
#include "table/table.h"

struct opstat;

/* Zero-initialise, set what is asked for; opstats_free() or keep it. */
struct opstats {
	bool iqr;              /* leave out what is outside the quartiles by more than 1.5 times what is between them */
	/* its own */
	bool shapes;
	struct keys texts;     /* names and shapes */
	struct map rows;
	struct opstat *list;
	size_t cap;
};

const char *opstats_type(enum overhead type); /* "op", "t1" ... */

void opstats_add(struct opstats *s, const struct overheads *o, const struct overhead_value *v);

/* Rows: type, name, shape, count, mean, std (of all, not of a sample) in ns, and the launches of an operator. */
void opstats_table(struct opstats *s, struct out *out, const struct table_options *to);

/*
 * One object as ml_perf_model reads it, in microseconds: t1, and by name t2 to t5, as [mean, std]; and the launches of
 * each operator. By shape, as its later version: by name and shape, and [mean, std, count].
 */
void opstats_json(struct opstats *s, struct out *out);

void opstats_free(struct opstats *s);

#endif
