/* stacked_private: the sums of stacked bars, and the rows that are made from them. For stacked.c and stacked_rows.c. */
#ifndef STACKED_PRIVATE_H
#define STACKED_PRIVATE_H

#include "chart.h"
#include "sums.h"

/* A bar, or the title of a panel. */
struct stacked_row {
	struct label label;
	bool heading;
	size_t others; /* number of groups in this bar, if it stands for several */
	long double value;
	long double *by_rank;
};

struct stacked {
	struct chart *chart;
	struct sums panels, groups, cells; /* keys: panel; panel, group; panel, group, part */
	struct sums parts;
	struct buf key, whole, part;
	uint64_t negative;
	/* for drawing */
	size_t *rank_of; /* the rank of each part; the last rank is that of all others if `n_others` is not 0 */
	size_t n_ranks, n_others;
	struct label *legend;
	enum colour *colours;
	struct stacked_row *rows;
	size_t n_rows, cap_rows;
	size_t *row_of; /* the row of each group */
	struct map texts;
};

/* Ranks the parts by their sums, and sets the legend and the colours. */
void stacked_rank_parts(struct stacked *s);

/* Adds the rows: for each panel its title and its largest groups, and one row for its other groups. */
void stacked_add_rows(struct stacked *s);

#endif
