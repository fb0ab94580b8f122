/* gantt_private: the state of a timeline. For gantt.c and gantt_colours.c. */
#ifndef GANTT_PRIVATE_H
#define GANTT_PRIVATE_H

#include "chart.h"
#include "gantt_boxes.h"
#include "lanes.h"
#include "sums.h"

struct gantt {
	struct chart *chart;
	struct lanes lanes;
	struct gantt_boxes boxes;
	struct sums parts; /* the values that have colours */
	struct map texts;  /* the texts of boxes: whole, SUMS_BETWEEN, brief */
	bool has_origin;
	int64_t origin;
	uint64_t left_out, records;
	struct buf text, whole;
	/* for drawing */
	enum colour *colours; /* by part */
	struct label *legend, *rows;
	enum colour legend_colours[COLOURS_SERIES + 1];
	size_t n_legend, n_rows;
	double left, right, top, row;
	struct axis axis;
};

/* Sets the legend, and colours for the parts with most time. If there are few parts, all have colours. */
void gantt_choose_colours(struct gantt *g);

#endif
