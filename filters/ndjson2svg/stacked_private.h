/* stacked_private: the sums of stacked bars, and the rows that are made from them. For stacked*.c. */
#ifndef STACKED_PRIVATE_H
#define STACKED_PRIVATE_H

#include "chart.h"
#include "sums.h"

/* A bar, or the title of a panel. */
struct stacked_row {
	struct label label;
	bool heading;
	size_t others; /* number of groups in this bar, if it stands for several */
	size_t grey;   /* number of parts without a colour, and the last of them */
	size_t grey_part;
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
	size_t *rank_of; /* the rank of each part; all parts without a colour have the last one */
	size_t n_ranks;
	struct label *legend; /* indexed by rank, as the colours are */
	enum colour *colours;
	struct stacked_row *rows;
	size_t n_rows, cap_rows;
	size_t *row_of; /* the row of each group */
	struct map texts;
};

/* Adds the rows: for each panel its title and its largest groups, and one row for its other groups. */
void stacked_add_rows(struct stacked *s);

/* Chooses the parts that have colours, and sets the legend and the values of the rows. */
void stacked_choose_parts(struct stacked *s);

#endif
